import type { Clock } from '../clock.ts';
import type { Store } from '../model/store.ts';
import { momentOf, tapeSpeeds, type Tape, type TapeSpan, type TapeState } from '../model/tape.ts';
import { createFollower, type Following } from './follow.ts';
import { sentence, unreadable } from './play-faults.ts';
import type { Recording } from './recording.ts';
import { createScene, held, parkedScene, type Scene } from './scene.ts';
import { createView } from './view.ts';

/** Plays a recording into stores of its own, on clocks of their own. */
export interface Player extends Tape {
  /** What is shown: the same object wherever the tape stands. */
  readonly store: Store;
  /** Takes notice of what the recording has got since. */
  lengthen(): void;
  /** Leaves the recording open. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

interface Init {
  readonly recording: Recording;
  /** The time of who looks on. */
  readonly clock: Clock;
  /** It is still written. */
  readonly following?: Following;
  /** It stands there and shows nothing before it is moved; `frames` were seen before. Absent: before the first Sample. */
  readonly parked?: { readonly at: number; readonly frames: readonly number[] };
  /** A moment is shown, each time. */
  readonly onShow?: () => void;
}

/** How often the picture moves on. */
const turnMs = 100;
/** What the panels' graphs look back on. */
const lookBackMs = 600_000;
/** So far ahead a seek plays on from where it is. */
const nearMs = 120_000;
/** So long a hole that was jumped over is told of. */
const holeToldMs = 3000;
/** Who goes back to an event within this time of the last wants the one before. */
const againMs = 3000;

type GoesOn = () => boolean;

