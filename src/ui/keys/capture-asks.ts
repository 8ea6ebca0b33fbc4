import { expectedCost } from '../../model/capture-cost.ts';
import { captureDefaults } from '../../model/capture-plan.ts';
import { captureTitle } from '../../model/capture-words.ts';
import type { RunProcess } from '../../model/run.ts';
import type { CaptureRequest } from '../../model/samples.ts';
import type { Asked } from '../overlays/questions.ts';
import { selectedPid, type KeyContext } from './context.ts';

/** A dump: at once, and shown when it is there. */
export function takeDump(context: KeyContext, pids = selectedPids(context)): void {
  begin(context, { what: 'dump', pids });
}

/** A native dump holds the process: asked first. */
export function askNative(context: KeyContext): void {
  const whom = whomOf(context);
  const taken = context.controls.store
    .getState()
    .captures.find(({ what, state, pids }) => what === 'native' && state === 'done' && pids.length === 1);
  const last = taken?.endedAt === undefined ? [] : [`The last one took ${taken.endedAt - taken.startedAt} ms in all.`];
  ask(context, {
    title: 'Native dump: Python frames and those of libraries',
    lines: [
      'py-spy dump --native: frames of machine code show where a thread is inside of CUDA, NCCL or a BLAS.',
      'py-spy holds the process while it reads it; a watchdog of the run that waits for less than that can take it for hung.',
    ],
    fields: whom.fields,
    say: (answers) => {
      const pids = whom.pids(answers[0]);
      return [...expectedCost({ what: 'native', pids }, threadsOf(context, pids)), ...last];
    },
    request: (answers) => ({ what: 'native', pids: whom.pids(answers[0]) }),
  });
}

/** Many dumps, folded. */
export function askMany(context: KeyContext): void {
  const whom = whomOf(context);
  const request = ([rounds, every, choice]: readonly string[]): CaptureRequest => ({
    what: 'many',
    rounds: Number(rounds),
    everySeconds: Number(every),
    pids: whom.pids(choice),
  });
  ask(context, {
    title: 'Many dumps: what each role was doing',
    lines: ['Dumps at an interval, equal stacks folded: shares of the time for each role and thread.'],
    fields: [
      numberField('Dumps', captureDefaults.rounds),
      numberField('Seconds between them', captureDefaults.everySeconds),
      ...whom.fields,
    ],
    check: ([rounds, every]) =>
      wrongNumber('Dumps', rounds, { least: 2, most: 1000 }) ??
      wrongNumber('The seconds between them', every, { least: 1, most: 3600 }),
    say: (answers) => expectedCost(request(answers), threadsOf(context, request(answers).pids)),
    request,
  });
}

/** A record: a flame graph. */
export function askRecord(context: KeyContext): void {
  const { readOnly = false } = context.controls;
  const whom = whomOf(context);
  const blocking = { label: 'Hold the process for each sample', hidden: false, choices: ['no', 'yes'] };
  const request = ([seconds, rate, ...rest]: readonly string[]): CaptureRequest => ({
    what: 'record',
    seconds: Number(seconds),
    rate: Number(rate),
    blocking: !readOnly && rest[0] === 'yes',
    pids: whom.pids(rest[readOnly ? 0 : 1]),
  });
  ask(context, {
    title: 'Record: a flame of where the time goes',
    lines: [
      'py-spy record, with idle threads. Without holding the process some samples are torn; those are counted as errors.',
    ],
    fields: [
      numberField('Seconds', captureDefaults.seconds),
      numberField('Samples a second', captureDefaults.rate),
      ...(readOnly ? [] : [blocking]),
      ...whom.fields,
    ],
    check: checkRecord,
    say: (answers) => expectedCost(request(answers), threadsOf(context, request(answers).pids)),
    request,
  });
}

/** Who held the GIL. */
export function askGil(context: KeyContext): void {
  const whom = whomOf(context);
  const request = ([seconds, rate, choice]: readonly string[]): CaptureRequest => ({
    what: 'gil',
    seconds: Number(seconds),
    rate: Number(rate),
    pids: whom.pids(choice),
  });
  ask(context, {
    title: 'GIL share: who held the interpreter lock, for what part of the time',
    lines: [
      'py-spy record --gil: only the thread that holds the GIL is counted; nobody held it in the rest of the samples.',
    ],
    fields: [
      numberField('Seconds', captureDefaults.seconds),
      numberField('Samples a second', captureDefaults.rate),
      ...whom.fields,
    ],
    check: checkRecord,
    say: (answers) => expectedCost(request(answers), threadsOf(context, request(answers).pids)),
    request,
  });
}

