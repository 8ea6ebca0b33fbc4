import { describe, expect, it } from 'vitest';
import type { Run, RunProcess } from '../../../src/model/run.ts';
import type { GpuProcessesSample, GpusSample } from '../../../src/model/samples.ts';
import { gpuHolders } from '../../../src/ui/panels/gpu-holders.ts';

const base = { host: 'h', source: 'gpu', time: 0, receivedAt: 0 };
const gpus: GpusSample = {
  ...base,
  kind: 'gpus',
  uuid: ['a', 'b', 'c', 'd'],
  index: [0, 1, 2, 3],
  name: [null, null, null, null],
};
const process = (pid: number, more: Partial<RunProcess> = {}): RunProcess => ({
  pid,
  parentPid: 1,
  commandLine: [],
  gpuMinors: [],
  ...more,
});
const run = (...processes: RunProcess[]): Run => ({ id: '', rootPid: 1, outputs: [], processes });
const held = (...rows: (readonly [uuid: string, pid: number])[]): GpuProcessesSample => ({
  ...base,
  kind: 'gpuProcesses',
  uuid: rows.map(([uuid]) => uuid),
  pid: rows.map(([, pid]) => pid),
  name: rows.map(() => ''),
  memoryBytes: rows.map(() => null),
});
const holders = (run: Run | undefined, processes?: GpuProcessesSample) => gpuHolders({ gpus, run, processes });

describe('who holds a GPU', () => {
  it('by open device files, workers of a rank told once', () => {
    const two = run(
      process(10, { rank: 0, gpuMinors: [0] }),
      process(11, { rank: 0, gpuMinors: [0] }),
      process(20, { rank: 1, gpuMinors: [1] }),
    );
    expect(holders(two)).toEqual(['r0', 'r1', '', '']);
  });

  it('by LOCAL_RANK where every rank has all of them open', () => {
    const all = [0, 1, 2, 3];
    const ranks = all.map((i) => process(10 + i, { rank: 8 + i, localRank: i, gpuMinors: all }));
    expect(holders(run(...ranks))).toEqual(['r8', 'r9', 'r10', 'r11']);
  });

  it('by the device that the driver names, where a container numbers its GPUs anew', () => {
    const two = run(process(10, { rank: 0, gpuMinors: [3] }), process(20, { rank: 1, gpuMinors: [6] }));
    expect(gpuHolders({ gpus, run: two, processes: undefined, minors: { a: 6, b: 3 } })).toEqual(['r1', 'r0', '', '']);
  });

  it('not by a PID of the host that a process without a GPU has by chance in the container', () => {
    const ranks = run(process(10, { rank: 0, gpuMinors: [0] }), process(4211));
    expect(holders(ranks, held(['a', 4211]))[0]).toBe('r0');
    expect(holders(run(process(4211)), held(['a', 4211]))[0]).toBe('4211');
  });

  it('by PID without ranks', () => {
    expect(holders(run(process(10, { gpuMinors: [0, 1] }), process(11, { gpuMinors: [1] })))).toEqual([
      '10',
      '10+1',
      '',
      '',
    ]);
  });

  it('by nvidia-smi where its PIDs are those of the run, also against the device files', () => {
    const ranks = run(process(10, { rank: 0, gpuMinors: [0, 1] }), process(20, { rank: 1, gpuMinors: [0, 1] }));
    expect(holders(ranks, held(['a', 20], ['b', 10]))).toEqual(['r1', 'r0', '', '']);
  });

  it("by the device files where nvidia-smi's PIDs are another namespace's, and names strangers elsewhere", () => {
    const ranks = run(process(10, { rank: 0, gpuMinors: [0] }));
    expect(holders(ranks, held(['a', 90_010], ['b', 777], ['b', 778]))).toEqual(['r0', '777+1', '', '']);
    expect(holders(undefined, held(['d', 5]))).toEqual(['', '', '', '5']);
  });
});
