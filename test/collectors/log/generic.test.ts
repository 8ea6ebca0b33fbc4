import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createGenericReader } from '../../../src/collectors/log/generic.ts';
import type { LogLine, LogValues } from '../../../src/model/samples.ts';
import { readLines } from './read-line.ts';

const host = { utcOffsetMinutes: 0, clockOffsetMs: 0 };
const arrival = Date.UTC(2026, 10, 29, 14, 0, 0);

/** The lines of a fixture, split at LF and CR, that are not empty. */
function linesOf(name: string): readonly LogLine[] {
  const text = readFileSync(new URL(`../../fixtures/log/${name}.log`, import.meta.url), 'utf8');
  return readLines(text.split(/[\r\n]/), { arrival, host, backlog: true });
}
const valuesOf = (name: string) => linesOf(name).flatMap((line) => (line.values ? [line.values] : []));
const read = (text: string) => createGenericReader().read(text);

describe('the generic reader on the shapes of private trainers', () => {
  it('reads fields, units, queues and stages', () => {
    const lines = linesOf('generic_queue');
    expect(lines[0]?.values).toEqual({
      step: 1200,
      totalSteps: 20000,
      loss: 2.3012,
      learningRate: 3e-5,
      tokensPerSecond: 24100,
      queues: [
        { name: 'q_hs', low: 9, high: 10 },
        { name: 'q_out', depth: 3, capacity: 64 },
        { name: 'prefetch', depth: 2 },
      ],
      stages: [
        { name: 'fwd', averageMs: 88, maximumMs: 121 },
        { name: 'bwd', averageMs: 172, maximumMs: 240 },
        { name: 'opt', averageMs: 9.6, maximumMs: 31 },
      ],
    });
    expect(lines[1]).toMatchObject({
      rank: 3,
      values: {
        step: 1200,
        queues: [
          { name: 'queue', depth: 0 },
          { name: 'pending', depth: 17 },
          { name: 'num_requests_waiting', depth: 4 },
          { name: 'wait', waitSeconds: 1.82 },
        ],
      },
    });
  });

  it.each([
    'step 15/10000 loss 3.9528 lr 3.0e-4 tok/s 10015',
    'step: 15 loss: 3.9528 lr: 3.0e-4 tok/s: 10015',
    'step=15 loss=3.9528 lr=3.0e-4 tok/s=10015',
    'step 15 lr 3.0e-4 loss 3.9528 samples/s 12.5 tok/s 10015',
    'tok/s 10015 samples/s 12.5 step: 15 loss 3.9528 lr 3.0e-4',
    'step: 15 loss: 3.9528 learning rate: 3.0e-4 it/s: 2.4 tok/s: 10,015',
    'step 15 lr 3.0e-4 loss 3.9528 10015 tok/s 45 ms',
    'step 15 lr 3.0e-4 loss 3.9528 tps 10015 tok/s 45 ms',
  ])('tells a rate that names what follows from one that is a unit: %s', (text) => {
    expect(read(text)).toMatchObject({ step: 15, loss: 3.9528, learningRate: 3e-4, tokensPerSecond: 10015 });
    if (text.includes('samples')) expect(read(text)).toMatchObject({ samplesPerSecond: 12.5 });
  });

  it('reads the pipeline recorded on an H200', () => {
    const lines = linesOf('h200-pipeline');
    expect(lines[0]?.values).toEqual({
      step: 1,
      loss: NaN,
      gradNorm: NaN,
      learningRate: 6e-4,
      tokensPerSecond: 0,
      queues: [{ name: 'q_hs', low: 0, high: 60 }],
    });
    expect(lines[6]?.values).toMatchObject({ step: 7, loss: 0.003, tokensPerSecond: 305_100 });
    expect(lines[10]?.values).toEqual({
      stages: [{ name: 'drafter.backward', averageMs: 5.08, maximumMs: 793.52, count: 587 }],
    });
    expect(lines.filter((line) => !line.values)).toEqual([]);
  });

  it('reads the situations recorded on an H200', () => {
    expect(valuesOf('situation-queue_full')[0]).toMatchObject({
      step: 5,
      tokensPerSecond: 54_300,
      stepSeconds: 0.151,
      queues: [{ name: 'queue', depth: 16, capacity: 16 }],
    });
    const steps = valuesOf('situation-ddp_healthy').map((values) => values.step);
    expect(steps.every((step, i) => step !== undefined && (i === 0 || step > (steps[i - 1] ?? 0)))).toBe(true);
  });
});

