import { describe, expect, test } from 'vitest';
import { createSpikeFinder } from '../../../../src/collectors/log/events/loss-spike.ts';
import type { JoinedRecord } from '../../../../src/collectors/log/events/detector.ts';
import type { LogValues } from '../../../../src/model/samples.ts';
import { eventsOf } from './told.ts';

/** A record of figures; its words tell nothing. */
const record = (values: LogValues, text = 'x', rank?: number): JoinedRecord => ({ texts: [text], values, rank });

describe('numbers that are none', () => {
  test.each([
    [{ step: 5, loss: NaN }, 'step 5 loss nan', { kind: 'not_finite', field: 'loss', value: 'NaN' }],
    [{ step: 5, loss: -Infinity }, 'x', { kind: 'not_finite', field: 'loss', value: '-Infinity' }],
    [{ loss: 0, gradNorm: NaN }, 'x', { kind: 'not_finite', field: 'gradNorm', value: 'NaN' }],
    [{ loss: 2 }, 'number of nan iterations:   3 |', { kind: 'not_finite', iterations: 3 }],
    [{ loss: 2 }, 'number of nan iterations:   0 |', undefined],
    // Lightning's bar before the first step.
    [
      { loss: NaN, stepInEpoch: 0, stepsPerEpoch: 9 },
      'Epoch 0:   0%|      | 0/9 [00:00<?, ?it/s, loss=nan]',
      undefined,
    ],
    // What else is not finite, is no matter of the run's health.
    [{ step: 1, loss: 2, other: { step_avg: NaN } }, 'x', undefined],
  ] as const)('%o %s', (values, text, event) => expect(eventsOf(record(values, text))).toEqual([event]));
});

describe('evaluations', () => {
  test('a validation loss is one', () => {
    expect(eventsOf(record({ step: 50, validationLoss: 3.1 }), record({ step: 60, loss: 3 }))).toEqual([
      { kind: 'evaluation', validationLoss: 3.1, step: 50 },
      undefined,
    ]);
  });

  test('one that is printed again with each step is none', () => {
    const at = (step: number, validationLoss: number) => record({ step, loss: 2, validationLoss });
    expect(eventsOf(at(1, 3), at(2, 3), at(3, 2.9), at(4, 2.9)).map((event) => event !== undefined)).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });
});

describe('ends of epochs', () => {
  const bar = (epoch: number, stepInEpoch: number, text: string) =>
    record({ epoch, stepInEpoch, stepsPerEpoch: 10, loss: 2 }, text);

  test('a full bar, once', () => {
    const frames = [bar(0, 9, 'Epoch 0:  90%|'), bar(0, 10, 'Epoch 0: 100%|'), bar(0, 10, 'Epoch 0: 100%|')];
    expect(eventsOf(...frames, bar(1, 1, 'Epoch 1:'), bar(1, 10, 'Epoch 1:'))).toEqual([
      undefined,
      { kind: 'epoch_end', epoch: 0 },
      undefined,
      undefined,
      { kind: 'epoch_end', epoch: 1 },
    ]);
  });

  test('the bars of other loops are none', () => {
    expect(eventsOf(bar(0, 10, 'Validation DataLoader 0 of epoch 0: 100%|'), bar(0, 10, 'ppo_train: 100%|'))).toEqual([
      undefined,
      undefined,
    ]);
  });
});

describe('jumps of the loss', () => {
  /** A loss that falls and scatters as real ones do; the same each time. */
  const usual = (step: number, scatter = 0.05) => 1.8 + 2 / (1 + step / 50) + scatter * Math.sin(step * 12.9898) * 2;
  const jumps = (losses: readonly number[], steps?: readonly number[]) => {
    const finder = createSpikeFinder();
    return losses.flatMap((loss, i) => (finder.take(loss, steps ? steps[i] : i) === undefined ? [] : [i]));
  };
  const series = (length: number, scatter?: number) => Array.from({ length }, (_, i) => usual(i, scatter));

  test('one far above those before, once until it is over', () => {
    const losses = series(200);
    losses.splice(100, 5, 9, 8.5, 7, 6, 5);
    losses[150] = 7;
    expect(jumps(losses)).toEqual([100, 150]);
  });

  test('none where losses scatter, fall, rise slowly, or are few', () => {
    expect(jumps(series(500, 0.4))).toEqual([]);
    expect(jumps(series(500).reverse())).toEqual([]);
    expect(jumps([2, 2.1, 2, 9, 2, 2.1])).toEqual([]);
    expect(jumps(Array.from({ length: 500 }, (_, i) => 1 + 0.9 * Math.sin(i * 78.233) ** 2 * (i % 7)))).toEqual([]);
  });

  test('none of losses that are negative or zero now and then (RL), and of runs with rewards', () => {
    const losses = Array.from({ length: 300 }, (_, i) => 0.02 * Math.sin(i * 3.7));
    losses[200] = 5;
    expect(jumps(losses)).toEqual([]);
    const spiky = Array.from({ length: 60 }, (_, i) => (i === 50 ? 9 : usual(i)));
    const events = eventsOf(...spiky.map((loss, step) => record({ step, loss, other: { reward: 0.5 } })));
    expect(events.filter((event) => event)).toEqual([]);
    const plain = eventsOf(...spiky.map((loss, step) => record({ step, loss })));
    expect(plain.flatMap((event, i) => (event ? [i] : []))).toEqual([50]);
  });

  test('a new level is told once and then the usual one; steps that start again begin anew', () => {
    expect(jumps([...series(100), ...series(100).map((loss) => loss + 6)])).toEqual([100]);
    const steps = Array.from({ length: 160 }, (_, i) => (i < 100 ? i + 400 : i - 100));
    const losses = Array.from({ length: 160 }, (_, i) => (i < 100 ? usual(i + 400) : 10 - i / 100));
    expect(jumps(losses, steps)).toEqual([]);
  });

  test('a bar that tells one loss many times is one loss', () => {
    const steps = Array.from({ length: 400 }, (_, i) => Math.floor(i / 20));
    expect(
      jumps(
        steps.map((step) => (step === 19 ? 9 : 2 + step / 100)),
        steps,
      ),
    ).toEqual([]);
  });
});

test('failures in other words and languages are told with their step', () => {
  expect(
    eventsOf(
      'NCCL collective ALLREDUCE timed out after 600000 ms on rank 3',
      'NCCL timeout set to 1800 s',
      'CUDA out of memory: wanted 1.50 GiB, 0.31 GiB free on GPU 1',
      'エラー: 損失が NaN になりました (ステップ=1437)',
      '損失関数は nan を無視します',
      'iter 1401: loss scale lowered to 16384, gradient overflow, step skipped',
      'チェックポイントを /ckpt/tts/step1300.pt に保存しました',
    ),
  ).toEqual([
    { kind: 'nccl_timeout', rank: 3, timeoutMs: 600000 },
    undefined,
    { kind: 'cuda_oom', gpu: 1, requested: '1.50 GiB' },
    { kind: 'not_finite', field: 'loss', step: 1437 },
    undefined,
    { kind: 'overflow', step: 1401, lossScale: 16384 },
    { kind: 'checkpoint', path: '/ckpt/tts/step1300.pt', step: 1300 },
  ]);
});
