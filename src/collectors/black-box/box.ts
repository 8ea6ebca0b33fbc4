import type { Clock } from '../../clock.ts';
import type { BlackBoxPart } from '../../model/black-box-samples.ts';
import type { BlackBoxSample, CaptureKind, CaptureSample, Sample } from '../../model/samples.ts';
import type { Run } from '../../model/run.ts';
import { safeText } from '../../model/text.ts';
import { readBox } from './answer.ts';
import type { BlackBoxOptions } from './black-box.ts';
import { knownEvidence, lastStacks, logEvidence } from './known.ts';
import { evidence, fitted, type Evidence } from './parts.ts';
import type { BoxFolder, BoxSaver } from './save.ts';
import { boxScript } from './script.ts';
import type { Trouble } from './trigger.ts';
import { whom } from './whom.ts';

/** One trouble's evidence, while it is taken and when it is there. */
export interface Box {
  readonly trouble: Trouble;
  see(sample: Sample): void;
  /** The run that stood is gone: what there still is to be had of it comes behind the rest. */
  ended(reason: string): void;
  /** Waits for nothing any more: what there is is told. */
  abandon(): void;
  /** Resolves when nothing more is being taken; never rejects. */
  over(): Promise<void>;
}

/** What it is for, and what it is taken with. */
export interface BoxInit extends Omit<BlackBoxOptions, 'dataDir'> {
  readonly trouble: Trouble;
  readonly id: string;
  readonly run: Run | undefined;
  /** Whether the run still stands. */
  readonly isStuck: () => boolean;
  readonly saver?: BoxSaver | undefined;
}

/** Plain dumps of eight ranks take some seconds; a py-spy that hangs holds the rest up for no longer. */
const dumpsFirstMs = 20_000;
const dumpsMs = 4 * 60_000;
const nativeMs = 6 * 60_000;
/** nvidia-smi has 20 s of it. */
const scriptMs = 45_000;
/** The last lines of a log come behind the end of who wrote them. */
const lastWordsMs = 3000;
/** A disk that hangs holds nothing up. */
const diskMs = 5000;
/** A dump of longer ago shows another trouble. */
const oldStacksMs = 60 * 60_000;
const mostNotes = 12;

