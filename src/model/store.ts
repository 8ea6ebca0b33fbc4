import type { Clock } from '../clock.ts';
import { createHistory, type History } from './history.ts';
import type { Run } from './run.ts';
import type { Sample } from './samples.ts';
import { loadState, saveState, type SavedState } from './saved-state.ts';
import { emptyState, isFirst, reduceState, takeLog, withoutRun, type State } from './state.ts';

export type { LogTail, SourceView, State } from './state.ts';

/** Takes Samples in, commits at most once an interval, tells who listens. */
export interface Store {
  push(sample: Sample): void;
  getState(): State;
  subscribe(listener: () => void): () => void;
  readonly history: History;
  /** Tells nobody of commits until the returned function is called, which tells of all of them at once. */
  hold(): () => void;
  /** Everything that was taken in, for `restore`. */
  save(): SavedState;
  /** Forgets all, or goes on from what was saved: the same commits follow at the same times. */
  restore(saved?: SavedState): void;
  /** Commits, for the tests and the bench. */
  readonly commits: () => number;
  stop(): void;
}

/** Frames of several sources come within this time of one another: they share a commit. */
const gatherMs = 30;
/** Stands among Samples where another run is watched from then on. */
const runOver = 'run over';
/** What the user asked for, or waits for. */
const atOnce: ReadonlySet<Sample['kind']> = new Set([
  ...(['stacks', 'capture', 'profile', 'run', 'interval'] as const),
  ...(['mark', 'alarm', 'mute', 'blackBox'] as const),
]);
/** The log, which a user reads along; nobody reads a flood, and each commit may stand in a key's way. */
const isReadAlong = (sample: Sample) => sample.kind === 'log' && sample.unreadLines === undefined;
/** How often ages are shown anew while nothing comes. */
const agingMs = 1000;
/** Further ahead nothing is waited for. */
const longestWaitMs = 3_600_000;

/** An empty store that commits every `intervalMs`, by `clock`. */
export function createStore(clock: Clock, intervalMs: number): Store {
  let interval = intervalMs;
  let pending = emptyState(clock.now());
  let committed = pending;
  let lastRun: Run | undefined;
  let commits = 0;
  let dueAt: number | undefined;
  let cancelDue = () => {};
  const listeners = new Set<() => void>();
  const history = createHistory();
  /** Taken in, and of no commit yet: a graph that is drawn anew between two commits is the same. */
  let fresh: (Sample | typeof runOver)[] = [];
  let holds = 0;
  let untold = false;
  let isStopped = false;

  function tell() {
    untold = holds > 0;
    if (!untold) for (const listener of listeners) listener();
  }

  function remember() {
    const samples = fresh;
    fresh = [];
    for (const sample of samples) {
      if (sample === runOver) history.forgetRun();
      else history.add(sample);
    }
  }

  function commit() {
    cancelDue();
    dueAt = undefined;
    remember();
    pending = { ...pending, committedAt: clock.now() };
    committed = pending;
    commits++;
    // Ages on the screen grow also when nothing comes any more. By the commit, not by a timer of its own: a recording has the same.
    if (isAging(pending)) schedule(agingMs);
    awaitMutes();
    tell();
  }

  /** What is muted no more is seen then, though nothing comes. */
  function awaitMutes() {
    const now = clock.now();
    let first = Infinity;
    for (const { until = -Infinity } of pending.mutes)
      if (until > committed.committedAt) first = Math.min(first, until);
    if (first <= now + longestWaitMs && (dueAt === undefined || dueAt > first)) scheduleAt(first);
  }

  /** A frame waits for its interval; the log for half of it. */
  function schedule(gap: number) {
    const now = clock.now();
    // The last commit lies in the future when the clock of this machine was set back: then nothing is waited for.
    const since = committed.committedAt > now ? gap : now - committed.committedAt;
    const due = now + Math.max(gatherMs, gap - since);
    if (dueAt === undefined || dueAt > due) scheduleAt(due);
  }

  function scheduleAt(due: number) {
    if (isStopped) return;
    cancelDue();
    dueAt = due;
    cancelDue = clock.after(due - clock.now(), commit);
  }

  return {
    push(sample) {
      const next = sample.kind === 'run' ? sample.run : undefined;
      if (next) {
        if (lastRun && lastRun.id !== next.id) {
          pending = withoutRun(pending, { last: lastRun, next });
          fresh.push(runOver);
        }
        lastRun = next;
      }
      if (sample.kind !== 'log') fresh.push(sample);
      if (sample.kind === 'interval') interval = sample.intervalMs;
      const first = isFirst(pending, sample);
      if (sample.kind === 'log') {
        const taken = takeLog(pending, sample);
        pending = taken.state;
        // Ranks and logs that tell the same are one in the history.
        fresh.push(taken.counted);
      } else pending = reduceState(pending, sample);
      // A link that is lost and back within a frame has been lost all the same.
      const linkChanged =
        sample.kind === 'link' &&
        (sample.state !== committed.link?.state || sample.silentSince !== committed.link.silentSince);
      if (first || linkChanged || atOnce.has(sample.kind)) schedule(0);
      else schedule(isReadAlong(sample) ? interval / 2 : isAging(pending) ? Math.min(agingMs, interval) : interval);
    },
    getState: () => committed,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    history,
    hold() {
      holds++;
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        if (--holds === 0 && untold) tell();
      };
    },
    save() {
      remember();
      return saveState({
        state: pending,
        ...(dueAt !== undefined && { commitDueAt: dueAt }),
        ...(lastRun && { lastRun }),
        history: history.save(),
      });
    },
    restore(saved) {
      cancelDue();
      dueAt = undefined;
      const content = saved && loadState(saved);
      committed = pending = content?.state ?? emptyState(clock.now());
      lastRun = content?.lastRun;
      interval = pending.interval?.intervalMs ?? intervalMs;
      fresh = [];
      history.restore(content?.history);
      // The next commit comes when it came then: the same moments are shown.
      const due = content?.commitDueAt;
      if (due !== undefined) scheduleAt(Math.min(Math.max(clock.now(), due), clock.now() + interval));
      else if (isAging(pending)) schedule(agingMs);
      awaitMutes();
      tell();
    },
    commits: () => commits,
    stop() {
      isStopped = true;
      cancelDue();
    },
  };
}

/** What is shown gets older, and is not replaced. */
function isAging({ link, sources }: State): boolean {
  return (
    link?.state !== 'up' || link.silentSince !== undefined || [...sources.values()].some((s) => s.status === 'stale')
  );
}
