import { describe, expect, it } from 'vitest';
import { findRuns, type ProcessGroup } from '../../src/model/find-run.ts';
import { isPython, type HostProcess } from '../../src/model/process-kinds.ts';

let next = 0;
/** A Python process unless `over` says otherwise. */
const make = (pid: number, parentPid: number, command: string, over: Partial<HostProcess> = {}): HostProcess => ({
  pid,
  parentPid,
  startTicks: 1000 + next++,
  comm: 'python',
  commandLine: command.split(' '),
  executable: '/usr/bin/python3.11',
  gpuMinors: [],
  ...over,
});
const other = (pid: number, parentPid: number, command: string, over: Partial<HostProcess> = {}) =>
  make(pid, parentPid, command, { comm: command.split(' ')[0] ?? '', executable: `/usr/bin/${command}`, ...over });
const pids = (group: ProcessGroup | undefined) => group?.members.map((member) => member.pid);
const init = other(1, 0, 'init');
const shell = other(10, 1, 'bash');

describe('findRuns', () => {
  it('takes a torchrun tree with its ranks and their workers as one run under the launcher', () => {
    const ranks = [0, 1].flatMap((rank) => [
      make(200 + rank, 100, `python train.py`, { rank, worldSize: 2, gpuMinors: [rank], comm: 'pt_main_thread' }),
      make(300 + rank, 200 + rank, `python train.py`, { rank, worldSize: 2 }),
      other(400 + rank, 300 + rank, 'ffmpeg'),
    ]);
    const found = findRuns([init, shell, make(100, 10, 'python /usr/bin/torchrun train.py'), ...ranks]);
    expect(found.withGpu.map(pids)).toEqual([[100, 200, 300, 201, 301, 400, 401]]);
    expect(found.withGpu[0]?.gpuCount).toBe(2);
    expect(found.withoutGpu).toEqual([]);
  });

  it('climbs through accelerate and deepspeed launchers', () => {
    const found = findRuns([
      init,
      make(50, 1, 'python /venv/bin/accelerate launch train.py'),
      make(51, 50, 'python -u -m deepspeed.launcher.launch train.py'),
      make(52, 51, 'python train.py', { gpuMinors: [0] }),
    ]);
    expect(found.withGpu[0]?.root.pid).toBe(50);
  });

  it('joins ranks that srun started side by side, though one holds no GPU yet', () => {
    const step = other(20, 1, 'slurmstepd');
    const ranks = [3, 1, 0, 2].map((rank, at) =>
      make(500 + at, 20, 'python train.py', {
        rank,
        worldSize: 4,
        master: '10.0.0.1:29500',
        gpuMinors: rank === 2 ? [] : [rank],
      }),
    );
    const found = findRuns([init, step, ...ranks]);
    expect(found.withGpu.map(pids)).toEqual([[502, 501, 503, 500]]);
    expect(found.withoutGpu).toEqual([]);
  });

  it('joins ranks of a shell loop by parent and script, and keeps two runs of one shell apart', () => {
    const rank = (pid: number, n: number, script: string) =>
      make(pid, 10, `python -X faulthandler ${script}`, { rank: n, gpuMinors: [n] });
    const found = findRuns([init, shell, rank(21, 0, 'a.py'), rank(22, 1, 'a.py'), rank(23, 0, 'b.py')]);
    expect(found.withGpu.map(pids)).toEqual([[21, 22], [23]]);
    const twice = findRuns([init, shell, rank(21, 0, 'a.py'), rank(22, 0, 'a.py')]);
    expect(twice.withGpu.map(pids)).toEqual([[21], [22]]);
  });

  it('keeps two containers apart that both use localhost:29500', () => {
    const box = (pid: number, gpu: number) => [
      make(pid, 1, 'python /usr/bin/torchrun train.py'),
      ...[0, 1].map((rank) =>
        make(pid + 1 + rank, pid, 'python train.py', {
          rank,
          worldSize: 2,
          master: 'localhost:29500',
          gpuMinors: [gpu + rank],
        }),
      ),
    ];
    expect(findRuns([init, ...box(100, 0), ...box(200, 2)]).withGpu.map(pids)).toEqual([
      [100, 101, 102],
      [200, 201, 202],
    ]);
  });

  it('takes two notebooks in one jupyter as two runs', () => {
    const found = findRuns([
      init,
      make(60, 1, 'python /usr/bin/jupyter-lab --no-browser'),
      make(61, 60, 'python -m ipykernel_launcher -f a.json', { gpuMinors: [0] }),
      make(62, 60, 'python -m ipykernel_launcher -f b.json', { gpuMinors: [0] }),
      make(63, 61, 'python -c worker'),
    ]);
    expect(found.withGpu.map(pids)).toEqual([[61, 63], [62]]);
    expect(found.withoutGpu).toEqual([]);
    expect(pids(found.around(60))).toEqual([60]);
  });

  it('takes a pipeline in one process on 8 GPUs, before a smaller run', () => {
    const found = findRuns([
      init,
      make(70, 1, 'python eval.py', { gpuMinors: [7] }),
      make(71, 1, 'python pipeline.py', { gpuMinors: [0, 1, 2, 3, 4, 5, 6, 7] }),
    ]);
    expect(found.withGpu.map((group) => [group.root.pid, group.gpuCount])).toEqual([
      [71, 8],
      [70, 1],
    ]);
  });

  it('joins the workers of a ray daemon, and puts those of ray.init() under their driver', () => {
    const worker = (pid: number, parent: number) =>
      make(pid, parent, 'ray::Worker', { comm: 'ray::Worker', gpuMinors: [pid % 10] });
    const raylet = (pid: number, parent: number) => other(pid, parent, 'raylet');
    const daemon = findRuns([init, raylet(80, 1), worker(81, 80), worker(82, 80)]);
    expect(daemon.withGpu.map(pids)).toEqual([[81, 82]]);
    const driver = findRuns([init, make(90, 1, 'python main_ppo.py'), raylet(80, 90), worker(81, 80), worker(82, 80)]);
    expect(driver.withGpu.map(pids)).toEqual([[90, 80, 81, 82]]);
  });

  it('orders Python trees without a GPU by how busy they are', () => {
    const found = findRuns([
      init,
      make(30, 1, 'python idle.py', { cpuPercent: 0 }),
      make(31, 1, 'python busy.py', { cpuPercent: 40 }),
      make(32, 31, 'python busy.py', { cpuPercent: 55 }),
      make(33, 1, 'python /usr/bin/supervisord', { cpuPercent: 99 }),
    ]);
    expect(found.withGpu).toEqual([]);
    expect(found.withoutGpu.map((group) => [pids(group), group.cpuPercent])).toEqual([
      [[31, 32], 95],
      [[30], 0],
    ]);
  });

  it('finds nothing where there is no Python', () => {
    const found = findRuns([init, shell]);
    expect(found).toMatchObject({ withGpu: [], withoutGpu: [] });
    expect(found.around(99)).toBeUndefined();
  });

  it('gives the run around any of its processes, and the tree under one that is in none', () => {
    const all = [
      init,
      shell,
      make(100, 10, 'python train.py', { gpuMinors: [0] }),
      other(101, 100, 'sh'),
      other(5, 1, 'x'),
    ];
    const found = findRuns(all);
    expect(pids(found.around(101))).toEqual([100, 101]);
    expect(pids(found.around(5))).toEqual([5]);
    expect(pids(found.around(10))).toEqual([10, 100, 101]);
  });

  it('matches Python before the shell and the editor that name the same file', () => {
    const all = [
      init,
      other(11, 1, 'vim train.py'),
      other(12, 1, 'sh -c train.py'),
      make(13, 12, 'python train.py'),
      other(14, 1, './llmc --big'),
    ];
    const found = findRuns(all);
    const by = (pattern: RegExp) => found.matching((p) => pattern.test(p.commandLine.join(' '))).map(pids);
    expect(by(/train\.py/)).toEqual([[13]]);
    expect(by(/llmc/)).toEqual([[14]]);
    expect(by(/nothing/)).toEqual([]);
  });

  it('ends on a loop of parents', () => {
    const found = findRuns([make(2, 3, 'python a.py', { gpuMinors: [0] }), make(3, 2, 'python a.py')]);
    expect(found.withGpu).toHaveLength(1);
  });
});

describe('isPython', () => {
  it('trusts the executable or argv[0], and the name only where the executable is hidden', () => {
    const base = { pid: 1, parentPid: 0, startTicks: 1, gpuMinors: [], commandLine: ['x'], comm: 'x' };
    expect(isPython({ ...base, executable: '/opt/py/bin/python3.11 (deleted)' })).toBe(true);
    expect(isPython({ ...base, executable: '/usr/bin/python3.13t' })).toBe(true);
    expect(isPython({ ...base, commandLine: ['/venv/bin/python'] })).toBe(true);
    expect(isPython({ ...base, comm: 'pt_main_thread' })).toBe(true);
    expect(isPython({ ...base, comm: 'pt_main_thread', executable: '/usr/bin/sleep' })).toBe(false);
    expect(isPython({ ...base, executable: '/usr/bin/python-argcomplete' })).toBe(false);
  });
});
