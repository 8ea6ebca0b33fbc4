import { expect, test } from 'vitest';
import { createManualClock, createScaledClock } from '../src/clock.ts';

/** A real machine's clock gives its own time to timers: here both are turned by hand, a turn at a time. */
function scaled(speed: number) {
  const real = createManualClock(1_000_000);
  const fast = createScaledClock(real, speed);
  return {
    fast,
    run(ms: number) {
      for (let at = 0; at < ms; at += 10) {
        real.advance(10);
        real.advance(0);
      }
    },
    real,
  };
}

test.each([0.5, 1, 8, 64])('a scaled clock runs %d times as fast', (speed) => {
  const { fast, run } = scaled(speed);
  run(2000);
  expect((fast.now() - 1_000_000) / 2000).toBeCloseTo(speed, 1);
});

test('its timers find their own due times, whatever the turns', () => {
  const { fast, run } = scaled(64);
  const times: number[] = [];
  const cancel = fast.every(1000, () => times.push(fast.now() - 1_000_000));
  let once = 0;
  fast.after(1500, () => (once = fast.now() - 1_000_000));
  run(100);
  expect(times).toEqual([1000, 2000, 3000, 4000, 5000, 6000]);
  expect(once).toBe(1500);
  cancel();
  run(100);
  expect(times).toHaveLength(6);
});

test('what a process did not keep up with is left out: nothing jumps', () => {
  const { fast, real } = scaled(16);
  const gaps: number[] = [];
  let last = fast.now();
  fast.every(500, () => {
    gaps.push(fast.now() - last);
    last = fast.now();
  });
  // The process was held up for a minute.
  real.jump(real.now() + 60_000);
  for (let at = 0; at < 200; at += 10) real.advance(10);
  expect(gaps.length).toBeGreaterThan(4);
  expect(new Set(gaps)).toEqual(new Set([500]));
  expect(fast.now() - 1_000_000).toBeLessThan(5000);
});

test('it stands when it was stopped', () => {
  const { fast, run } = scaled(8);
  run(100);
  fast.stop();
  const at = fast.now();
  run(100);
  expect(fast.now()).toBe(at);
});