/** Begins to take it. */
export function takeBox(init: BoxInit): Box {
  const { trouble, id, run, host, runner, clock, state, take, capture, isStuck, saver } = init;
  const startedAt = clock.now();
  const captured = new Map<string, CaptureSample | undefined>();
  const names = new Map<string, number>();
  let parts: readonly BlackBoxPart[] = [];
  let notes: readonly string[] = [];
  let alarm = trouble.alarm;
  let endReason: string | undefined;
  let folder: BoxFolder | undefined;
  let toDisk: Promise<unknown> = Promise.resolve();
  let isAbandoned = false;
  let isDone = false;
  let abandonAll = () => {};
  const abandoned = new Promise<void>((resolve) => (abandonAll = resolve));
  let earlier: readonly string[] = [];

  function sample(now: Pick<BlackBoxSample, 'state'> & { readonly endedAt?: number }): BlackBoxSample {
    const time = clock.now();
    return {
      ...{ kind: 'blackBox', host, source: 'black box', time, receivedAt: time, id, reason: trouble.reason },
      ...(alarm !== undefined && { alarm }),
      ...now,
      startedAt,
      captures: [...new Set([...earlier, ...captured.keys()])],
      parts,
      ...(notes.length > 0 && { notes }),
      ...(folder && { folder: folder.path }),
    };
  }

  const tell = () => take(sample({ state: 'taking' }));
  const note = (text: string) => {
    if (!notes.includes(text) && notes.length < mostNotes) notes = [...notes, safeText(text)];
  };

  /** What goes wrong with the disk is a sentence, and never an error. */
  function onDisk(write: (folder: BoxFolder) => Promise<void>) {
    if (!saver) return;
    const begun = toDisk.then(async () => {
      folder ??= await saver.open(sample({ state: 'taking' }));
      await write(folder);
    });
    toDisk = within(clock, begun, diskMs, "this machine's disk does not answer").catch((error: unknown) =>
      note(`Not all of it could be saved: ${error instanceof Error ? error.message : String(error)}`),
    );
  }

  function add(all: readonly Evidence[]) {
    for (const { part, whole } of all) {
      parts = [...parts, fitted(part, parts)];
      const count = (names.get(part.name) ?? 0) + 1;
      names.set(part.name, count);
      const file = `${part.name.replace(/ /g, '-')}${count === 1 ? '' : `-${count}`}.txt`;
      const head = `${part.name} of ${host}, ${new Date(part.takenAt).toISOString()}`;
      const text = [head, ...(part.failure === undefined ? [] : [part.failure]), '', ...whole, ''].join('\n');
      onDisk((to) => to.write(file, text));
    }
  }

  /** Waits for so long, or until nothing is waited for any more. */
  async function wait(what: Promise<unknown>, ms: number) {
    await Promise.race([within(clock, what, ms, 'late').catch(() => {}), abandoned]);
  }

  const pause = (ms: number) => wait(new Promise(() => {}), ms);

  async function dumps(what: CaptureKind, pids: readonly number[]) {
    const begun = capture({ what, pids, unasked: true });
    captured.set(begun.id, undefined);
    return begun.over;
  }

  async function hostEvidence(pids: readonly number[]): Promise<readonly Evidence[]> {
    const context = runner.context();
    const failed = (failure: string) =>
      (['kernel stacks', 'kernel log', 'nvidia-smi'] as const).map((name) =>
        evidence({ name, takenAt: clock.now(), failure }),
      );
    if (!context) return failed(`${host} is not connected.`);
    const rankOf = (pid: number) => run?.processes.find((process) => process.pid === pid)?.rank;
    try {
      const answer = await Promise.race([runner.job('black-box', boxScript(pids), scriptMs), abandoned]);
      if (!answer) return failed('traintop ended before it came.');
      return readBox({ answer, context, at: clock.now(), rankOf });
    } catch (error) {
      return failed(`${host} ran no command for it: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  async function takeStuck() {
    const { plain, native, leftOut } = run ? whom(run) : { plain: [], native: [] };
    if (leftOut !== undefined) note(leftOut);
    const plainOver = dumps('dump', plain);
    add(knownEvidence(state(), clock.now(), plain));
    saveVerdict();
    tell();
    await wait(plainOver, dumpsFirstMs);
    if (isAbandoned) return;
    add(await hostEvidence(plain));
    tell();
    await wait(plainOver, dumpsMs);
    if (isAbandoned || endReason !== undefined) return;
    if (!isStuck()) return note('The run went on meanwhile: no process was held for native stacks.');
    const failed = [...captured.values()].some((each) => each?.state === 'failed');
    if (failed) return note('Plain dumps failed: native ones, which need the same rights, were not tried.');
    await wait(dumps('native', native), nativeMs);
  }

  async function takeEnded() {
    await pause(lastWordsMs);
    const now = state();
    const at = clock.now();
    const last = now.stacks.filter(({ receivedAt }) => at - receivedAt <= oldStacksMs);
    const told = new Set(now.captures.map((each) => each.id));
    earlier = [...new Set(last.flatMap((each) => (each.capture && told.has(each.capture) ? [each.capture] : [])))];
    const ranks = run ? whom(run).native : [];
    const known = knownEvidence(now, at, ranks);
    const stacks = lastStacks(
      last.filter(({ pid }) => ranks.includes(pid)),
      at,
    );
    add(known.map((each) => (each.part.name === 'threads' && stacks.length > 0 ? withLines(each, stacks) : each)));
    saveVerdict();
    tell();
    await takeFromHost();
  }

  /** Behind the evidence of how it stood. */
  async function takeEnd(reason: string) {
    const before = Math.max(...parts.map(({ name, takenAt }) => (name === 'log' ? takenAt : 0)));
    note(reason);
    tell();
    await pause(lastWordsMs);
    add([logEvidence(state(), clock.now(), before)]);
    await takeFromHost();
  }

  /** Of processes that are gone there are no kernel stacks. What the kernel's log had before is not told twice. */
  async function takeFromHost() {
    if (isAbandoned) return;
    const known = new Set(parts.flatMap(({ name, lines = [] }) => (name === 'kernel log' ? lines : [])));
    const all = (await hostEvidence([])).filter(({ part }) => part.name !== 'kernel stacks');
    add(
      all.map((each) => {
        if (each.part.name !== 'kernel log' || known.size === 0) return each;
        const lines = each.whole.filter((line) => !known.has(line));
        const { takenAt, failure } = each.part;
        const nothing = failure ?? 'It says nothing new.';
        return evidence({ name: 'kernel log', takenAt, lines, ...(lines.length === 0 && { failure: nothing }) });
      }),
    );
  }

  function saveVerdict() {
    const { verdicts } = state();
    const text = `${JSON.stringify(verdicts?.verdicts ?? [], undefined, 2)}\n`;
    onDisk((to) => to.write('verdict.json', text));
  }

  async function perform(work: () => Promise<void>) {
    try {
      await work();
      for (let reason = endReason; reason !== undefined; reason = endReason) {
        endReason = undefined;
        await takeEnd(reason);
      }
    } catch (error) {
      note(`It was broken off: ${error instanceof Error ? error.message : String(error)}`);
    }
    if (isAbandoned) note('traintop ended before all of it was taken.');
    for (const each of captured.values()) if (each?.failure !== undefined) note(`${each.what}: ${each.failure}`);
    await toDisk;
    const lacks = parts.some(({ failure }) => failure !== undefined) || isAbandoned;
    const unfinished = [...captured.values()].some((each) => each?.state !== 'done');
    const last = sample({ state: lacks || unfinished ? 'partial' : 'done', endedAt: clock.now() });
    onDisk((to) => to.head(last));
    await toDisk;
    take({ ...last, ...(notes.length > 0 && { notes }) });
    isDone = true;
  }

  tell();
  let under = perform(trouble.what === 'stuck' ? takeStuck : takeEnded);

  return {
    trouble,
    see(each) {
      if (each.kind === 'capture' && captured.has(each.id)) captured.set(each.id, each);
      if (each.kind === 'alarm' && each.state === 'ringing' && alarm === undefined && !isDone) {
        const own = trouble.what === 'ended' ? each.alarm === 'run-ended' : each.alarm === 'no-step';
        if (own) alarm = each.id;
      }
    },
    ended(reason) {
      endReason = reason;
      if (!isDone) return;
      isDone = false;
      under = perform(async () => {});
    },
    abandon() {
      isAbandoned = true;
      abandonAll();
    },
    over: () => under,
  };
}

function withLines(each: Evidence, lines: readonly string[]): Evidence {
  const { name, takenAt, failure } = each.part;
  return evidence({ name, takenAt, lines: [...lines, '', ...each.whole], ...(failure !== undefined && { failure }) });
}

/** Rejects when it takes longer. */
async function within<T>(clock: Clock, what: Promise<T>, ms: number, late: string): Promise<T> {
  let cancel = () => {};
  const limit = new Promise<never>((_, reject) => (cancel = clock.after(ms, () => reject(new Error(late)))));
  try {
    return await Promise.race([what, limit]);
  } finally {
    cancel();
  }
}
