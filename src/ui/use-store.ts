import { useSyncExternalStore } from 'react';
import type { State, Store } from '../model/store.ts';

/** A slice of the committed state; the component renders again only when the slice changed identity. */
export function useStore<T>(store: Store, select: (state: State) => T): T {
  return useSyncExternalStore(store.subscribe, () => select(store.getState()));
}
