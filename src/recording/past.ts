import type { Clock } from '../clock.ts';
import type { Store } from '../model/store.ts';
import type { Past } from '../model/tape.ts';
import { createPlayer, type Player } from './player.ts';
import type { Recording } from './recording.ts';
import { createView } from './view.ts';

/** A watch with its past, as one store for the screen. */
export interface WithPast {
  readonly past: Past;
  /** What is shown: now, or a moment of the past. */
  readonly store: Store;
  close(): Promise<void>;
}

interface Init {
  readonly live: Store;
  /** What is recorded of it; asked once, and again where it failed. Rejects with a sentence. */
  readonly open: () => Promise<Recording>;
  /** Sees to it that what is known by now is in the recording, in bounded time. Never rejects. */
  readonly flush: () => Promise<void>;
  /** Why nothing is recorded any more: one sentence. */
  readonly lacks?: () => string | undefined;
  /** The time of who looks on. */
  readonly clock: Clock;
}

/** Frames that were seen live, an hour of them: a step back from now goes to one. */
const keptFrames = 3600;
/** Who plays and is so near to now would follow it for ever, as fast as it goes. */
const nowMs = 1500;
/** So long what the last moment needed is kept for the next one. */
const restMs = 60_000;

/** The past of a store whose Samples are recorded. The recording is opened when it is first looked back to, and stays open. */
export function createPast({ live, open, flush, lacks = () => undefined, clock }: Init): WithPast {
  const view = createView(live);
  const listeners = new Set<() => void>();
  let recording: Recording | undefined;
  let player: Player | undefined;
  let isShown = false;
  let leaving: ReturnType<Past['leave']> | undefined;
  /** Who wants to see now takes back what was asked for before. */
  let wish = 0;
  let cancelRest = () => {};
  let frames: number[] = [];
  let seen = live.getState();
  const forget = live.subscribe(() => {
    const state = live.getState();
    if (state.threads !== seen.threads || state.gpus !== seen.gpus) frames.push(state.committedAt);
    if (frames.length > 2 * keptFrames) frames = frames.slice(-keptFrames);
    seen = state;
  });

  function tell() {
    for (const listener of listeners) listener();
  }

  /** True: there is more than was known. */
  async function look(): Promise<boolean> {
    await flush();
    const hasMore = (await recording?.follow()) ?? false;
    if (hasMore) player?.lengthen();
    return hasMore;
  }

  /** Nothing but what is on the live screen comes after it. */
  function isNow(shown: Player): boolean {
    return shown.state().position >= live.getState().committedAt - nowMs;
  }

  async function leave(): ReturnType<Past['leave']> {
    const own = wish;
    try {
      if (recording) await look();
      else {
        await flush();
        recording = await open();
      }
    } catch (error) {
      return { failure: error instanceof Error ? error.message : String(error) };
    }
    if (own !== wish) return { failure: 'You see now.' };
    // Two keys of one moment go on from the same place.
    if (player && (isShown || player.state().seeking !== undefined)) return player;
    void player?.stop();
    cancelRest();
    const made: Player = createPlayer({
      ...{ recording, clock },
      // The newest frame is the one that is on the screen.
      parked: { at: recording.to, frames: frames.slice(0, -1) },
      following: {
        look: async () => !isNow(made) && look(),
        isWritten: async () => true,
        atEnd: () => made === player && toLive(),
      },
      onShow: () => made === player && show(made),
    });
    return (player = made);
  }

  function show(shown: Player) {
    if (isShown) return;
    isShown = true;
    // Who is told of it first finds both the tape and its store.
    view.turnTo(shown.store);
    tell();
  }

  function toLive() {
    wish++;
    leaving = undefined;
    const last = player;
    player = undefined;
    void last?.stop();
    if (!isShown) return;
    isShown = false;
    view.turnTo(live);
    tell();
    cancelRest();
    cancelRest = clock.after(restMs, () => !player && recording?.rest());
  }

  return {
    store: view.store,
    past: {
      tape: () => (isShown ? player : undefined),
      subscribe(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      leave() {
        const own = (leaving ??= leave());
        void own.finally(() => leaving === own && (leaving = undefined));
        return own;
      },
      live: toLive,
      now: live,
      lacks,
    },
    async close() {
      forget();
      cancelRest();
      await leaving;
      const last = player;
      toLive();
      cancelRest();
      await last?.stop();
      await recording?.close();
    },
  };
}
