import { expect, test } from 'vitest';
import type { LogValues } from '../../../src/model/samples.ts';
import { readNumbers } from '../../../src/ui/panels/log-numbers.ts';

const lifted = (text: string, values: LogValues) =>
  readNumbers({ text, time: 0 }, text, values).map(({ from, to }) => text.slice(from, to));

test('numbers that are no values are only text', () => {
  const text = '[rank3]: 2026-11-30 12:00:05,300 worker 7 of layer3 v1.2: step 5 | loss 2.25 | 300 files in 12:00:05';
  expect(lifted(text, { step: 5, loss: 2.25 })).toEqual(['5', '2.25']);
});

test('each value stands for one number', () => {
  expect(lifted('step 10: 10 of 10', { step: 10 })).toEqual(['10']);
  expect(lifted('step 10: 10 of 10', { step: 10, totalSteps: 10 })).toEqual(['10', '10']);
});

test('units, thousands, decimal commas, durations and percent are seen through', () => {
  const text =
    'tok/s 15.1K, 391.7k tok/s/GPU, 1,234,567 seen, 1099.35 ms, 66.92GiB(47.10%), eta 0:12:33, Verlust 2,5, (ms): 8.05';
  expect(
    lifted(text, {
      tokensPerSecond: 15_100,
      samplesPerSecond: 391_700,
      stepSeconds: 1.09935,
      memoryBytes: 66.92 * 2 ** 30,
      etaSeconds: 753,
      loss: 2.5,
      stages: [{ name: 'x', averageMs: 8.05 }],
      other: { seen: 1_234_567, share: 47.1 },
    }),
  ).toEqual(['15.1K', '391.7k', '1,234,567', '1099.35', '66.92GiB', '47.10%', '0:12:33', '2,5', '8.05']);
});

test('ranges and shares of a capacity are one', () => {
  const queues = [
    { name: 'hs', low: 9, high: 10 },
    { name: 'out', depth: 3, capacity: 64 },
  ];
  expect(lifted('q_hs=[9-10] q_out=3/64 retry 2', { queues })).toEqual(['9-10', '3/64']);
});

test('signs, exponents and what is no number', () => {
  const values = { loss: NaN, gradNorm: Infinity, learningRate: 3e-5, other: { kl: -8.2e-6, zero: 0 } };
  expect(lifted('loss nan gn inf lr 3.00e-05 kl=-8.20e-06 zero: 0.000', values)).toEqual([
    'nan',
    'inf',
    '3.00e-05',
    '-8.20e-06',
    '0.000',
  ]);
  expect(lifted('loss nan gn inf', { step: 1 })).toEqual([]);
});
