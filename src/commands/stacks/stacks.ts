import { defaultDataFolder } from '../../collectors/stacks/save.ts';
import { processCollector } from '../../collectors/process/collector.ts';
import { threads } from '../../collectors/threads/threads.ts';
import { UsageFault } from '../../config/check-options.ts';
import { parseTarget } from '../../config/target.ts';
import { mainProcess, rankProcesses } from '../../model/capture-pids.ts';
import { endedReason } from '../../model/ended-reason.ts';
import { until } from '../../model/settled.ts';
import type { CaptureResult, CaptureSample, Sample } from '../../model/samples.ts';
import type { State } from '../../model/store.ts';
import type { Recorder } from '../../recording/recorder.ts';
import { asksOnTerminal } from '../ask-on-terminal.ts';
import { openTarget, type OpenTarget } from '../open-target.ts';
import { createSession, type Session } from '../session.ts';
import { exitCodeOf, onEndSignal } from '../signals.ts';
import { createCaptureProgress } from './progress.ts';
import { report } from './report.ts';
import type { StacksWish } from './wish.ts';

/** Longest wait for the run to be found, and for the names of its threads. */
const patienceMs = 15_000;
const namesMs = 3000;

/**
 * Takes one capture and prints it. Resolves with the exit code: 0 when there is a result or a part of one, else 1, or what a shell gives
 * the signal that ended it. Rejects with a TransportFault or a UsageFault.
 */
export async function stacks(wish: StacksWish): Promise<number> {
  const { kind } = parseTarget(wish.options.target);
  if (kind === 'recording') {
    throw new UsageFault(
      `${wish.options.target} is a recording, whose captures are shown by traintop replay; name a host.`,
    );
  }
  let ended: NodeJS.Signals | undefined;
  const early = new AbortController();
  const atOnce = new AbortController();
  // The first signal ends the capture, and what there is is kept; a second one does not wait for that.
  const offSignals = onEndSignal((signal) => {
    if (ended !== undefined) atOnce.abort();
    ended ??= signal;
    early.abort();
  });
  const target = await openTarget(wish.options, asksOnTerminal());
  const found = createFound();
  const session = createSession(wish.options, target.transport, target.clock, () => found.recorder, {
    saveIn: wish.out ?? defaultDataFolder(process.env),
    sources: [processCollector, threads],
    ...(wish.copyPySpy && { confirmCopy: async () => true }),
  });
  try {
    const work = take({ wish, session, target, found, early: early.signal });
    const isOver = await Promise.race([work, whenAborted(atOnce.signal)]);
    return isOver ? 0 : ended === undefined ? 1 : exitCodeOf(ended);
  } finally {
    await session.stop();
    await target.close();
    offSignals();
  }
}

interface Work {
  readonly wish: StacksWish;
  readonly session: Session;
  readonly target: OpenTarget;
  readonly found: Found;
  /** The user does not wait for its end. */
  readonly early: AbortSignal;
}

/** True when there was a result. */
async function take({ wish, session, target, found, early }: Work): Promise<boolean> {
  const { store, clock, runner, captures } = session;
  await runner.start();
  await until({ store, clock, isDone: hasLooked, patienceMs, signal: early });
  if (early.aborted) return false;
  const chosen = choose(store.getState(), wish, target.name);
  if (typeof chosen === 'string') {
    process.stderr.write(`traintop: ${chosen}.\n`);
    return false;
  }
  const { id, over } = captures.start({ ...wish.request, pids: chosen });
  const progress = createCaptureProgress({ of: () => found.capture(id), target: target.name });
  const cancel = () => captures.cancel(id);
  early.addEventListener('abort', cancel);
  await over;
  progress.end();
  const capture = found.capture(id);
  // The kernel's names come with the first frame of threads, which a dump may be faster than.
  if (!early.aborted)
    await until({
      store,
      clock,
      isDone: ({ threads: rows }) => rows !== undefined,
      patienceMs: namesMs,
      signal: early,
    });
  if (!capture) {
    process.stderr.write(`traintop: The connection to ${target.name} went before the capture began.\n`);
    return false;
  }
  return report({ capture, results: found.results(id), state: store.getState(), target, wish });
}

function hasLooked({ run, sources }: State): boolean {
  const status = sources.get('processes')?.status;
  return run !== undefined || status === 'failed' || status === 'off';
}

/** PIDs, or why there are none. */
function choose(
  { run: found, sources }: State,
  { options, allRanks }: StacksWish,
  target: string,
): readonly number[] | string {
  const run = found?.run;
  if (found?.phase === 'choosing') return `Several runs on ${target} fit; choose one with --pid or --match`;
  if (!run || found.phase !== 'running')
    return endedReason(found?.reason ?? sources.get('processes')?.reason ?? `No run was found on ${target}`);
  if (allRanks) {
    const ranks = rankProcesses(run);
    return ranks.length > 0
      ? ranks.map(({ pid }) => pid)
      : 'The run has no ranks (RANK in the environment of its processes); leave --all-ranks out, or name a process with --pid';
  }
  if (options.pid !== undefined) return [options.pid];
  const main = mainProcess(run);
  return main ? [main.pid] : `The run on ${target} has no process that could be read`;
}

/** What was taken, all of it: a store keeps the newest only. */
interface Found {
  readonly recorder: Recorder;
  capture(id: string): CaptureSample | undefined;
  results(id: string): readonly CaptureResult[];
}

function createFound(): Found {
  const captures = new Map<string, CaptureSample>();
  const results: CaptureResult[] = [];
  return {
    recorder: {
      push(sample: Sample) {
        if (sample.kind === 'capture') captures.set(sample.id, sample);
        else if (sample.kind === 'stacks' || sample.kind === 'profile') results.push(sample);
      },
      flush: async () => {},
      close: async () => {},
      state: () => ({ bytes: 0 }),
    },
    capture: (id) => captures.get(id),
    results: (id) => results.filter(({ capture }) => capture === id),
  };
}

function whenAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined)));
}
