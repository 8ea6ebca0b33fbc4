import { setMaxListeners } from 'node:events';
import { captureDefaults, plannedMs } from '../../model/capture-plan.ts';
import type { CaptureRequest, CaptureResult, CaptureSample, CaptureState } from '../../model/samples.ts';
import { captureProcess, type ProcessCapture, type ProcessOutcome } from './capture-process.ts';
import type { CapturesOptions } from './captures.ts';
import { holdsProcess } from './guard.ts';
import { saveSafely } from './save.ts';
import type { Slots } from './slots.ts';

/** One capture, and where it runs. */
export interface CaptureInit extends CapturesOptions {
  readonly id: string;
  readonly request: CaptureRequest;
  readonly startedAt: number;
  readonly slots: Slots;
}

/** A capture that goes on. */
export interface CaptureJob {
  /** Ends it early; what there is is kept. */
  cancel(): void;
  /** Waits no longer for the host. */
  abandon(): void;
  /** How it is. */
  last(): CaptureSample;
  /** Never rejects. */
  readonly over: Promise<void>;
}

/** Between two Samples that tell of nothing but progress. */
const progressMs = 1000;
/** Sentences of a capture of many ranks, which may all fail alike. */
const mostFailures = 3;

/** Captures all processes of a request, as many at once as there are slots for. */
export function capture(init: CaptureInit): CaptureJob {
  const { id, host, request, startedAt, runner, clock, take, slots, save, bring, complete, readOnly = false } = init;
  const stopping = new AbortController();
  // Each process that waits for its turn hears it.
  setMaxListeners(0, stopping.signal);
  const cancelled = new Promise<undefined>((resolve) =>
    stopping.signal.addEventListener('abort', () => resolve(undefined)),
  );
  const live = new Set<ProcessCapture>();
  const pids = [...new Set(request.pids)];
  const isSampled = request.what === 'record' || request.what === 'gil';
  const rounds = new Map<number, number>();
  let last: CaptureSample = {
    ...{ kind: 'capture', host, source: 'stacks', time: startedAt, receivedAt: startedAt, id, what: request.what },
    ...{ state: 'waiting', pids, startedAt, plannedMs: plannedMs({ ...request, pids }), notes: [], files: [] },
    ...(isSampled && { rate: request.rate ?? captureDefaults.rate }),
  };

  function tell(change: Partial<CaptureSample>) {
    const now = clock.now();
    last = { ...last, ...change, time: now, receivedAt: now };
    if (!request.auto) take(last);
  }

  function tellRounds(pid: number, count: number) {
    rounds.set(pid, count);
    if (request.what === 'many' && clock.now() - last.time >= progressMs) tell({ samples: sum(rounds.values()) });
  }

  async function one(pid: number): Promise<ProcessOutcome | undefined> {
    const giveBack = await slots.take(stopping.signal, request.auto);
    if (!giveBack) return undefined;
    try {
      const context = runner.context();
      // Cancelled in the moment that its turn came.
      if (!context || stopping.signal.aborted) return undefined;
      // The planned end is that far from when it could begin.
      if (last.state === 'waiting')
        tell({ state: 'running', plannedMs: last.plannedMs + clock.now() - last.startedAt });
      const onRate = (rate: number) => tell({ rate: Math.min(rate, last.rate ?? rate) });
      const onRounds = (count: number) => tellRounds(pid, count);
      const process = captureProcess({
        ...{ converse: runner.converse, context, clock, request, pid, id, onRounds, onRate },
      });
      live.add(process);
      const found = await process.outcome.finally(() => live.delete(process));
      const outcome = complete ? { ...found, results: found.results.map(complete) } : found;
      for (const result of outcome.results) take(result);
      if (outcome.isStopped) tell({ stoppedPids: [...(last.stoppedPids ?? []), pid] });
      return outcome;
    } finally {
      giveBack();
    }
  }

  async function perform() {
    tell({});
    if (!runner.context()) {
      const failure = `${host} is not connected yet: try again when it is`;
      return tell({ state: 'failed', endedAt: clock.now(), failure });
    }
    const refusal =
      readOnly && holdsProcess(request)
        ? `--read-only takes nothing that holds a process: ${nonblocking(request)} does not`
        : undefined;
    const nobody = pids.length === 0 ? `No process of ${host} was named to capture` : undefined;
    const told = (note: string) => stopping.signal.aborted || tell({ notes: [note] });
    // Who leaves waits neither for an answer nor for a copy.
    const failure =
      nobody ?? refusal ?? (await Promise.race([bring?.(!request.auto && !request.unasked, told), cancelled]));
    if (stopping.signal.aborted) return tell({ state: 'cancelled', endedAt: clock.now(), notes: [] });
    if (failure !== undefined) return tell({ state: 'failed', endedAt: clock.now(), notes: [], failure });
    // Its time begins when py-spy is there.
    if (last.notes.length > 0) tell({ startedAt: clock.now(), notes: [] });
    const saved = save && !request.auto ? saveSafely({ save, clock, begin: last }) : undefined;
    const outcomes = await Promise.all(pids.map(one));
    const { results, ...judged } = judge(outcomes, stopping.signal.aborted);
    const endedAt = clock.now();
    const kept = await saved?.finish({ ...last, ...judged, endedAt }, results);
    const notes = [...judged.notes, ...(kept?.fault === undefined ? [] : [kept.fault])];
    tell({ ...judged, notes, endedAt, files: kept?.files ?? [] });
  }

  return {
    cancel() {
      stopping.abort();
      for (const process of live) process.cancel();
    },
    abandon() {
      stopping.abort();
      for (const process of live) process.abandon();
    },
    last: () => last,
    // Later: who hears its first Sample may cancel it then.
    over: Promise.resolve().then(perform),
  };
}

