import { createManualClock, type Clock } from '../clock.ts';
import type { Sample } from '../model/samples.ts';
import { createStore, type Store } from '../model/store.ts';
import type { Cursor, Recording } from './recording.ts';

/** Plays a recording into a store of its own, on a clock of its own. */
export interface Player {
  readonly store: Store;
  state(): PlayerState;
  subscribe(listener: () => void): () => void;
  play(): void;
  pause(): void;
  /** Times a second of the recording; 1 is as it was. */
  setSpeed(speed: number): void;
  /** Resolves when that moment is shown. */
  seek(time: number): Promise<void>;
  close(): Promise<void>;
}

/** Where a Player is. Times are epoch ms, as they were when it was recorded. */
export interface PlayerState {
  readonly position: number;
  readonly from: number;
  readonly to: number;
  readonly playing: boolean;
  readonly speed: number;
}

/** How often the picture moves on. */
const turnMs = 100;
/** What the panels' graphs look back on. */
const lookBackMs = 600_000;

/** A player that stands at the recording's start; `clock` is the time of who looks on. */
export function createPlayer({ recording, clock }: { readonly recording: Recording; readonly clock: Clock }): Player {
  const tape = createManualClock(recording.from);
  const store = createStore(tape, recording.header.intervalMs);
  const listeners = new Set<() => void>();
  let cursor: Cursor | undefined;
  let waiting: Sample[] = [];
  let state: PlayerState = {
    position: recording.from,
    from: recording.from,
    to: recording.to,
    playing: false,
    speed: 1,
  };
  /** Turns and seeks, one after the other. */
  let queue = Promise.resolve();
  let isBusy = false;

  function change(part: Partial<PlayerState>) {
    state = { ...state, ...part };
    for (const listener of listeners) listener();
  }

  /** Plays what came until `time`. */
  async function advance(time: number) {
    const release = store.hold();
    try {
      for (;;) {
        if (waiting.length === 0) {
          const more = await cursor?.next();
          if (!more) break;
          waiting = [...more];
        }
        const [next] = waiting;
        if (!next) continue;
        if (next.receivedAt > time) break;
        waiting.shift();
        tape.advance(Math.max(0, next.receivedAt - tape.now()));
        store.push(next);
      }
      tape.advance(Math.max(0, time - tape.now()));
    } finally {
      release();
    }
  }

  async function seek(wanted: number) {
    const time = Math.min(recording.to, Math.max(recording.from, wanted));
    const release = store.hold();
    try {
      cursor = await recording.cursor(time - lookBackMs);
      waiting = [];
      tape.jump(cursor.saved?.time ?? recording.from);
      store.restore(cursor.saved?.state);
      await advance(time);
    } finally {
      release();
    }
    change({ position: time });
  }

  const cancel = clock.every(turnMs, () => {
    if (!state.playing || isBusy) return;
    isBusy = true;
    const time = Math.min(state.to, state.position + turnMs * state.speed);
    queue = queue
      .then(() => advance(time))
      .then(() => {
        isBusy = false;
        change({ position: time, ...(time >= state.to && { playing: false }) });
      });
  });

  return {
    store,
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    play: () => change({ playing: true }),
    pause: () => change({ playing: false }),
    setSpeed: (speed) => change({ speed }),
    seek: (time) => (queue = queue.then(() => seek(time))),
    async close() {
      cancel();
      await queue;
      store.stop();
      await recording.close();
    },
  };
}
