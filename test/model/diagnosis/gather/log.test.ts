import { describe, expect, test } from 'vitest';
import type { FileKind } from '../../../../src/import/files.ts';
import { createLogGatherer } from '../../../../src/model/diagnosis/gather/log.ts';
import type { Sample } from '../../../../src/model/samples.ts';
import { head, start } from '../../made.ts';
import { fed } from './asked.ts';
import { printed, steps, toldAt, type Printed } from './log-told.ts';
import { samplesOf } from './saved.ts';

const onlyLog: readonly FileKind[] = ['top', 'nvidia-smi', 'dmon', 'stat'];
const ratioAt = (second: number, samples: readonly Sample[]) => toldAt(second, samples).silenceRatio;

describe('progress', () => {
  test('of a captured hang ends with its last step, though its stamps are of three seconds only', async () => {
    const samples = await samplesOf('nccl_hang', onlyLog);
    const last = samples.filter(({ kind }) => kind === 'log').at(-1)?.receivedAt ?? 0;
    const hanging = [...samples, { kind: 'interval', ...head(last + 4000, 'x'), intervalMs: 1000 } as const];
    expect(fed(createLogGatherer(), hanging).values(0)).toMatchObject({ silence: 4, silenceRatio: 4, steps: 12 });
  });

  test('is a step that grew: not one that a rank is stuck at, nor one told again', () => {
    const stuck: Printed = [
      [31, '[rank1] step 31 stuck in all_reduce'],
      [41, '[rank1] step 31 stuck in all_reduce'],
      [51, 'step 31'],
    ];
    expect(toldAt(60, printed([...steps(0, 30), ...stuck]))).toMatchObject({ silence: 30, steps: 31, progress: 0 });
  });

  test('is a lower step too, where the run begins anew from a checkpoint', () => {
    const again: Printed = [
      [40, 'step 12 | loss 2.4'],
      [41, 'step 13 | loss 2.4'],
    ];
    expect(toldAt(42, printed([...steps(0, 30), ...again]))).toMatchObject({ silence: 1, steps: 33 });
  });

  test('is counted once where two logs tell it, and follows the one that goes on', () => {
    const copy = printed(steps(0, 20), { source: 'log:2' });
    expect(toldAt(20, [...printed(steps(0, 20)), ...copy])).toMatchObject({ steps: 21 });
    const next = printed([[21, 'step 22 | loss 2.3'], ...steps(22, 24)], { source: 'log:3' });
    expect(toldAt(24, [...printed(steps(0, 20)), ...next]).silence).toBe(0);
  });

  test('of a file without stamps is as old as the file', () => {
    const samples = printed(steps(0, 30), { backlogAt: 0, undated: true });
    expect(toldAt(60, samples)).toMatchObject({ silence: 60, steps: 0 });
    expect(ratioAt(60, samples)).toBeUndefined();
  });

  test('is not told before all that stood in the file is here', () => {
    const [first, ...others] = [steps(-600, -300), steps(-299, 0)].map((part) => printed(part, { backlogAt: 0 }));
    expect(toldAt(0, first ?? []).silence).toBeUndefined();
    expect(toldAt(4, [...(first ?? []), ...others.flat()]).silence).toBe(4);
  });

  test('is not known while the link is lost, and until what was written then is here', () => {
    const link = (second: number, state: 'up' | 'lost') =>
      ({ kind: 'link', ...head(start + second * 1000, 'link'), state }) as const;
    const samples = [link(0, 'up'), ...printed(steps(1, 20)), link(22, 'lost'), link(62, 'up')];
    expect(toldAt(30, samples).silence).toBeUndefined();
    expect(toldAt(63, samples).silence).toBeUndefined();
    const missed = printed(steps(21, 62), { backlogAt: 62 });
    expect(toldAt(70, [...samples, ...missed])).toMatchObject({ silence: 8, silenceRatio: 8 });
    expect(toldAt(70, samples)).toMatchObject({ silence: 50 });
  });

  test('is not known where the log cannot be read', () => {
    const failed = { kind: 'source', ...head(start + 25_000, 'log'), status: 'failed' } as const;
    expect(toldAt(60, [...printed(steps(0, 20)), failed]).silence).toBeUndefined();
  });

  test('is nothing where no log was read, and none where one was', () => {
    expect(toldAt(10, [])).toEqual({});
    expect(toldAt(10, printed([[1, 'a line']]))).toMatchObject({ steps: 0, progress: 0 });
  });
});

