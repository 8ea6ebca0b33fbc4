import { describe, expect, test } from 'vitest';
import { createGpuFinder } from '../../../src/model/diagnosis/gpus-of-run.ts';
import { learn, nothingKnown } from '../../../src/model/diagnosis/known.ts';
import type { RunProcess } from '../../../src/model/run.ts';
import type { Sample } from '../../../src/model/samples.ts';
import { head, start, threads } from '../made.ts';
import { samplesOf } from './gather/saved.ts';

function found(samples: readonly Sample[]) {
  const finder = createGpuFinder();
  let known = nothingKnown();
  for (const sample of samples) {
    known = learn(known, sample).state;
    finder.take(sample);
  }
  const subjects = finder.find(known);
  expect(finder.find(known)).toBe(subjects);
  return subjects.map(({ index, pid, rank, role }) => ({ index, pid, rank, role }));
}

const mebibyte = 2 ** 20;
const uuids = ['GPU-a', 'GPU-b'];
const gpus = (usedMib: readonly number[], utilization: readonly number[] = [0, 0]): Sample => ({
  kind: 'gpus',
  ...head(start, 'gpu'),
  uuid: uuids,
  index: [0, 1],
  name: ['H200', 'H200'],
  utilizationPercent: utilization,
  ...(usedMib.length > 0 && { memoryUsedBytes: usedMib.map((each) => each * mebibyte) }),
});
const process = (pid: number, more: Partial<RunProcess> = {}): RunProcess => ({
  pid,
  commandLine: ['python', 'train.py'],
  gpuMinors: [],
  ...more,
});
const run = (processes: readonly RunProcess[]): Sample => ({
  kind: 'run',
  ...head(start, 'processes'),
  phase: 'running',
  candidates: [],
  run: { id: '10:1', rootPid: 10, processes, outputs: [] },
});
const apps = (rows: readonly (readonly [uuid: string, pid: number, mib: number])[]): Sample => ({
  kind: 'gpuProcesses',
  ...head(start, 'gpu'),
  uuid: rows.map(([uuid]) => uuid),
  pid: rows.map(([, pid]) => pid),
  name: rows.map(() => 'python'),
  memoryBytes: rows.map(([, , mib]) => mib * mebibyte),
});
/** Threads by comm and CPU. */
const named = (rows: readonly (readonly [pid: number, comm: string, percent: number])[]): Sample => ({
  ...threads(
    start,
    rows.map(([, , percent]) => percent),
  ),
  pid: rows.map(([pid]) => pid),
  comm: rows.map(([, comm]) => comm),
  intervalSeconds: 1,
});
const ranks = [process(11, { rank: 0, localRank: 0 }), process(12, { rank: 1, localRank: 1 })];

describe('GPUs of a run in saved output', () => {
  test('a GPU without a context is not of the run, and the only process has no rank', async () => {
    expect(found(await samplesOf('gil_bound'))).toEqual([{ index: 0, pid: 2685 }]);
  });

  test('busy autograd threads say whose GPU it is', async () => {
    expect(found(await samplesOf('nccl_hang'))).toEqual([
      { index: 0, pid: 2165, rank: 0 },
      { index: 1, pid: 2166, rank: 1 },
    ]);
  });

  test('one process with two GPUs', async () => {
    expect(found(await samplesOf('queue_full'))).toEqual([
      { index: 0, pid: 2843 },
      { index: 1, pid: 2843 },
    ]);
  });

  test('without threads nobody says which process it is of two; without the memory what had work counts', async () => {
    const [first, second] = found(await samplesOf('nccl_hang', ['top', 'stat', 'nvidia-smi']));
    expect([first?.index, second?.index]).toEqual([0, 1]);
    expect(found(await samplesOf('compute_bound', ['nvidia-smi']))).toEqual([{ index: 0, pid: 562 }]);
  });

  test('autograd threads that name devices the other way round are believed; those that all name the first are not', () => {
    const both = [run([process(11), process(12)]), gpus([500, 500])];
    const swapped = named([
      [11, 'pt_autograd_0', 1],
      [11, 'pt_autograd_1', 40],
      [12, 'pt_autograd_0', 40],
    ]);
    expect(found([...both, swapped]).map(({ pid }) => pid)).toEqual([12, 11]);
    const alike = named([
      [11, 'pt_autograd_0', 40],
      [12, 'pt_autograd_0', 40],
    ]);
    expect(found([...both, alike]).map(({ pid }) => pid)).toEqual([11, 12]);
  });

  test('loader workers and launchers work on no GPU', () => {
    const processes = [
      process(10, { commandLine: ['/venv/bin/torchrun', 'train.py'] }),
      process(11, { parentPid: 10 }),
    ];
    const all = [...processes, process(13, { parentPid: 11 })];
    expect(found([run(all), gpus([500, 4])])).toEqual([{ index: 0, pid: 11 }]);
  });

  test('what was known before its first Sample counts, and of another run what is known still', () => {
    const finder = createGpuFinder();
    let known = nothingKnown();
    for (const sample of [run([process(11)]), gpus([500, 4])]) known = learn(known, sample).state;
    expect(finder.find(known).map(({ index }) => index)).toEqual([0]);
    finder.forgetRun();
    expect(finder.find(known).map(({ index }) => index)).toEqual([0]);
  });

  test('where nothing tells, all are', () => {
    expect(found([gpus([])])).toEqual([{ index: 0 }, { index: 1 }]);
    expect(found([run([process(11), process(12), process(14)]), gpus([4, 4])])).toEqual([{ index: 0 }, { index: 1 }]);
  });
});