describe('the generic reader on known trainers', () => {
  const cases: readonly [name: string, index: number, values: Partial<LogValues>][] = [
    ['nanogpt', 0, { step: 3000, loss: 4.0391, validationLoss: 4.0428 }],
    ['nanogpt', 2, { step: 2920, loss: 3.9884, stepSeconds: 1.09935, mfuPercent: 15.35 }],
    ['nanogpt', 3, { step: 3010, loss: NaN, stepSeconds: 1.01996, mfuPercent: 14.13 }],
    [
      'torchtitan',
      0,
      {
        step: 14,
        loss: 3.24406,
        gradNorm: 0.831,
        tokensPerSecond: 7282,
        tokensPerSecondScope: 'gpu',
        mfuPercent: 0.18,
      },
    ],
    ['torchtitan_color', 0, { step: 120, loss: 2.9123, tokensPerSecond: 12345, mfuPercent: 41.21 }],
    [
      'megatron',
      0,
      { step: 71, totalSteps: 100, stepSeconds: 5.3616, learningRate: 1.420001e-5, loss: 1.818813, gradNorm: 1.301 },
    ],
    ['megatron', 3, { step: 5426, totalSteps: 250000, stepSeconds: 4.2479, gradNorm: NaN, samplesPerSecond: 1.884 }],
    ['modded_nanogpt', 2, { step: 125, totalSteps: 3375, stepSeconds: 0.44904 }],
    ['litgpt', 0, { step: 1, loss: 1.586, stepSeconds: 0.18135 }],
    ['torchtune', 0, { step: 1, loss: 2.085338592529298, learningRate: 2e-5, tokensPerSecond: 57.828881833956174 }],
    ['hf_trainer', 0, { loss: 1.731, gradNorm: 0.547949492931367, learningRate: 2.7037732088676583e-5, epoch: 1.43 }],
    ['hf_trainer', 2, { step: 10, totalSteps: 1752, etaSeconds: 4921, stepSeconds: 2.84 }],
    ['trl_grpo', 0, { loss: -0.0983, learningRate: 1e-5, epoch: 0.04, stepSeconds: 238.3076013879996 }],
    [
      'axolotl',
      0,
      {
        loss: 4.76,
        gradNorm: 98.5,
        learningRate: 5e-6,
        epoch: 1,
        tokensPerSecond: 4101.36,
        tokensPerSecondScope: 'gpu',
      },
    ],
    ['deepspeed', 0, { step: 40, learningRate: 5e-5 }],
    ['detectron2', 0, { step: 1259, etaSeconds: 29112, loss: 1.013, stepSeconds: 0.3323, learningRate: 0.010001 }],
    [
      'fairseq',
      0,
      { epoch: 1, step: 445, loss: 11.522, tokensPerSecond: 52922, learningRate: 8.9088e-5, gradNorm: 1.544 },
    ],
    ['fairseq', 2, { epoch: 30, step: 11001, loss: 3.737, tokensPerSecond: 1183060 }],
    ['gpt_neox', 0, { samplesPerSecond: 7.79, step: 34, totalSteps: 10000, stepSeconds: 4.1031, loss: 11.18666 }],
    ['maxtext', 2, { step: 10, stepSeconds: 5.656, tokensPerSecond: 8691.115, loss: 10.352 }],
    [
      'mmengine',
      1,
      { step: 510, totalSteps: 2046, etaSeconds: 5137, stepSeconds: 22.5451, loss: 0.691, gradNorm: NaN },
    ],
    ['nemo', 0, { step: 794, epoch: 0, loss: 3.091 }],
    ['nemo', 1, { epoch: 0, step: 120, totalSteps: 149, learningRate: 3e-5, loss: 1.234, stepSeconds: 0.03147 }],
    ['olmo_core', 0, { step: 100, totalSteps: 1000, epoch: 1, etaSeconds: 7380 }],
    ['openrlhf', 0, { step: 12, loss: 0.0123 }],
    ['verl', 0, { step: 2, loss: 0.002, gradNorm: 0.06 }],
    ['lightning', 0, { epoch: 0, loss: 10.073 }],
  ];
  it.each(cases)('%s, reading %i', (name, index, expected) => {
    expect(valuesOf(name)[index]).toMatchObject(expected);
  });

  it('takes the last frames of bars drawn with carriage returns', () => {
    const bars = valuesOf('tqdm_raw');
    expect(bars.filter((values) => values.totalSteps === 40).at(-1)).toMatchObject({
      step: 40,
      loss: 2.81,
      learningRate: 1e-4,
    });
    expect(bars.at(-1)).toMatchObject({ step: 400_000, totalSteps: 3_200_000 });
    expect(bars.at(-1)?.iterationsPerSecond).toBe(6.77e6);
  });

  it('does not take the nested evaluation bar for the training', () => {
    const all = valuesOf('hf_trainer_v5');
    expect(new Set(all.flatMap((values) => values.totalSteps ?? []))).toEqual(new Set([24]));
    expect(all.find((values) => values.loss !== undefined)).toMatchObject({ loss: 3.697, tokensPerSecond: 21_880 });
    expect(all.filter((values) => values.loss === 2.611)).toEqual([]);
  });

  it('says of a validation nothing about the training', () => {
    expect(valuesOf('torchtitan').at(-1)).toEqual({
      step: 50,
      validationLoss: 3.1022,
      memoryBytes: 10_168_335_073,
      other: { tps: 9102, memory_percent: 64.9 },
    });
  });

  it('reads the unknown as absent', () => {
    expect(read('iter 0: loss 10.9870, time 41231.08ms, mfu -100.00%')).not.toHaveProperty('mfuPercent');
    expect(read('step:2 - actor/lr:0.000 - actor/pg_loss:0.002')).not.toHaveProperty('learningRate');
    expect(read('step=105/???, loss=2')).toEqual({ step: 105, loss: 2 });
    expect(read('step:0/1530 step_avg:nanms')).toMatchObject({ step: 0, totalSteps: 1530 });
  });
});