const nonblocking = ({ what }: CaptureRequest) => (what === 'native' ? 'a plain dump' : 'a record without blocking');

interface Judged extends Pick<CaptureSample, 'state' | 'notes' | 'samples' | 'errors' | 'failure'> {
  readonly results: readonly CaptureResult[];
}

/** What came of all. An outcome that is not there was not begun. */
function judge(outcomes: readonly (ProcessOutcome | undefined)[], isCancelled: boolean): Judged {
  const begun = outcomes.filter((each) => each !== undefined);
  const results = begun.flatMap((each) => each.results);
  const some = results.length > 0;
  // Beside Python processes the shells, compilers and the like of a run are no failure.
  const others = some ? begun.filter((each) => each.isNotPython) : [];
  const failures = [...new Set(begun.filter((each) => !others.includes(each)).flatMap((each) => each.failure ?? []))];
  const missing = outcomes.length - begun.length;
  const notes = [
    ...begun.flatMap((each) => each.notes),
    ...(others.length > 0 ? [`${others.length} of ${outcomes.length} processes are no Python and were left out`] : []),
    ...(some && missing > 0 ? [`${missing} of ${outcomes.length} processes were not begun when it was ended`] : []),
  ];
  const isPart = missing > 0 || failures.length > 0 || begun.some((each) => each.isPart);
  const state: CaptureState = some ? (isPart ? 'partial' : 'done') : isCancelled ? 'cancelled' : 'failed';
  const figures = results.map((result) => (result.kind === 'profile' ? result : { samples: 1, errors: 0 }));
  return {
    state,
    results,
    notes: [...new Set(notes)],
    ...(some && { samples: sum(figures.map((each) => each.samples)), errors: sum(figures.map((each) => each.errors)) }),
    ...(failures.length > 0 && state !== 'cancelled' && { failure: sentences(failures) }),
  };
}

function sentences(failures: readonly string[]): string {
  const more = failures.length - mostFailures;
  return [...failures.slice(0, mostFailures), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
