import type { State } from './state.ts';

/** A State as JSON, so that a recording can be opened in its middle. What a reader sees of it is the same as of the State. */
export interface SavedState {
  readonly [slice: string]: unknown;
}

/** Logs keep this many lines of a saved state: the rest is in the recording before it. */
const savedLogLines = 200;

/** The state as JSON-safe data. */
export function saveState(state: State): SavedState {
  const { sources, logs, threadNames, ...rest } = state;
  return {
    ...rest,
    sources: [...sources],
    logs: [...logs].map(([path, log]) => {
      const lines = log.lines.slice(-savedLogLines);
      return [path, { ...log, lines, dropped: log.dropped + log.lines.length - lines.length }];
    }),
    threadNames: [...threadNames],
  };
}

/** The State that was saved. */
export function loadState(saved: SavedState): State {
  const { sources, logs, threadNames, ...rest } = saved as {
    readonly sources: Iterable<never>;
    readonly logs: Iterable<never>;
    readonly threadNames: Iterable<never>;
  };
  return {
    ...(rest as unknown as Omit<State, 'sources' | 'logs' | 'threadNames'>),
    sources: new Map(sources),
    logs: new Map(logs),
    threadNames: new Map(threadNames),
  };
}