describe('the generic reader on what is no reading', () => {
  it.each(['errors', 'faulthandler', 'h200-fh', 'h200-oom', 'h200-top'])('finds no value in %s', (name) => {
    expect(valuesOf(name)).toEqual([]);
  });

  it('finds only the two steps among the tracebacks of h200-dist', () => {
    expect(valuesOf('h200-dist')).toEqual([{ step: 0 }, { step: 1 }]);
  });

  it.each([
    '2026-11-29 14:22:16,527 server.py:123 listening on 10.0.0.2:29500',
    '[14:22:16] starting worker 3 (pid=4711) on node-0:8080',
    'Saving checkpoint at step 1200 to /data/step_1200.pt',
    'NCCL version 2.21.5+cuda12.4',
    'Setting OMP_NUM_THREADS environment variable for each process to be 1 in default',
    'INFO 08-13 10:20:01 ppo_trainer_async.py:290] queue_size=1',
    '\\        /    Gradient Accumulation steps = 4',
  ])('finds none in %s', (text) => {
    const values = read(text);
    expect({ ...values, other: undefined }).toEqual({ other: undefined });
  });
});

it.each(['q_hs=[21-27]/60', 'q_hs=[21-27] of 60', 'q_hs: [21-27] / 60'])('a range with its capacity: %s', (text) => {
  const { queues } = createGenericReader().read(`step 5/9 | ${text}`) ?? {};
  expect(queues).toEqual([{ name: 'q_hs', low: 21, high: 27, capacity: 60 }]);
});

describe('numbers of no reading', () => {
  it.each([
    'step 5 | loss 2.5 | Number of GPU(s): 8',
    'step 5 | loss 2.5 | layers [0-11]',
    'step 5 | loss 2.5 | GPUs [0-7] ranks=[0-7]',
    'step 5 | loss 2.5 | max_grad_norm=1.0',
    'step 5 | loss 2.5 | q_mean=12.0 q: 5.4',
    'step 5 | loss 2.5 | --queue-size N  size of the queue (default: 64)',
    'step 5 | loss 2.5 | src/ui/queue-graphs.ts | 51',
  ])('%s: how many, which, a limit, a default, a file', (text) => {
    const { other: _, ...values } = read(text) ?? {};
    expect(values).toEqual({ step: 5, loss: 2.5 });
  });

  it('but times in seconds and ranges of queues', () => {
    expect(read('step 5 | loss 2.5 | fwd(s): 0.12 | data time(s): 3 | q_in [9-10]')).toMatchObject({
      queues: [{ name: 'q_in', low: 9, high: 10 }],
      stages: [{ averageMs: 120 }, { averageMs: 3000 }],
    });
  });

  it.each([
    'Generating train split: 87599 examples [00:00, 123456.78 examples/s]',
    '     ━━━━━━━━━━━━╸━━━━━━━━━━━━━━━━━━━━━━━━━━━ 240.1/766.7 MB 45.6 MB/s eta 0:00:12',
    '     ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 12.3/12.3 kB 1.2 kB/s eta 0:00:00',
  ])('%s: what is made or loaded before the training', (text) => {
    expect(readLines([text], { arrival, host, backlog: true })[0]?.values).toBeUndefined();
  });

  it('take a batch alone for its size, and beside a loss for its number', () => {
    for (const text of ['batch: 512', '| batch | 512 |', 'batch=512 lr=3e-4', 'batch: 512, lr: 3e-4'])
      expect(read(text)?.step, text).toBeUndefined();
    for (const text of ['epoch 3 batch 120 loss 2.3', 'Batch 120: loss 2.3', 'batch: 120, loss: 2.3'])
      expect(read(text), text).toMatchObject({ step: 120, loss: 2.3 });
  });
});
