import { expect, test } from 'vitest';
import { createTimedRows, type TimedRows } from '../../../../src/model/diagnosis/gather/timed-rows.ts';

const read = (rows: TimedRows, from = -Infinity, to = Infinity) => {
  const found: (readonly number[])[] = [];
  rows.each({ from, to }, (row, time) => found.push([time, row(0), row(1)]));
  return found;
};

test('the newest rows are kept, oldest first, while it grows and when it is full', () => {
  const rows = createTimedRows({ columns: 2, most: 50 });
  for (let time = 1; time <= 130; time++) {
    rows.add(time, [time * 2, null]);
    const from = Math.max(1, time - 49);
    expect(read(rows).map(([at]) => at)).toEqual(Array.from({ length: time - from + 1 }, (_, i) => from + i));
  }
  expect(read(rows, 100, 101)).toEqual([
    [100, 200, NaN],
    [101, 202, NaN],
  ]);
  expect(rows.lastAt()).toBe(130);
});

test('rows that come too often are left out, and a clock that was set back drops what is later', () => {
  const rows = createTimedRows({ columns: 1, most: 50, leastGapMs: 90 });
  for (let time = 0; time < 1000; time += 20) rows.add(time, [time]);
  expect(read(rows).map(([at]) => at)).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900]);
  rows.add(450, [1]);
  expect(read(rows).map(([at]) => at)).toEqual([450]);
  rows.clear();
  expect(rows.lastAt()).toBeUndefined();
});
