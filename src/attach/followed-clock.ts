import type { Clock } from '../clock.ts';

/** The clock of a watch, as it is told: its Samples' times are compared with this one. */
export interface FollowedClock extends Clock {
  /** The watch says what time it is there. */
  told(now: number): void;
}

/** So many differences are remembered: the one that was shortest on its way counts. */
const mostDifferences = 30;
/** What is less moves nothing. */
const slackMs = 20;

/** Runs by `clock`, `speed` times as fast, beginning at its time. */
export function createFollowedClock(clock: Clock, speed: number): FollowedClock {
  let anchor = { here: clock.now(), there: clock.now() };
  let differences: number[] = [];
  const now = () => anchor.there + (clock.now() - anchor.here) * speed;
  return {
    now,
    after: (ms, fn) => clock.after(ms / speed, fn),
    every: (ms, fn) => clock.every(ms / speed, fn),
    told(there) {
      const here = clock.now();
      if (speed !== 1) {
        anchor = { here, there };
        return;
      }
      // One of the two was set, or slept: all that was measured before is of no use.
      const newest = differences.at(-1);
      if (newest !== undefined && Math.abs(there - here - newest) > 5000) differences = [];
      differences = [...differences, there - here].slice(-mostDifferences);
      const best = Math.max(...differences);
      if (Math.abs(here + best - now()) > slackMs) anchor = { here, there: here + best };
    },
  };
}
