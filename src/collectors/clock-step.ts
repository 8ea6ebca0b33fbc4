import type { Clock } from '../clock.ts';

/** A busy machine may hold a timer up for a while. */
const longestPauseMs = 5000;

/** Calls `fn` when the clock was set, or this machine slept: no second takes that long. Returns its cancel. */
export function onClockStep(clock: Clock, fn: () => void): () => void {
  let last = clock.now();
  return clock.every(1000, () => {
    const now = clock.now();
    const stepMs = now - last - 1000;
    last = now;
    if (Math.abs(stepMs) > longestPauseMs) fn();
  });
}
