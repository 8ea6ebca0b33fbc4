import { describe, expect, it } from 'vitest';
import { hasCore, shareCore } from '../../../src/model/core-list.ts';
import type { HostFacts } from '../../../src/model/facts.ts';
import { gpusOfProcess } from '../../../src/model/gpu-of-process.ts';
import type { RunProcess } from '../../../src/model/run.ts';
import type { GpuProcessesSample, GpusSample, RunSample } from '../../../src/model/samples.ts';
import { farFromGpu, farWords } from '../../../src/model/waits/far.ts';
import { factsOf } from '../../collectors/made-context.ts';

const base = { host: 'h', time: 0, receivedAt: 0 };
const gpus: GpusSample = {
  ...{ ...base, kind: 'gpus', source: 'gpu' },
  ...{ uuid: ['GPU-a', 'GPU-b'], index: [0, 1], name: [null, null] },
};
const [near, other] = ['0-3,8-11', '4-7,12-15'];
const facts = (places: NonNullable<HostFacts['nvidia']>['places'] = twoPlaces): HostFacts =>
  factsOf({
    numaNodes: [
      { node: 0, cores: near },
      { node: 1, cores: other },
    ],
    nvidia: { fields: [], gpuCount: 2, ...(places && { places }) },
  });
const twoPlaces = {
  'GPU-a': { address: '0000:18:00.0', node: 0, cores: near },
  'GPU-b': { address: '0000:8a:00.0', node: 1, cores: other },
};

function runOf(...processes: readonly Partial<RunProcess>[]): RunSample {
  const all = processes.map((more, i) => ({ pid: 10 + i, commandLine: [], gpuMinors: [], ...more }));
  const run = { id: '10:1', rootPid: 10, processes: all, outputs: [] };
  return { ...base, kind: 'run', source: 'processes', phase: 'running', run, candidates: [] };
}
const holds = (pid: number[], uuid: string[]): GpuProcessesSample => ({
  ...{ ...base, kind: 'gpuProcesses', source: 'gpu', pid, uuid },
  ...{ name: pid.map(() => ''), memoryBytes: pid.map(() => null) },
});
const hot = { pid: 10, cpuPercent: 90 };

describe('a hot thread', () => {
  const run = runOf({ gpuMinors: [0] });

  it('is far where its core is on another node than its GPU', () => {
    expect(farFromGpu({ facts: facts(), run, gpus }, { ...hot, core: 9 })).toBeUndefined();
    const far = farFromGpu({ facts: facts(), run, gpus }, { ...hot, core: 13, cpus: '0-15' });
    expect(far).toEqual({ gpu: 0, gpuNode: 0, gpuCores: near, node: 1, pinned: false });
    expect(far && farWords(far, 13)).toBe(
      'core 13 of node 1 is far from GPU 0 (node 0: cores 0-3,8-11, where it may run)',
    );
    const pinned = farFromGpu({ facts: facts(), run, gpus }, { ...hot, core: 13, cpus: '12-15' });
    expect(pinned && farWords(pinned, 13)).toMatch(/, and it may not run there\)$/);
  });

  it('is not marked where it is cool, or nobody knows', () => {
    const at = { ...hot, core: 13 };
    expect(farFromGpu({ facts: facts(), run, gpus }, { ...at, cpuPercent: 5 })).toBeUndefined();
    expect(farFromGpu({ facts: facts(), run, gpus }, hot)).toBeUndefined();
    expect(farFromGpu({ facts: facts(), run: runOf({}), gpus }, at)).toBeUndefined();
    // numa_node -1, as in a virtual machine; one node; no places at all; a core of no node.
    const unknown = { 'GPU-a': { address: '0000:18:00.0' } };
    expect(farFromGpu({ facts: facts(unknown), run, gpus }, at)).toBeUndefined();
    const { numaNodes = [], ...rest } = facts();
    expect(farFromGpu({ facts: { ...rest, numaNodes: numaNodes.slice(0, 1) }, run, gpus }, at)).toBeUndefined();
    expect(farFromGpu({ facts: factsOf(), run, gpus }, at)).toBeUndefined();
    expect(farFromGpu({ facts: facts(), run, gpus }, { ...hot, core: 99 })).toBeUndefined();
    expect(farFromGpu({ run, gpus }, at)).toBeUndefined();
  });

  it('is near one of several GPUs of its process', () => {
    const both = runOf({ gpuMinors: [0, 1] });
    expect(farFromGpu({ facts: facts(), run: both, gpus }, { ...hot, core: 13 })).toBeUndefined();
    // Of all that it opened a rank works on one.
    const rank = runOf({ gpuMinors: [0, 1], localRank: 0 });
    expect(farFromGpu({ facts: facts(), run: rank, gpus }, { ...hot, core: 13 })?.gpu).toBe(0);
  });
});

describe('the GPUs of a process', () => {
  const ask = (processes: GpuProcessesSample | undefined, run = runOf({ gpuMinors: [0, 1] }, {})) =>
    gpusOfProcess({ pid: 10, run: run.run, gpus, processes });

  it('are those that nvidia-smi names, else those whose devices are open', () => {
    expect(ask(holds([10], ['GPU-b']))).toEqual(['GPU-b']);
    expect(ask(holds([99], ['GPU-b']))).toEqual(['GPU-a', 'GPU-b']);
    expect(ask(undefined)).toEqual(['GPU-a', 'GPU-b']);
    // The host's PID 10 is another process than the container's, which has no GPU open.
    expect(ask(holds([10], ['GPU-b']), runOf({}, { gpuMinors: [0] }))).toEqual([]);
    expect(ask(undefined, runOf({}))).toEqual([]);
  });
});

it('reads lists of cores as the kernel writes them', () => {
  expect([0, 3, 4, 8, 11, 12].map((core) => hasCore(near, core))).toEqual([true, true, false, true, true, false]);
  expect([shareCore(near, '4-8'), shareCore(near, '4-7'), shareCore('5', '5'), shareCore('', near)]).toEqual([
    ...[true, false, true, false],
  ]);
});
