import { expect, test } from 'vitest';
import { createFollowedClock } from '../../src/attach/followed-clock.ts';
import { createManualClock } from '../../src/clock.ts';

test('goes by the difference that was shortest on its way', () => {
  const here = createManualClock(1_000_000);
  const clock = createFollowedClock(here, 1);
  // An hour ahead; told 300, 40 and 500 ms late.
  for (const late of [300, 40, 500]) {
    clock.told(here.now() + 3_600_000 - late);
    here.advance(1000);
  }
  expect(clock.now() - here.now()).toBe(3_600_000 - 40);
});

test('follows when one of the clocks is set', () => {
  const here = createManualClock(1_000_000);
  const clock = createFollowedClock(here, 1);
  clock.told(2_000_000);
  here.advance(1000);
  clock.told(1_500_000);
  expect(clock.now()).toBe(1_500_000);
});

test('a played one goes as fast as it does there', () => {
  const here = createManualClock(0);
  const clock = createFollowedClock(here, 10);
  clock.told(5000);
  let ran = 0;
  clock.after(1000, () => (ran = here.now()));
  here.advance(200);
  expect(clock.now()).toBe(7000);
  expect(ran).toBe(100);
});
