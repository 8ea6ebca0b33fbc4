/**
 * The one source of time. Nothing else in src reads the time or sets a timer, so live, demo, replay and tests can run on
 * clocks of their own. All times are epoch milliseconds.
 */
export interface Clock {
  now(): number;
  /** Runs `fn` once after `ms`; returns its cancel. */
  after(ms: number, fn: () => void): () => void;
  /** Runs `fn` every `ms`; returns its cancel. */
  every(ms: number, fn: () => void): () => void;
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, fn) {
    const timer = setTimeout(fn, ms);
    return () => clearTimeout(timer);
  },
  every(ms, fn) {
    const timer = setInterval(fn, ms);
    return () => clearInterval(timer);
  },
};

/** A clock that runs by another. */
export interface DrivenClock extends Clock {
  /** It stands from now on. */
  stop(): void;
}

/** How often it moves on. */
const turnMs = 10;
/** Of one turn: what this process could not keep up with is left out, so that nothing on the clock takes it for a sleep of the machine. */
const longestTurnMs = 50;
/** Between two steps of a turn there is time for what comes from outside. */
const stepMs = 250;

/**
 * A clock that runs `speed` times as fast as `clock`, or as fast as this process can keep up with. Every timer finds its own due time.
 */
export function createScaledClock(clock: Clock, speed: number): DrivenClock {
  const scaled = createManualClock(clock.now());
  let last = clock.now();
  let left = 0;
  let cancelStep = () => {};
  const step = () => {
    const ms = Math.min(left, stepMs);
    left -= ms;
    scaled.advance(ms);
    if (left > 0) cancelStep = clock.after(0, step);
  };
  const cancelTurns = clock.every(turnMs, () => {
    const now = clock.now();
    const turn = Math.min(longestTurnMs, Math.max(0, now - last));
    last = now;
    // The turn before is not done: it is late already.
    if (left > 0) return;
    left = turn * speed;
    step();
  });
  return {
    now: scaled.now,
    after: scaled.after,
    every: scaled.every,
    stop() {
      left = 0;
      cancelTurns();
      cancelStep();
    },
  };
}

/** A clock that moves only when `advance` is called, running the timers that fall due in order. */
export interface ManualClock extends Clock {
  advance(ms: number): void;
  /** Goes to another time without running anything; what is waited for is waited for as long as before. */
  jump(time: number): void;
  /** When the next timer falls due; undefined: none is set. */
  due(): number | undefined;
}

/** A ManualClock that starts at `start`. */
export function createManualClock(start: number): ManualClock {
  let time = start;
  const timers = new Set<{ due: number; period?: number; fn: () => void }>();
  const add = (timer: { due: number; period?: number; fn: () => void }) => {
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  return {
    now: () => time,
    after: (ms, fn) => add({ due: time + ms, fn }),
    every: (ms, fn) => add({ due: time + ms, period: ms, fn }),
    advance(ms) {
      const end = time + ms;
      for (;;) {
        const next = [...timers].filter((t) => t.due <= end).sort((a, b) => a.due - b.due)[0];
        if (!next) break;
        time = Math.max(time, next.due);
        if (next.period === undefined) timers.delete(next);
        else next.due += next.period;
        next.fn();
      }
      time = end;
    },
    due: () => (timers.size === 0 ? undefined : Math.min(...[...timers].map((timer) => timer.due))),
    jump(to) {
      for (const timer of timers) timer.due += to - time;
      time = to;
    },
  };
}
