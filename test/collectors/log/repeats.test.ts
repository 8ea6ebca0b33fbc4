import { expect, it } from 'vitest';
import { createRepeats } from '../../../src/collectors/log/repeats.ts';
import type { LogValues } from '../../../src/model/samples.ts';

function repeated(told: readonly (readonly [number | undefined, LogValues])[]) {
  const repeats = createRepeats();
  return told.map(([rank, values]) => repeats.of(rank, values));
}

it('counts a step once that several ranks tell', () => {
  const values = { step: 14, loss: 3.2 };
  expect(
    repeated([
      [0, values],
      [1, values],
      [2, values],
      [0, { step: 15, loss: 3.1 }],
      [1, { step: 15, loss: 3.1 }],
    ]),
  ).toEqual([undefined, 0, 0, undefined, 0]);
});

it('counts the rank that has a loss (pipeline parallelism), from the next step on without waiting for it', () => {
  const first = (step: number) => [0, { step, loss: -1, tokensPerSecond: 9 }] as const;
  const last = (step: number) => [3, { step, loss: 2.5, tokensPerSecond: 9 }] as const;
  expect(repeated([first(1), last(1), first(2), last(2), first(3), last(3)])).toEqual([
    undefined,
    undefined,
    3,
    undefined,
    3,
    undefined,
  ]);
});

it('takes nothing for a repetition that tells something of its own', () => {
  expect(
    repeated([
      [0, { step: 1, loss: 2 }],
      [3, { step: 1, queues: [{ name: 'q', depth: 0 }] }],
      [3, { step: 1, loss: 2 }],
    ]),
  ).toEqual([undefined, undefined, 0]);
});

it('says nothing of records without a rank or a step', () => {
  expect(
    repeated([
      [undefined, { step: 1, loss: 2 }],
      [1, { loss: 2 }],
      [1, { step: 1, loss: 2 }],
    ]),
  ).toEqual([undefined, undefined, undefined]);
});

it('remembers the newest steps only', () => {
  const repeats = createRepeats();
  for (let step = 0; step < 100; step++) repeats.of(0, { step, loss: 1 });
  expect(repeats.of(1, { step: 0, loss: 1 })).toBeUndefined();
  expect(repeats.of(1, { step: 99, loss: 1 })).toBe(0);
});
