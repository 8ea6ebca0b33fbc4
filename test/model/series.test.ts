import { describe, expect, test } from 'vitest';
import { createSeries } from '../../src/model/series.ts';

describe('createSeries', () => {
  test('gives means of equal slices, and null where nothing was measured', () => {
    const series = createSeries();
    for (const [time, value] of [
      [1000, 10],
      [1500, 20],
      [3000, 40],
    ] as const)
      series.add(time, value);
    expect(series.buckets(500, 4500, 4)).toEqual([15, null, 40, null]);
  });

  test('an entry at the start of the window belongs to the one before', () => {
    const series = createSeries();
    series.add(1000, 10);
    series.add(2000, 20);
    expect(series.buckets(1000, 2000, 1)).toEqual([20]);
  });

  test('keeps the newest entries', () => {
    const series = createSeries(3);
    for (let i = 1; i <= 5; i++) series.add(i * 1000, i);
    expect(series.summary()).toEqual({ minimum: 3, mean: 4, maximum: 5, count: 3 });
    expect(series.last()).toEqual({ time: 5000, value: 5 });
  });

  test('non-finite values are kept as last, and are no part of means', () => {
    const series = createSeries();
    series.add(1000, 2);
    series.add(2000, NaN);
    expect(series.last()?.value).toBeNaN();
    expect(series.summary()).toMatchObject({ mean: 2, count: 1 });
    expect(series.buckets(0, 2000, 2)).toEqual([2, null]);
  });

  test('an empty one has nothing', () => {
    const series = createSeries();
    expect(series.last()).toBeUndefined();
    expect(series.summary()).toBeUndefined();
    expect(series.buckets(0, 10, 2)).toEqual([null, null]);
  });
});
