import { describe, expect, test } from 'vitest';
import type { GpusSample } from '../../src/model/samples.ts';
import { createRowMaker, waitMs } from '../../src/model/series-rows.ts';
import { createSeriesReader } from '../../src/model/series-values.ts';
import { head } from '../support/made-recording.ts';

describe('rows', () => {
  test('wait for what comes late, and stand after later ones where it came later still', () => {
    const rows = createRowMaker(1000);
    rows.add('a', 5000, 1);
    rows.add('a', 2000, 2);
    expect(rows.done(5000)).toEqual([]);
    rows.add('b', 2900, 3);
    expect(rows.done(5000 + waitMs)).toEqual([{ time: 2000, values: new Map(Object.entries({ a: 2, b: 3 })) }]);
    expect(rows.done(6000 + waitMs).map(({ time }) => time)).toEqual([5000]);
    expect(rows.late()).toBe(0);
    rows.add('a', 3000, 4);
    rows.add('a', 9e15, 5);
    expect(rows.rest().map(({ time }) => time)).toEqual([3000]);
    expect(rows.late()).toBe(1);
  });

  test('of each time at which something was measured', () => {
    const rows = createRowMaker(0);
    rows.add('a', 1001, 1);
    rows.add('a', 1002, 3);
    rows.add('b', 1002, 5);
    expect(rows.rest().map(({ time, values }) => [time, ...values.values()])).toEqual([
      [1001, 1],
      [1002, 3, 5],
    ]);
  });

  test('do not wait for a future without end', () => {
    const rows = createRowMaker(1000);
    for (let n = 0; n <= 100_001; n++) rows.add('a', 1e12 + n * 1000, n);
    expect(rows.done(0)).toHaveLength(100_002);
  });
});

describe('names', () => {
  const gpus = (second: number, uuids: readonly string[]): GpusSample => ({
    ...head('gpus', second, 'gpu'),
    uuid: uuids,
    index: uuids.map((_, index) => index),
    name: uuids.map(() => null),
    powerWatts: uuids.map((_, index) => index),
  });

  test('of two GPUs are never one, though a boot without the first gave its index to the second', () => {
    const reader = createSeriesReader();
    const names: string[] = [];
    for (const sample of [gpus(0, ['GPU-a', 'GPU-b']), gpus(9, ['GPU-b', 'GPU-c']), gpus(10, ['GPU-d'])])
      reader.read(sample, (name) => names.push(name));
    expect(names.map((name) => name.split('/')[1])).toEqual(['0', '1', '1', 'GPU-c', 'GPU-d']);
    expect(reader.about('gpu/1/powerWatts')).toBe('GPU-b');
  });
});
