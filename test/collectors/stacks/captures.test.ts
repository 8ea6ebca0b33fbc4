import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Runner } from '../../../src/collectors/run.ts';
import { captureOn, localRunner } from '../../support/capture.ts';
import { describeWith, requiredTool } from '../../support/requires.ts';
import { startWorkload, type Workload } from '../../support/workload.ts';

describeWith(['python3', 'py-spy'], 'captures', () => {
  let workload: Workload;
  let runner: Runner;
  beforeAll(async () => {
    workload = await startWorkload({ threads: [{ name: 'target-0', percent: 10 }, { name: 'drafter-1' }] });
    runner = await localRunner({ pySpy: requiredTool('py-spy') });
  });
  afterAll(async () => {
    await runner.stop();
    await workload.stop();
  });

  it('take a dump', async () => {
    const { capture } = await captureOn(runner, { what: 'dump', pids: [workload.pid] });
    expect(capture).toMatchObject({ state: 'done', samples: 1, errors: 0, notes: [], files: [] });
  });
});
