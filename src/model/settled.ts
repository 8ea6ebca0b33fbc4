import type { Clock } from '../clock.ts';
import { isLogSource } from './log-sources.ts';
import type { State, Store } from './store.ts';

interface Init {
  readonly store: Store;
  readonly clock: Clock;
  /** A certain run is wanted, or nothing. */
  readonly asked: boolean;
  readonly patienceMs: number;
  /** Nobody waits any more. */
  readonly signal?: AbortSignal | undefined;
}

/** Resolves after two ticks of everything that ticks and a first word of all else, or when nobody would wait longer. */
export function settled({ asked, ...init }: Init): Promise<void> {
  let before: State['logs'] | undefined;
  // What stood in a log comes in pieces: it is over when a commit brings no more of it, or what is new.
  const areRead = (logs: State['logs']) => {
    const same = logs === before;
    before = logs;
    return same || [...logs.values()].every(({ backlog }) => backlog !== true);
  };
  return until({ ...init, isDone: (state) => isComplete(state, asked) && areRead(state.logs) });
}

/** Resolves when the state is as wanted, or after `patienceMs`. */
export function until({
  store,
  clock,
  isDone,
  patienceMs,
  signal,
}: Omit<Init, 'asked'> & { readonly isDone: (state: State) => boolean }): Promise<void> {
  return new Promise<void>((resolve) => {
    const done = () => {
      giveUp();
      unsubscribe();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const giveUp = clock.after(patienceMs, done);
    const unsubscribe = store.subscribe(() => void (isDone(store.getState()) && done()));
    signal?.addEventListener('abort', done);
    if (signal?.aborted || isDone(store.getState())) done();
  });
}

/** Two ticks of everything that ticks, and a first word of all else. `asked`: a certain run is wanted, or nothing. */
function isComplete(state: State, asked: boolean): boolean {
  const phase = state.run?.phase;
  if (state.sources.get('processes')?.status === 'off') return true;
  if (phase === undefined) return false;
  if (phase === 'choosing' || (asked && phase !== 'running')) return true;
  const settled = (source: string, has: boolean) => {
    const status = state.sources.get(source)?.status;
    return has || status === 'failed' || status === 'off';
  };
  const runs = phase === 'running';
  return (
    (!runs || settled('threads', state.threads?.intervalSeconds !== undefined)) &&
    settled('gpu', state.gpus !== undefined) &&
    settled('host', state.host?.busyPercent !== undefined) &&
    logsSettled(state, runs)
  );
}

/** All of them: of two logs that were named, one may be missing. */
function logsSettled({ sources }: State, runs: boolean): boolean {
  const logs = [...sources].filter(([source]) => isLogSource(source));
  return (
    (!runs || logs.length > 0) &&
    logs.every(([, { status, lastAt }]) => lastAt !== undefined || status === 'failed' || status === 'off')
  );
}
