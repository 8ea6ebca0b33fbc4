import type { State } from './state.ts';

/** A State as JSON, so that a recording can be opened in its middle. What a reader sees of it is the same as of the State. */
export interface SavedState {
  readonly [slice: string]: unknown;
}

/** Logs keep this many lines of a saved state: the rest is in the recording before it. */
const savedLogLines = 200;

/** The state as JSON-safe data; `commitDueAt`: when it is to be shown. */
export function saveState(state: State, commitDueAt: number | undefined): SavedState {
  const { sources, logs, threadNames, ...rest } = state;
  return {
    ...rest,
    sources: [...sources],
    logs: [...logs].map(([path, log]) => {
      const lines = log.lines.slice(-savedLogLines);
      return [path, { ...log, lines, dropped: log.dropped + log.lines.length - lines.length }];
    }),
    threadNames: [...threadNames],
    ...(commitDueAt !== undefined && { commitDueAt }),
  };
}

/** The State that was saved. */
export function loadState(saved: SavedState): { readonly state: State; readonly commitDueAt?: number } {
  const { sources, logs, threadNames, commitDueAt, ...rest } = saved as {
    readonly commitDueAt?: number;
    readonly sources: Iterable<never>;
    readonly logs: Iterable<never>;
    readonly threadNames: Iterable<never>;
  };
  const state: State = {
    ...(rest as unknown as Omit<State, 'sources' | 'logs' | 'threadNames'>),
    sources: new Map(sources),
    logs: new Map(logs),
    threadNames: new Map(threadNames),
  };
  return { state, ...(commitDueAt !== undefined && { commitDueAt }) };
}
