import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { recordsOf } from '../read-records.ts';

/** Logs of `torchrun --tee 3` with two ranks on two H200, from our own runs: one rank out of memory, killed, or asleep. */
async function read(name: string) {
  const log = readFileSync(new URL(`../../../fixtures/log-h200/${name}.log`, import.meta.url), 'utf8');
  const records = await recordsOf(log);
  const events = records.flatMap(({ event, pieces, rank }) =>
    event ? [`${pieces[0]?.line} ${event.kind}${rank === undefined ? '' : ` r${rank}`}`] : [],
  );
  return { records, events };
}

describe('two ranks on two H200', () => {
  it('steps of both ranks are read, each told once', async () => {
    const { records } = await read('kill');
    const steps = records.filter(({ values }) => values?.step !== undefined);
    expect(steps).toHaveLength(30);
    expect(steps.filter(({ repeats }) => repeats !== undefined)).toHaveLength(15);
    for (const { values } of steps) {
      expect(values).toMatchObject({ totalSteps: 2000, learningRate: 3e-4, tokensPerSecondScope: 'gpu' });
      expect(values?.stages?.map(({ name }) => name)).toEqual(['fwd', 'bwd', 'opt']);
      expect(values?.stepSeconds).toBeLessThan(20);
      expect(values?.memoryBytes).toBeCloseTo(2.58 * 2 ** 30, -1);
    }
  });

  it('CUDA out of memory', async () =>
    expect((await read('oom')).events).toEqual([
      '35 traceback r0',
      '39 cuda_oom r0',
      '42 rank_exit',
      '43 traceback',
      '60 torchrun_child_failed',
      '69 rank_exit',
      '78 rank_exit',
    ]));

  it('a rank that is killed', async () =>
    expect((await read('kill')).events).toEqual([
      '36 rank_exit',
      '37 traceback',
      '54 torchrun_child_failed',
      '63 rank_exit',
      '72 rank_exit',
    ]));

  it('a rank that does not come to a collective', async () =>
    expect((await read('hang')).events).toEqual([
      '36 nccl_timeout r0',
      '41 nccl_timeout r1',
      '43 nccl_timeout r0',
      '45 training_end r0',
      '46 dist_backend r0',
      '48 nccl_timeout r0',
      '58 dist_backend r0',
      '59 nccl_timeout r0',
      '77 rank_exit',
      '78 traceback',
      '95 torchrun_child_failed',
      '104 rank_exit',
      '113 rank_exit',
    ]));
});