/** A player of a recording. */
export function createPlayer({ recording, clock, following, parked, onShow }: Init): Player {
  const { from } = recording;
  const listeners = new Set<() => void>();
  const follower = createFollower({ recording, clock, following, onChange: lengthen });
  const open = (openAt: number) => createScene({ recording, openAt, clock, isGrowing: follower.isOn });
  let scene = parked ? parkedScene(open(parked.at), parked.frames) : open(from);
  const view = createView(scene.store);
  let state: TapeState = { position: parked?.at ?? from, from, to: recording.to, playing: false, speed: 1 };
  if (following) state = { ...state, growing: true };
  /** Wishes are counted: one that is not the newest ends where it is. */
  let wish = 0;
  /** Turns and wishes, one after the other: a scene has one hand on it. */
  let last = Promise.resolve();
  let isTurning = false;
  let turnedAt = clock.now();
  /** Steps ahead that the wish under way still has to make. */
  let stepsAhead = 0;
  /** Where the steps back under way go to. */
  let stepTo: number | undefined;
  /** The event that was gone to, and where the tape stood then. */
  let gone: { readonly at: number; readonly position: number } | undefined;
  /** The hole that was jumped over last. */
  let jumped: { readonly hole: TapeSpan; readonly toldUntil: number } | undefined;

  function lengthen() {
    change({ to: recording.to, growing: follower.isOn() ? true : undefined });
    // What came last is shown, as at any end.
    if (!follower.isOn() && state.position >= recording.to) void seek(recording.to);
  }

  function change(part: { readonly [K in keyof TapeState]?: TapeState[K] | undefined }) {
    const all = Object.entries({ ...state, ...part }).filter(([, value]) => value !== undefined);
    state = Object.fromEntries(all) as unknown as TapeState;
    for (const listener of listeners) listener();
  }

  function show(there: Scene, position: number) {
    change({ position: clamp(position), hole: holeAt(position), fault: state.fault ?? unreadable(recording) });
    if (there !== scene) {
      scene.store.stop();
      scene = there;
      view.turnTo(there.store);
    }
    onShow?.();
  }

  function holeAt(position: number): TapeSpan | undefined {
    const told = jumped && clock.now() < jumped.toldUntil ? jumped.hole : undefined;
    return recording.holes.find(({ from, to }) => from < position && position < to) ?? told;
  }

  const clamp = (time: number) => Math.min(recording.to, Math.max(from, time));

  /** Makes this the newest wish: it goes to a time, or begins from there. */
  function go(seeking: number, way: (goesOn: GoesOn) => Promise<void>): Promise<void> {
    const own = ++wish;
    const goesOn = () => own === wish;
    stepsAhead = 0;
    stepTo = undefined;
    jumped = undefined;
    change({ seeking });
    return inTurn(async () => {
      if (!goesOn()) return;
      try {
        await way(goesOn);
      } catch (error) {
        if (goesOn()) change({ fault: sentence(error), playing: false });
      }
      if (goesOn()) change({ seeking: undefined });
    });
  }

  const inTurn = (work: () => Promise<void>): Promise<void> => (last = last.then(work));

  /** A scene at that moment: the one that is shown, where it comes there soon. */
  async function reach(time: number, goesOn: GoesOn): Promise<Scene> {
    const ahead = time - scene.time();
    const there = ahead >= 0 && ahead <= nearMs ? scene : open(time - lookBackMs);
    await held(there, () => there.playTo(time, goesOn));
    return there;
  }

  function seek(wanted: number): Promise<void> {
    const time = clamp(wanted);
    return go(time, async (goesOn) => {
      const there = await reach(time, goesOn);
      if (goesOn()) show(there, time);
    });
  }

  function stepAhead(): Promise<void> {
    if (stepsAhead > 0) {
      stepsAhead++;
      return last;
    }
    const base = state.seeking;
    const done = go(base ?? state.position, async (goesOn) => {
      const there = base === undefined ? scene : await reach(base, goesOn);
      while (stepsAhead > 0 && goesOn()) {
        const before = there.frames.at(-1);
        await held(there, () => there.playNext('frame', goesOn));
        const isEnd = goesOn() && follower.isOn() && there.frames.at(-1) === before;
        if (isEnd && (await follower.atEnd())) continue;
        stepsAhead--;
        if (goesOn()) show(there, there.time());
      }
    });
    stepsAhead = 1;
    return done;
  }

  function stepBack(): Promise<void> {
    const base = state.seeking ?? state.position;
    const isKnown = base <= Math.max(state.position, scene.time());
    const known = isKnown ? scene.frames.findLast((time) => time < base) : undefined;
    if (known !== undefined && stepTo !== undefined) {
      stepTo = known;
      change({ seeking: known });
      return last;
    }
    const done = go(known ?? clamp(base - 1), async (goesOn) => {
      stepTo ??= await frameBefore(base, goesOn);
      for (let time = NaN; goesOn() && time !== stepTo;) {
        time = stepTo;
        const there = await reach(time, goesOn);
        // One whose key is held down sees each that is reached.
        if (goesOn()) show(there, time);
      }
      if (goesOn()) stepTo = undefined;
    });
    stepTo = known;
    return done;
  }

  /** Looks back ever further: a host can be without both for hours. */
  async function frameBefore(base: number, goesOn: GoesOn): Promise<number> {
    let end = base - 1;
    for (let backMs = lookBackMs; end > from && goesOn(); backMs *= 2) {
      const before = open(end - backMs);
      await before.playTo(end, goesOn);
      const found = before.frames.at(-1);
      if (found !== undefined) return found;
      end -= backMs;
    }
    return from;
  }

  function toEvent(direction: 1 | -1) {
    const { position, playing, speed, seeking } = state;
    const isNear = gone && position >= gone.position && position - gone.position <= againMs * (playing ? speed : 1);
    const place = scene.time() === -Infinity ? position + 1 : position; // parked: behind all
    const base = seeking ?? (direction === -1 && isNear ? gone?.at : undefined) ?? place;
    const event =
      direction === 1
        ? recording.events.find((each) => momentOf(each) > base)
        : recording.events.findLast((each) => momentOf(each) < base);
    if (!event) return undefined;
    const at = momentOf(event);
    void go(at, async (goesOn) => {
      const there = await reach(at, goesOn);
      // It is on the screen with the next commit.
      await held(there, () => there.playNext('commit', goesOn));
      if (!goesOn()) return;
      show(there, there.time());
      gone = { at, position: state.position };
    });
    return event;
  }

  /** The time that has passed goes by on the tape. */
  function turn() {
    const now = clock.now();
    if (state.hole && !holeAt(state.position)) change({ hole: undefined });
    if (isTurning) return;
    // A machine that was asleep, or too slow, loses time, not the picture.
    const passed = Math.min(3 * turnMs, Math.max(0, now - turnedAt)) * state.speed;
    turnedAt = now;
    const { position, playing, seeking, loop } = state;
    if (!playing || seeking !== undefined) return;
    const end = loop && position <= loop.to ? loop.to : recording.to;
    if (position >= end) {
      if (loop) void seek(loop.from);
      else if (follower.isOn()) void follower.atEnd();
      else change({ playing: false });
      return;
    }
    const hole = recording.holes.find((each) => each.to > position && each.from < position + passed);
    const time = Math.min(end, hole?.to ?? position + passed);
    isTurning = true;
    const own = wish;
    const goesOn = () => own === wish && state.playing;
    void inTurn(async () => {
      try {
        await held(scene, () => scene.playTo(time, goesOn));
        if (own === wish) {
          if (hole) jumped = { hole, toldUntil: clock.now() + holeToldMs };
          show(scene, goesOn() ? time : Math.min(time, Math.max(position, scene.time())));
        }
      } catch (error) {
        if (own === wish) change({ fault: sentence(error), playing: false });
      }
      isTurning = false;
    });
  }

  const cancelTurns = clock.every(turnMs, turn);

  async function stop() {
    wish++;
    cancelTurns();
    follower.stop();
    await last;
    scene.store.stop();
  }

  return {
    store: view.store,
    get events() {
      return recording.events;
    },
    get holes() {
      return recording.holes;
    },
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    play() {
      change({ playing: true });
      if ((state.seeking ?? state.position) >= recording.to && !follower.isOn()) void seek(state.loop?.from ?? from);
    },
    pause: () => change({ playing: false }),
    setSpeed(speed) {
      const by = (one: number) => Math.abs(Math.log(one / speed));
      change({ speed: tapeSpeeds.reduce((best, one) => (by(one) < by(best) ? one : best)) });
    },
    seek,
    step(direction) {
      change({ playing: false });
      return direction === 1 ? stepAhead() : stepBack();
    },
    toEvent,
    setLoop(loop) {
      const span = loop === 'all' ? { from, to: recording.to } : loop && { from: clamp(loop.from), to: clamp(loop.to) };
      change({ loop: span && span.from < span.to ? span : undefined });
    },
    ...{ lengthen, stop },
    async close() {
      await stop();
      await recording.close();
    },
  };
}
