import { describe, expect, it } from 'vitest';
import { createSeries } from '../../../src/model/series.ts';
import { slotsOf, spark } from '../../../src/ui/parts/spark.ts';

const t0 = 1_000_000_000_000;

describe('slotsOf', () => {
  it('holds a value over one empty slot, and leaves a longer gap empty', () => {
    const series = createSeries();
    for (const [second, value] of [
      [0.5, 1],
      [1.4, 2],
      [3.1, 3],
      [7.2, 4],
    ] as const)
      series.add(t0 + second * 1000, value);
    expect(slotsOf(series, { to: t0 + 7300, slotMs: 1000, count: 8 })).toEqual([1, 2, 2, 3, 3, null, null, 4]);
  });

  it('moves by whole slots only', () => {
    const series = createSeries();
    for (let second = 0; second < 60; second++) series.add(t0 + second * 1000 + 300, second);
    const at = (ms: number) => slotsOf(series, { to: t0 + 50_000 + ms, slotMs: 1000, count: 20 });
    expect(at(999)).toEqual(at(1));
    expect(at(1001).slice(0, -1)).toEqual(at(999).slice(1));
  });

  it('takes the held value of its first slot from before the window', () => {
    const series = createSeries();
    series.add(t0 + 500, 5);
    expect(slotsOf(series, { to: t0 + 4000, slotMs: 1000, count: 3, hold: 10 })).toEqual([5, 5, 5]);
  });

  it('holds no value beyond the time at which something came last', () => {
    const series = createSeries();
    series.add(t0 + 500, 5);
    const query = { to: t0 + 6000, slotMs: 1000, count: 6, hold: 10 };
    expect(slotsOf(series, { ...query, heldTo: t0 + 2700 })).toEqual([5, 5, 5, null, null, null]);
  });

  it('is all gaps without a series', () => {
    expect(slotsOf(undefined, { to: t0, slotMs: 1000, count: 3 })).toEqual([null, null, null]);
    expect(slotsOf(createSeries(), { to: t0, slotMs: 1000, count: 2 })).toEqual([null, null]);
    expect(slotsOf(createSeries(), { to: t0, slotMs: 1000, count: 0 })).toEqual([]);
  });
});

describe('spark', () => {
  it('draws two values a cell, a measured minimum as a dot and a gap as nothing', () => {
    const values = [0, 25, 50, 100, null, null, null, 100];
    expect(spark({ values, rows: 1, minimum: 0, maximum: 100 })).toEqual(['⣀⣼ ⢸']);
  });

  it('stacks rows from the base', () => {
    expect(spark({ values: [100, 50, 0, 100], rows: 2, minimum: 0, maximum: 100 })).toEqual(['⡇⢸', '⣿⣸']);
  });

  it('draws a line that does not fall apart', () => {
    expect(spark({ values: [0, 100, 0, 100], rows: 1, minimum: 0, maximum: 100, shape: 'line' })).toEqual(['⡸⡾']);
  });

  it('scales to its values, flat ones at the top', () => {
    expect(spark({ values: [2, 4], rows: 1 })).toEqual(['⣸']);
    expect(spark({ values: [7, 7], rows: 1 })).toEqual(['⣿']);
  });

  it('draws infinite values at the ends and NaN not at all', () => {
    expect(spark({ values: [Infinity, -Infinity, NaN, 1], rows: 1, minimum: 0, maximum: 1 })).toEqual(['⣇⢸']);
  });

  it('has the width of half its values, in each row', () => {
    for (let count = 0; count < 9; count++) {
      const rows = spark({ values: new Array<number>(count).fill(3), rows: 3 });
      expect(rows.map((row) => row.length)).toEqual([1, 1, 1].map(() => Math.ceil(count / 2)));
    }
  });
});
