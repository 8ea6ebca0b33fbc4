import { describe, expect, test } from 'vitest';
import { createLongSeries, createSeries } from '../../src/model/series.ts';
import { createTier } from '../../src/model/tier.ts';

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

describe('createLongSeries', () => {
  const minute = 60_000;
  const hour = 60 * minute;
  /** A whole day. */
  const day = Date.UTC(2026, 5, 12);

  /** A value each `everyMs` in (day, day + spanMs]. */
  function filled(spanMs: number, everyMs: number, value: (time: number) => number) {
    const series = createLongSeries();
    for (let time = day + everyMs; time <= day + spanMs; time += everyMs) series.add(time, value(time - day));
    return series;
  }

  test.each([500, 1000, 5000, 60_000])(
    'at one value each %i ms no slice is doubled or missing where tiers meet',
    (everyMs) => {
      // Its value is its age in seconds: what a slice must have is known.
      const series = filled(5 * hour, everyMs, (age) => age / 1000);
      const width = 2 * minute;
      const slices = series.slices(day, day + 5 * hour, 150);
      slices.forEach((slot, i) => {
        const [first, last] = [(i * width + everyMs) / 1000, ((i + 1) * width) / 1000];
        expect(slot?.count).toBe(width / everyMs);
        expect(slot).toMatchObject({ minimum: first, maximum: last, nonFinite: 0 });
        expect(slot?.mean).toBeCloseTo((first + last) / 2, 2);
      });
    },
  );

  test('slices that are finer than what is kept show its slot in each of them', () => {
    const series = filled(4 * hour, 1000, (age) => Math.ceil(age / minute));
    const at = (from: number, seconds: number, count: number) =>
      series.buckets(day + from, day + from + seconds * 1000, count);
    expect(at(30 * minute, 120, 8)).toEqual([31, 31, 31, 31, 32, 32, 32, 32]);
    expect(at(3 * hour, 120, 120)).toEqual([...new Array<number>(60).fill(181), ...new Array<number>(60).fill(182)]);
  });

  test('a slot without a value is a gap, and one that is partly filled has its own mean', () => {
    const series = createLongSeries();
    for (let second = 1; second <= 3600; second++) {
      const silent = second > 1200 && second <= 1500;
      if (!silent && second % 60 < 10) series.add(day + second * 1000, 50);
    }
    for (let second = 1; second <= 700; second++) series.add(day + hour + second * 1000, 1);
    const minutes = series.buckets(day, day + hour, 60);
    expect(minutes).toEqual(minutes.map((_, i) => (i >= 20 && i < 25 ? null : 50)));
  });

  test('keeps two hours of 10 s and two days of minutes', () => {
    const series = filled(60 * hour, 10_000, (age) => age / 1000);
    const end = day + 60 * hour;
    const count = (from: number, to: number) => series.slices(end - from, end - to, 1)[0]?.count ?? 0;
    expect(count(48 * hour, 0)).toBe(48 * 360);
    expect(count(60 * hour, 48 * hour)).toBe(0);
    const inMinute = series.buckets(end - 2 * hour + 2 * minute, end - 2 * hour + 3 * minute, 6);
    expect(new Set(inMinute).size).toBe(6);
    expect(new Set(series.buckets(end - 3 * hour, end - 3 * hour + minute, 6)).size).toBe(1);
  });

  test('values that are not finite are counted and are no part of a mean, in every tier', () => {
    const series = filled(3 * hour, 1000, (age) => (age % 2000 === 0 ? NaN : 4));
    for (const from of [0, 2 * hour, 3 * hour - 2 * minute])
      expect(series.slices(day + from, day + from + minute, 1)).toEqual([
        { minimum: 4, mean: 4, maximum: 4, count: 30, nonFinite: 30 },
      ]);
    const none = createLongSeries();
    none.add(day, 1e300);
    expect(none.slices(day - 1000, day, 1)).toMatchObject([{ count: 0, nonFinite: 1 }]);
    expect(none.buckets(day - 1000, day, 1)).toEqual([null]);
  });

  test('values in any order come to the same as in theirs', () => {
    const times = Array.from({ length: 4000 }, (_, i) => day + i * 7321);
    const shuffled = times.map((_, i) => times[(i * 1789) % times.length] ?? 0);
    const [a, b] = [times, shuffled].map((order) => {
      const series = createLongSeries();
      for (const time of order) series.add(time, (time % 1000) / 4);
      return series;
    });
    const counts = (of: typeof a) => of?.slices(day - hour, day + 9 * hour, 60).map((slot) => slot?.count);
    expect(counts(b)).toEqual(counts(a));
    expect(b?.last()).toEqual(a?.last());
  });

  test('a time that is none is left out', () => {
    const series = createLongSeries();
    for (const time of [NaN, Infinity, -Infinity]) series.add(time, 1);
    expect(series.last()).toBeUndefined();
    series.add(day, 1);
    expect(series.buckets(day - 1000, day, 1)).toEqual([1]);
  });
});

describe('createTier', () => {
  test('a clock that leaps and comes back leaves what is in reach', () => {
    const tier = createTier(10, 100);
    for (let n = 1; n <= 500; n++) tier.add(n * 10, n);
    expect(tier.get(5000)?.mean).toBe(500);
    expect(tier.get(4010)?.mean).toBe(401);
    expect(tier.get(4000)).toBeUndefined();
    expect(tier.completeAfter()).toBe(4000);
    tier.add(5900, 1);
    expect(tier.get(5000)?.mean).toBe(500);
    expect(tier.get(4900)).toBeUndefined();
    tier.add(1e9, 2);
    expect(tier.get(5000)).toBeUndefined();
    tier.forgetAfter(5000);
    expect(tier.add(5010, 3)).toBe(true);
    expect(tier.add(4500, 4)).toBe(true);
    expect([tier.get(5010)?.mean, tier.get(4500)?.mean, tier.get(4990)]).toEqual([3, 4, undefined]);
  });
});