/** Asks whether to end a capture early. */
export function askCancel({ controls, ownQuestions }: KeyContext, id: string): void {
  const { captures, run } = controls.store.getState();
  const capture = captures.find((each) => each.id === id);
  if (!capture) return;
  const left = Math.max(0, Math.ceil((capture.startedAt + capture.plannedMs - controls.clock.now()) / 1000));
  const asked = ownQuestions.ask({
    title: `End the ${captureTitle(capture, run?.run)} early?`,
    lines: [
      `It would go on for ${left} s. What there is so far is kept and marked partial; py-spy is ended by SIGINT, the run is not touched.`,
    ],
    yes: 'End it now.',
  });
  void asked.then((yes) => yes && controls.cancelCapture(id));
}

type CaptureForm = Asked & { readonly request: (answers: readonly string[]) => CaptureRequest };

function ask(context: KeyContext, { request, ...form }: CaptureForm) {
  const asked = context.ownQuestions.askForm({ ...form, isFilled: true });
  void asked.then((answers) => answers && begin(context, request(answers)));
}

/** What is over in a moment is shown when it is there; the line above the footer tells of the rest. */
function begin({ controls, dispatch }: KeyContext, request: CaptureRequest) {
  const { what } = request;
  const { id, over } = controls.capture(request);
  if (what !== 'dump' && what !== 'native') return;
  const text = `py-spy ${captureTitle(request, controls.store.getState().run?.run)} …`;
  const notice = { text, tone: 'plain', busy: true } as const;
  dispatch({ type: 'notice', notice });
  dispatch({ type: 'awaited', id });
  void over.finally(() => {
    dispatch({ type: 'captureOver', id });
    dispatch({ type: 'noticeOver', notice });
  });
}

function selectedPids(context: KeyContext): readonly number[] {
  const pid = selectedPid(context);
  return pid === undefined ? [] : [pid];
}

/** One process or all: a field where there is a choice. */
function whomOf(context: KeyContext) {
  const [pid = 0] = selectedPids(context);
  const processes = context.controls.store.getState().run?.run?.processes ?? [];
  const rank = processes.find((process) => process.pid === pid)?.rank;
  const ranks = ranksAmong(processes).map((process) => process.pid);
  const all = processes.map((process) => process.pid);
  const choices = new Map<string, readonly number[]>([
    [rank === undefined ? `PID ${pid}` : `rank ${rank}, PID ${pid}`, [pid]],
  ]);
  if (ranks.length > 1) choices.set(`all ${ranks.length} ranks`, ranks);
  if (all.length > 1 && all.length > ranks.length) choices.set(`all ${all.length} processes`, all);
  const names = [...choices.keys()];
  return {
    fields: names.length > 1 ? [{ label: 'Of', hidden: false, choices: names }] : [],
    pids: (name: string | undefined) => choices.get(name ?? '') ?? [pid],
  };
}

/** One process a rank: what it started (loader workers) has its environment, and so its rank. */
function ranksAmong(processes: readonly RunProcess[]): readonly RunProcess[] {
  const ranks = new Map(processes.map(({ pid, rank }) => [pid, rank]));
  return processes.filter(
    ({ rank, parentPid }) => rank !== undefined && (parentPid === undefined || ranks.get(parentPid) !== rank),
  );
}

/** Of the process that has the most. */
function threadsOf({ controls }: KeyContext, pids: readonly number[]): number | undefined {
  const { threads } = controls.store.getState();
  if (!threads) return undefined;
  const counts = pids.map((pid) => threads.pid.reduce((count, each) => count + (each === pid ? 1 : 0), 0));
  const most = Math.max(0, ...counts);
  return most > 0 ? most : undefined;
}

function numberField(label: string, value: number): Asked['fields'][number] {
  return { label, hidden: false, text: String(value) };
}

function checkRecord([seconds, rate]: readonly string[]): string | undefined {
  return (
    wrongNumber('Seconds', seconds, { least: 1, most: 3600 }) ??
    wrongNumber('Samples a second', rate, { least: 1, most: 500 })
  );
}

function wrongNumber(what: string, text = '', { least, most }: { readonly least: number; readonly most: number }) {
  const value = /^\d+$/.test(text.trim()) ? Number(text) : NaN;
  if (value >= least && value <= most) return undefined;
  return `${what}: a whole number from ${least} to ${most}, not "${text}".`;
}
