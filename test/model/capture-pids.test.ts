import { expect, test } from 'vitest';
import { ddpCast } from '../../src/demo/ddp-cast.ts';
import { mainProcess, rankProcesses } from '../../src/model/capture-pids.ts';
import type { Run, RunProcess } from '../../src/model/run.ts';

/** As the collector finds the demo's run: workers have the environment of their rank. */
const run: Run = {
  id: '100:1',
  rootPid: 100,
  outputs: [],
  processes: ddpCast(100).processes.map(
    ({ pid, parentPid, commandLine, executable, gpuMinors, environment }): RunProcess => ({
      ...{ pid, parentPid, commandLine, executable, gpuMinors },
      ...(environment['RANK'] !== undefined && { rank: Number(environment['RANK']) }),
    }),
  ),
};

test('the processes of the ranks are those that train, without their loader workers and the launcher', () => {
  expect(rankProcesses(run).map(({ rank }) => rank)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(rankProcesses(run).every(({ gpuMinors }) => gpuMinors.length === 1)).toBe(true);
  expect(mainProcess(run)?.rank).toBe(0);
});

test('without ranks it is who holds a GPU, else the first Python from the root on', () => {
  const plain = (pid: number, program: string, gpuMinors: readonly number[] = []): RunProcess => ({
    ...{ pid, parentPid: pid - 1, commandLine: [program], gpuMinors },
  });
  const shell = plain(10, '/bin/bash');
  const launcher = plain(11, '/usr/bin/python3');
  const trainer = plain(12, '/usr/bin/python3', [0]);
  const of = (...processes: readonly RunProcess[]): Run => ({ id: '10:1', rootPid: 10, outputs: [], processes });
  expect(mainProcess(of(launcher, shell, trainer))?.pid).toBe(12);
  expect(mainProcess(of(launcher, shell))?.pid).toBe(11);
  expect(mainProcess(of(shell))?.pid).toBe(10);
  expect(rankProcesses(of(shell, trainer))).toEqual([]);
});