describe('the usual pause', () => {
  test('is not known before there were some', () => {
    const samples = printed(steps(0, 20, 10));
    expect(toldAt(50, samples)).toMatchObject({ silence: 30 });
    expect(ratioAt(50, samples)).toBeUndefined();
    expect(ratioAt(70, printed(steps(0, 30, 10)))).toBe(4);
  });

  test('is that between the bursts of a buffer, whatever the stamps of its lines', () => {
    const bursts = printed(steps(0, 600, 2), { everySeconds: 60 });
    expect(ratioAt(658, bursts)).toBeLessThan(1);
    expect(ratioAt(840, bursts)).toBe(4);
  });

  test('is not taken from stamps alone at once: the log may come through a buffer', () => {
    const backlog = printed(steps(-600, 0, 2), { backlogAt: 0 });
    expect(toldAt(10, backlog).silence).toBe(10);
    expect(ratioAt(10, backlog)).toBeUndefined();
    expect(ratioAt(120, backlog)).toBe(60);
  });

  test('has in it what came three times, and not what came once', () => {
    const stalls = (...at: readonly number[]): Printed =>
      steps(0, 1000).filter(([second]) => !at.some((stall) => second > stall && second < stall + 40));
    expect(ratioAt(1030, printed(stalls(300)))).toBe(30);
    expect(ratioAt(1030, printed(stalls(300, 500, 700)))).toBe(0.75);
  });

  test('grows with steps that have become slow', () => {
    const slow = [...steps(0, 100), ...steps(120, 200, 20).map(([second]) => [second, `step ${second}`] as const)];
    expect(ratioAt(159, printed(slow))).toBeLessThan(1);
  });
});

describe('the time of steps', () => {
  test('is as printed, else by how far they came', () => {
    expect(toldAt(20, printed(steps(0, 20).map(([s, line]) => [s, `${line} | step_time 410ms`]))).stepTime).toBe(0.41);
    expect(toldAt(20, printed(steps(0, 20).map(([s, line]) => [s, `${line} | 4.0 it/s`]))).stepTime).toBe(0.25);
    const tens = Array.from({ length: 20 }, (_, i) => [i * 3, `step ${i * 10} | loss 2.1`] as const);
    expect(toldAt(57, printed(tens)).stepTime).toBeCloseTo(0.3, 5);
  });

  test('is held against that before the window, not against the first steps', () => {
    const timed = (from: number, to: number, ms: number): Printed =>
      steps(from, to).map(([second, line]) => [second, `${line} | step_time ${ms}ms`]);
    const samples = printed([...timed(0, 5, 9000), ...timed(6, 200, 400), ...timed(201, 220, 1200)]);
    expect(toldAt(200, samples).stepSlowdown).toBe(1);
    expect(toldAt(220, samples).stepSlowdown).toBeCloseTo(3, 5);
  });

  test.each([
    [
      '2020-05-08 18:44:23,494 - mmdet - INFO - Epoch [1][1200/7517]  lr: 0.001, time: 0.500, data_time: 0.200, loss: 0.7',
      40,
    ],
    ['[06/12 09:41:00] d2.utils.events: eta: 2:00:00  iter: 20  total_loss: 0.8  time: 0.5000  data_time: 0.0500', 10],
    ['epoch 3 step 7 loss 2.1 step_time=400ms dataloader=600ms', 60],
    ['step: 7 loss: 2.1 profile/fetch_frac=0.35 step_time: 0.4s', 35],
    ['step 7 | loss 2.1 | step 500ms = data 100ms + fwd 150ms + bwd 250ms', 20],
  ])('has in it what goes to data: %s', (line, share) => {
    const told = toldAt(
      9,
      printed(Array.from({ length: 10 }, (_, i) => [i, line.replace(/(?<=step:? |iter: )\d+/, `${i}`)])),
    );
    expect(told.dataShare).toBeCloseTo(share, 0);
  });
});

describe('queues', () => {
  test('are full, or empty, by what they can hold', async () => {
    const samples = await samplesOf('queue_full', onlyLog);
    const last = (samples.at(-1)?.receivedAt ?? start) / 1000 - start / 1000;
    expect(toldAt(last, samples)).toMatchObject({ queueFill: 100, queueFull: 100, queueEmpty: 0 });
  });

  test('have a lowest and a highest, which count alike, and each its own', () => {
    const lines = printed(steps(0, 9).map(([s, line]) => [s, `${line} | in_q 1/16 [0-16] | out_q 8/16 [8-8]`]));
    expect(toldAt(9, lines, 'in_q')).toMatchObject({ queueFull: 50, queueEmpty: 50, queueFill: 50 });
    expect(toldAt(9, lines, 'out_q')).toMatchObject({ queueFull: 0, queueEmpty: 0, queueFill: 50 });
    expect(toldAt(9, lines)).toMatchObject({ queueFull: 50, queueEmpty: 50 });
  });

  test('say nothing where nobody knows what they can hold', () => {
    expect(toldAt(9, printed(steps(0, 9).map(([s, line]) => [s, `${line} | queue=3`])), 'queue')).toEqual({});
  });
});
