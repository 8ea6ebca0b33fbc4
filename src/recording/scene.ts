import { createManualClock, type Clock } from '../clock.ts';
import { createDiagnosis, type Diagnosis } from '../model/diagnosis/engine.ts';
import { createStore, type Store } from '../model/store.ts';
import type { Sample } from '../model/samples.ts';
import type { Cursor, Recording } from './recording.ts';

/** A store that stands at one moment of a recording, and goes on from there on a clock of its own; never back, and one call at a time. */
export interface Scene {
  readonly store: Store;
  /** How far it is. */
  time(): number;
  /** Times of the commits that brought a frame of threads or GPUs since it was opened, the newest of them. */
  readonly frames: readonly number[];
  /** Plays on until `time`. Rejects with what the file says; resolves early when `goesOn` says no. */
  playTo(time: number, goesOn: () => boolean): Promise<void>;
  /** Plays on until the next commit, or the next with a frame of threads or GPUs; at most to the end. */
  playNext(what: 'commit' | 'frame', goesOn: () => boolean): Promise<void>;
}

interface Init {
  readonly recording: Recording;
  /** The scene knows all that was shown from then on; the first keyframe before is where it begins. */
  readonly openAt: number;
  /** The time of who looks on: keys are heard between slices of work. */
  readonly clock: Clock;
  /** More will be written: the end is no end, and what had not been shown then is shown when its time comes. */
  readonly isGrowing?: () => boolean;
}

/** Longest stretch of work between two looks at what else there is to do. */
const sliceMs = 8;
/**
 * Inside a member nothing is silent for longer, unless a clock was set ahead while it was gathered, or its file is hostile: it is jumped
 * over, where walking from one second to the next might never end.
 */
const longestQuietMs = 3_600_000;
/** An hour of steps back. */
const keptFrames = 3600;

/** A scene that stands nowhere and knows these frames: who comes from a live screen goes back from it without any other. */
export function parkedScene(scene: Scene, frames: readonly number[]): Scene {
  return { ...scene, frames, time: () => -Infinity, playTo: async () => {}, playNext: async () => {} };
}

/** A scene before the first Sample; the file is opened when it is first played. */
export function createScene({ recording, openAt, clock, isGrowing = () => false }: Init): Scene {
  const tape = createManualClock(recording.from);
  const store = createStore(tape, recording.header.intervalMs);
  const frames: number[] = [];
  let cursor: Cursor | undefined;
  let batch: readonly Sample[] = [];
  let taken = 0;
  /** Where the end was found. */
  let overAt: number | undefined;
  /** Of a recording that was made before there were verdicts: they are found while it plays. */
  let diagnosis: Diagnosis | undefined;

  let shown = store.getState();

  /** Who plays holds the store, and nobody is told of its commits. */
  function look() {
    const state = store.getState();
    if (state === shown) return;
    if (state.threads !== shown.threads || state.gpus !== shown.gpus) frames.push(state.committedAt);
    if (frames.length > 2 * keptFrames) frames.splice(0, keptFrames);
    shown = state;
  }

  function go(ms: number) {
    tape.advance(Math.max(0, ms));
    look();
  }

  async function open() {
    const begin = await recording.cursor(openAt);
    const { saved } = begin;
    const minutes = saved ? await recording.minutes(saved.time) : [];
    tape.jump(saved?.time ?? recording.from);
    store.restore(saved?.state);
    // What is older than the scene and shown all the same; an hour at a time, two days take as long as fifty keys.
    for (let i = 0; i < minutes.length; i += 60) {
      store.history.addMinutes(minutes.slice(i, i + 60));
      await new Promise(setImmediate);
    }
    shown = store.getState();
    frames.length = 0;
    cursor = begin;
    await read();
    // The first Sample that is judged brings some.
    const hasOwn = saved?.state.verdicts !== undefined || batch.some(({ kind }) => kind === 'verdicts');
    if (!hasOwn) diagnosis = createDiagnosis(store.getState());
  }

  async function read() {
    const more = await cursor?.next();
    if (more) [batch, taken] = [more, 0];
    else overAt = recording.to;
  }

  function take(sample: Sample) {
    store.push(sample);
    for (const verdicts of diagnosis?.find(sample) ?? []) store.push(verdicts);
  }

  /** The next Sample; undefined at the end. */
  async function peek(): Promise<Sample | undefined> {
    if (!cursor) await open();
    while (taken >= batch.length && overAt !== recording.to) await read();
    return batch[taken];
  }

  async function play(until: number, isThere: () => boolean, goesOn: () => boolean) {
    // What was read before is there without a wait: that a batch was waited for is no pause.
    let sliceBegan = clock.now();
    while (goesOn()) {
      const next = taken < batch.length ? batch[taken] : await peek();
      if (!goesOn()) return;
      const time = Math.min(until, next?.receivedAt ?? Infinity);
      if (walk(time, isThere)) return;
      if (next && next.receivedAt <= until) {
        taken++;
        take(next);
      } else {
        if (!next && until >= recording.to && !isGrowing()) settle();
        return;
      }
      if (clock.now() - sliceBegan >= sliceMs) {
        await new Promise(setImmediate);
        sliceBegan = clock.now();
      }
    }
  }

  /** The clock goes on, from commit to commit, and jumps over holes; true where it is there before the time. */
  function walk(time: number, isThere: () => boolean): boolean {
    for (;;) {
      const now = tape.now();
      const quiet = time - now > longestQuietMs ? { from: now, to: time } : undefined;
      const hole = recording.holes.find((each) => each.to > now && each.from < time) ?? quiet;
      const end = hole ? Math.max(now, hole.from) : time;
      const due = Math.min(tape.due() ?? Infinity, end);
      go(due - now);
      if (isThere()) return true;
      if (due < end) continue;
      if (!hole) return false;
      if (end === hole.from) settle();
      if (isThere()) return true;
      if (time < hole.to) return false;
      tape.jump(hole.to);
    }
  }

  /** What came last is shown, though the time in which it would have been was not recorded. */
  function settle() {
    const due = tape.due();
    if (due !== undefined) go(due - tape.now());
  }

  return {
    store,
    time: tape.now,
    frames,
    playTo: (time, goesOn) => play(time, () => false, goesOn),
    playNext(what, goesOn) {
      const before = store.commits();
      const last = frames.at(-1);
      const isThere = () => (what === 'commit' ? store.commits() !== before : frames.at(-1) !== last);
      return play(recording.to, isThere, goesOn);
    },
  };
}

/** Many commits are one picture. */
export async function held({ store }: Scene, work: () => Promise<void>) {
  const release = store.hold();
  try {
    await work();
  } finally {
    release();
  }
}