describe('GPUs of a run that is watched', () => {
  test('those of others on the host are left out', () => {
    const samples = [run([process(11, { gpuMinors: [1] })]), gpus([5000, 5000])];
    expect(found([...samples, apps([['GPU-a', 99, 4900]])])).toEqual([{ index: 1, pid: 11 }]);
    expect(found([...samples, apps([['GPU-b', 11, 4900]])])).toEqual([{ index: 1, pid: 11 }]);
  });

  test('where others alone hold a GPU and the run holds none, that one is not of the run', () => {
    const samples = [run([process(11)]), gpus([69_000, 4], [99, 0])];
    expect(found([...samples, apps([['GPU-a', 99, 68_900]])])).toEqual([{ index: 1, pid: 11 }]);
    const both = apps([
      ['GPU-a', 99, 68_900],
      ['GPU-b', 98, 450],
    ]);
    expect(found([...samples, both])).toEqual([]);
    // Nobody is told to hold it: in a container nvidia-smi names nobody.
    expect(found([...samples, apps([])])).toEqual([{ index: 0, pid: 11 }]);
  });

  test('of several processes with memory there the GPU is that of the one with the most', () => {
    const rows = [
      ['GPU-a', 12, 450],
      ['GPU-a', 11, 4900],
      ['GPU-b', 12, 4900],
    ] as const;
    expect(found([run(ranks), gpus([5400, 4900]), apps(rows)])).toEqual([
      { index: 0, pid: 11, rank: 0 },
      { index: 1, pid: 12, rank: 1 },
    ]);
  });

  test('a rank that has all GPUs open works on its own', () => {
    const open = ranks.map((rank) => ({ ...rank, gpuMinors: [0, 1] }));
    expect(found([run(open), gpus([4900, 4900])]).map(({ rank }) => rank)).toEqual([0, 1]);
  });

  test('the only rank of a host among many is one, the only one of all is none', () => {
    const only = (worldSize: number) => run([process(11, { rank: 0, localRank: 0, worldSize, gpuMinors: [0] })]);
    expect(found([only(8), gpus([4900, 4])])).toEqual([{ index: 0, pid: 11, rank: 0 }]);
    expect(found([only(1), gpus([4900, 4])])).toEqual([{ index: 0, pid: 11 }]);
  });

  test('what the user says of a GPU is its role', () => {
    const roles: Sample = { kind: 'gpuRoles', ...head(start, 'user'), gpu: [1], role: ['drafter'] };
    const samples = [run([process(11, { gpuMinors: [0, 1] })]), gpus([4900, 4900]), roles];
    expect(found(samples).map(({ role }) => role)).toEqual([undefined, 'drafter']);
  });

  test('else what the command line of the run calls it, where its numbers can be nothing else', () => {
    const rolesBy = (...words: readonly string[]) => {
      const commandLine = ['python', 'train.py', ...words];
      return found([run([process(11, { commandLine, gpuMinors: [0, 1] })]), gpus([4900, 4900])]).map(
        ({ role }) => role,
      );
    };
    expect(rolesBy('--actor-gpus', '1', '--critic_gpus=0')).toEqual(['critic', 'actor']);
    expect(rolesBy('--rollout-devices', '0', '--trainer-device-ids', '1')).toEqual(['rollout', 'trainer']);
    // As many as that, not which.
    expect(rolesBy('--num-gpus', '2')).toEqual([undefined, undefined]);
    expect(rolesBy('--actor-gpus', '1', '--critic-gpus', '1')).toEqual([undefined, undefined]);
    expect(rolesBy('--actor-gpus', '0,1')).toEqual([undefined, undefined]);
    expect(rolesBy('--actor-gpus', '0', '--critic-gpus', '2')).toEqual([undefined, undefined]);
  });
});
