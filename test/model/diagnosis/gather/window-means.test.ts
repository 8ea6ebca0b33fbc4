import { expect, test } from 'vitest';
import { createWindowMeans } from '../../../../src/model/diagnosis/gather/window-means.ts';

test('a mean is that of the rows in the window, while it grows and when it is full', () => {
  const means = createWindowMeans({ columns: 2 });
  const values: (number | null)[] = [];
  for (let time = 0; time < 2000; time++) {
    values.push(time % 3 === 0 ? null : (time * 7919) % 101);
    means.add(time, [values[time], 1]);
    if (time % 37 !== 0) continue;
    const [from, to] = [Math.max(0, time - 500), time - 3];
    const told = values.slice(from, to + 1).filter((value) => value !== null);
    const found = means.over({ from, to });
    expect(found.count(0)).toBe(told.length);
    expect(found.count(1)).toBe(Math.max(0, to - from + 1));
    const mean = told.reduce((sum, value) => sum + value, 0) / told.length;
    if (told.length > 0) expect(found.mean(0)).toBeCloseTo(mean, 6);
    else expect(found.mean(0)).toBeNaN();
  }
});

test('rows outside the window are none, but the newest may stand for a source that comes seldom', () => {
  const means = createWindowMeans({ columns: 1 });
  expect(means.over({ from: 0, to: 1000 }).mean(0)).toBeNaN();
  for (const time of [0, 20_000, 40_000]) means.add(time, [time]);
  expect(means.over({ from: 0, to: 20_000 })).toMatchObject({ from: 0, to: 20_000 });
  expect(means.over({ from: 45_000, to: 55_000 }).count(0)).toBe(0);
  expect(means.over({ from: 45_000, to: 55_000, orNewest: true }).mean(0)).toBe(40_000);
  expect(means.over({ from: 10_000, to: 100_000, orNewest: true }).mean(0)).toBe(30_000);
  expect(means.over({ from: 10_000, to: 100_001, orNewest: true }).count(0)).toBe(0);
});

test('rows that come too often are left out, and a clock that was set back begins anew', () => {
  const means = createWindowMeans({ columns: 1, leastGapMs: 90 });
  for (let time = 0; time < 1000; time += 20) means.add(time, [time]);
  expect(means.over({ from: 0, to: 1000 }).count(0)).toBe(10);
  means.add(450, [1]);
  expect(means.over({ from: 0, to: 1000 }).mean(0)).toBe(1);
  means.clear();
  expect(means.lastAt()).toBeUndefined();
});
