import { useMemo, useSyncExternalStore } from 'react';
import type { State, Store } from '../model/store.ts';
import { initialUi, reduceUi, type UiAction, type UiState } from './ui-state.ts';

/** A slice of the committed state; the component renders again only when the slice changed identity. */
export function useStore<T>(store: Store, select: (state: State) => T): T {
  return useSyncExternalStore(store.subscribe, () => select(store.getState()));
}

/** What a panel waits for: slices of the state, and the sources it tells the state of. */
export interface Wanted {
  readonly slices: readonly (keyof State)[];
  readonly sources: readonly string[];
  /** What else is shown that changes with time alone: an age. */
  readonly also?: (state: State) => unknown;
}

/**
 * The time for which graphs and what is left of a run are drawn: the end of the second. A panel draws the same whichever of the commits
 * of a second it was drawn after, so that a moment of a recording looks as it did.
 */
export function drawnAt({ committedAt }: State): number {
  return Math.ceil(committedAt / 1000) * 1000;
}

/** The committed state as of the last change of what is wanted, or of the second. Ages count too while a source is not live. */
export function useSlices(store: Store, wanted: Wanted): State {
  const snapshot = useMemo(() => keptUntilChanged(store, wanted), [store, wanted]);
  return useSyncExternalStore(store.subscribe, snapshot);
}

function keptUntilChanged(store: Store, { slices, sources, also }: Wanted): () => State {
  let kept = store.getState();
  return () => {
    const now = store.getState();
    const same =
      drawnAt(kept) === drawnAt(now) &&
      slices.every((slice) => kept[slice] === now[slice]) &&
      sources.every((source) => sameSource(kept, now, source)) &&
      also?.(kept) === also?.(now) &&
      kept.link === now.link &&
      kept.run?.phase === now.run?.phase;
    if (!same) kept = now;
    return kept;
  };
}

function sameSource(before: State, now: State, name: string): boolean {
  const [a, b] = [before.sources.get(name), now.sources.get(name)];
  if (a === b) return b === undefined || b.status === 'live' || before.committedAt === now.committedAt;
  return a?.status === 'live' && b?.status === 'live';
}

/** What the user has done to the screen, kept outside of React: two keys of one chunk must see each other. */
export interface UiStore {
  get(): UiState;
  dispatch(action: UiAction): void;
  subscribe(listener: () => void): () => void;
}

/** The screen as it starts; of a recording nothing is chosen. */
export function createUiStore(intervalMs: number, isReplay = false): UiStore {
  let ui = initialUi(intervalMs, isReplay);
  const listeners = new Set<() => void>();
  return {
    get: () => ui,
    dispatch(action) {
      const next = reduceUi(ui, action);
      if (next === ui) return;
      ui = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
