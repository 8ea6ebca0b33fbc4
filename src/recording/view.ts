import type { Store } from '../model/store.ts';

/** One store for who looks on, whichever is behind it. */
export interface View {
  readonly store: Store;
  /** Shows another store from now on. */
  turnTo(store: Store): void;
}

/** A view of this store. */
export function createView(first: Store): View {
  let store = first;
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  let leave = store.subscribe(tell);
  return {
    store: {
      push: (sample) => store.push(sample),
      getState: () => store.getState(),
      subscribe(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      get history() {
        return store.history;
      },
      hold: () => store.hold(),
      save: () => store.save(),
      restore: (saved) => store.restore(saved),
      commits: () => store.commits(),
      stop: () => store.stop(),
    },
    turnTo(next) {
      leave();
      store = next;
      leave = store.subscribe(tell);
      tell();
    },
  };
}
