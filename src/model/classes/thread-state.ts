import type { ProfileSample, ProfileThread } from '../capture-samples.ts';
import type { History } from '../history.ts';
import type { CaptureResult, StacksSample } from '../samples.ts';
import { seriesName } from '../series-names.ts';
import type { State } from '../state.ts';
import { waitOf } from '../waits/thread-wait.ts';
import { waitWord } from '../waits/wait-word.ts';

/** What is known of threads beside their stacks. */
export interface ThreadEvidence {
  readonly state: Pick<State, 'waits' | 'threads' | 'results'>;
  readonly history: Pick<History, 'get'>;
}

/** A thread that has not run for so long does not ask for the GIL: who does wakes every 5 ms. */
const stillSeconds = 1;
/** The share of the GIL that was measured so long ago is of another time. */
const gilAgeMs = 600_000;

/**
 * Adds to what a capture found what the other collectors knew of its threads then: one that had not run for a while, and in which call; how
 * much CPU it used during a record; how much of the GIL it had.
 */
export function withThreadState(result: CaptureResult, evidence: ThreadEvidence): CaptureResult {
  return result.kind === 'stacks' ? dumpWithState(result, evidence) : profileWithState(result, evidence);
}

function dumpWithState(dump: StacksSample, evidence: ThreadEvidence): StacksSample {
  const threads = dump.threads.map((thread) => {
    const stillIn = stillInOf(evidence, { pid: dump.pid, tid: thread.tid, seconds: stillSeconds });
    return stillIn === undefined ? thread : { ...thread, stillIn };
  });
  return { ...dump, threads };
}

function profileWithState(profile: ProfileSample, evidence: ThreadEvidence): ProfileSample {
  const { pid, seconds, what, time } = profile;
  const threads = profile.threads.map((thread): ProfileThread => {
    const { tid } = thread;
    if (tid === undefined) return thread;
    const stillIn = stillInOf(evidence, { pid, tid, seconds: Math.max(stillSeconds, seconds) });
    const cpuShare = what === 'record' ? cpuShareOf(evidence, { pid, tid, from: time - seconds * 1000 }) : undefined;
    const gilShare = what === 'record' ? gilShareOf(evidence, { pid, tid, time }) : undefined;
    return {
      ...thread,
      ...(stillIn !== undefined && { stillIn }),
      ...(cpuShare !== undefined && { cpuShare }),
      ...(gilShare !== undefined && { gilShare }),
    };
  });
  return { ...profile, threads };
}

interface Asked {
  readonly pid: number;
  readonly tid: number | undefined;
}

function stillInOf({ state }: ThreadEvidence, { pid, tid, seconds }: Asked & { readonly seconds: number }) {
  const wait = tid === undefined ? undefined : waitOf(state.waits, { pid, tid });
  if (!wait || (wait.seconds ?? 0) < seconds) return undefined;
  return waitWord(wait.call, wait.where) ?? 'asleep';
}

/** The mean since a time. A thread that never did more than next to nothing has no history. */
function cpuShareOf({ state, history }: ThreadEvidence, { pid, tid, from }: Asked & { readonly from: number }) {
  if (tid === undefined) return undefined;
  const used = history.get(seriesName.thread(pid, tid))?.summary(from);
  if (used) return Math.min(1, used.mean / 100);
  const isKnown = state.threads?.tid.some((each, row) => each === tid && state.threads?.pid[row] === pid);
  return isKnown ? 0 : undefined;
}

/** By the newest capture of who held the GIL. */
function gilShareOf({ state }: ThreadEvidence, { pid, tid, time }: Asked & { readonly time: number }) {
  const gil = state.results.find(
    (result): result is ProfileSample =>
      result.kind === 'profile' && result.what === 'gil' && result.pid === pid && time - result.time < gilAgeMs,
  );
  if (!gil || gil.samples <= 0) return undefined;
  const held = gil.stacks.filter(({ thread }) => gil.threads[thread]?.tid === tid);
  return Math.min(1, held.reduce((sum, { count }) => sum + count, 0) / gil.samples);
}
