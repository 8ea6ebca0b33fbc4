import { describe, expect, test } from 'vitest';
import { createRunGatherer } from '../../../../src/model/diagnosis/gather/run.ts';
import type { ProcessesSample, RunSample, Sample } from '../../../../src/model/samples.ts';
import { head, start, threads } from '../../made.ts';
import { fed } from './asked.ts';

const run = (second: number, phase: RunSample['phase']): RunSample => ({
  kind: 'run',
  ...head(start + second * 1000, 'processes'),
  phase,
  candidates: [],
  run: {
    id: '1:1',
    rootPid: 1,
    processes: [
      { pid: 1, commandLine: [], gpuMinors: [], startTime: start - 60_000 },
      { pid: 2, commandLine: [], gpuMinors: [], startTime: start - 50_000 },
    ],
    outputs: [],
  },
});
const processes = (second: number, states: readonly string[]): ProcessesSample => ({
  kind: 'processes',
  ...head(start + second * 1000, 'processes'),
  pid: states.map((_, i) => i + 1),
  state: states,
  rssBytes: states.map(() => 1),
  threadCount: states.map(() => 1),
  readBytes: states.map(() => 0),
  writtenBytes: states.map(() => 0),
});
const told = (...samples: readonly Sample[]) => fed(createRunGatherer(), samples).values(0);

describe('signals of the run', () => {
  test('tell its age by the process that began it, until it ended', () => {
    expect(told(run(0, 'running'), threads(start + 5000, [1]))).toMatchObject({ runAge: 65 });
    expect(told(run(0, 'running'), run(10, 'ended'), threads(start + 30_000, [1]))).toEqual({ ended: 20 });
    expect(told(threads(start, [1]))).toEqual({});
  });

  test('tell which of its processes are dead or stopped, and no others', () => {
    expect(told(run(0, 'running'), processes(1, ['S', 'Z', 'T']))).toMatchObject({ zombies: 1, stopped: 0 });
    expect(told(run(0, 'running'), processes(1, ['T', 'T', 'Z']))).toMatchObject({ zombies: 0, stopped: 2 });
  });

  test('take the first threads for the processes where nobody told their states', () => {
    const stopped = { ...threads(start + 1000, [1, 1]), state: ['T', 'T'] };
    expect(told(run(0, 'running'), stopped)).toMatchObject({ zombies: 0, stopped: 1 });
  });
});
