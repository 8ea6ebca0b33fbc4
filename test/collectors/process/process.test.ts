import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RunSample } from '../../../src/model/samples.ts';
import { describeWith } from '../../support/requires.ts';
import { createBench, userlands, type Bench } from './live.ts';

let bench: Bench;
beforeEach(() => {
  bench = createBench();
});
afterEach(() => bench.end());

describeWith(['python3', 'dash', 'bash', 'busybox', 'mawk', 'grep'], 'finding the run on a real host', () => {
  for (const userland of Object.keys(userlands) as (keyof typeof userlands)[]) {
    it(`tells all of a run by its GPU (${userland})`, async () => {
      const log = join(bench.folder, 'train ü.log');
      const cwd = join(bench.folder, 'a b\nc');
      mkdirSync(cwd);
      const program = await bench.start({
        gpus: [0, 3],
        workers: 2,
        name: 'pt_main) S (\n1',
        env: {
          RANK: '3',
          LOCAL_RANK: '1',
          WORLD_SIZE: '4',
          MASTER_ADDR: '10.0.0.1',
          MASTER_PORT: '29500',
          X: 'y\nRANK=9',
        },
        args: ['--note', 'two\nlines\n1/cmdline:forged', '\x1b[31mred', '', 'ümlaut', ''],
        stdout: log,
        cwd,
      });
      const monitor = await bench.monitor({}, userland);
      const { run, candidates } = await monitor.run(
        'a run',
        (s) => s.phase === 'running' && s.run?.rootPid === program.pid,
      );
      expect(candidates.map((each) => each.rootPid)[0]).toBe(program.pid);
      expect(run?.processes).toHaveLength(3);
      expect(run?.processes[0]).toMatchObject({
        pid: program.pid,
        parentPid: process.pid,
        rank: 3,
        localRank: 1,
        worldSize: 4,
        gpuMinors: [0, 3],
        user: expect.stringMatching(/^\w+$/) as string,
        executable: expect.stringMatching(/python/) as string,
      });
      expect(run?.processes[0]?.cwd).toMatch(/a b\ufffdc$/);
      expect(Math.abs((run?.processes[0]?.startTime ?? 0) - Date.now())).toBeLessThan(20_000);
      const args = run?.processes[0]?.commandLine.slice(3);
      expect(args).toEqual(['--note', 'two\ufffdlines\ufffd1/cmdline:forged', 'red', '', 'ümlaut']);
      expect(run?.outputs).toEqual([
        { fd: 1, kind: 'file', path: log },
        { fd: 2, kind: 'file', path: log },
      ]);
      const { pid, state, rssBytes, threadCount, readBytes } = await monitor.processes(
        'rows',
        (s) => s.pid.length === 3,
      );
      expect(pid).toContain(program.pid);
      expect(state).toEqual(['S', 'S', 'S']);
      expect(threadCount).toEqual([1, 1, 1]);
      expect(Math.min(...rssBytes.map((bytes) => bytes ?? 0))).toBeGreaterThan(1e6);
      expect(readBytes.every((bytes) => bytes !== null)).toBe(true);
      for (const sample of monitor.samples)
        if (sample.kind === 'source') expect([sample.reason, sample.rejectedLines]).toEqual([undefined, undefined]);
    });
  }

  it('sees new workers, the end, and takes up the next', async () => {
    const first = await bench.start({ gpus: [0] });
    const monitor = await bench.monitor();
    const before = await monitor.run('the first', (s) => s.phase === 'running');
    first.stdin?.write('fork\n');
    const grown = await monitor.run('its worker', (s) => s.run?.processes.length === 2);
    expect(grown.run?.id).toBe(before.run?.id);
    expect(grown.run?.processes[1]).toMatchObject({ parentPid: first.pid, cwd: expect.any(String) as string });
    first.kill('SIGKILL');
    const ended = await monitor.run('the end', (s) => s.phase === 'ended');
    expect(ended.run?.id).toBe(before.run?.id);
    expect(ended.reason).toMatch(
      new RegExp(`^The run \\(PID ${first.pid}, python3 .*\\) ended; waiting for the next$`),
    );
    const second = await bench.start({ gpus: [0] });
    await monitor.run('the second', (s) => s.phase === 'running' && s.run?.rootPid === second.pid);
  });

  it('lets choose between two runs', async () => {
    const first = await bench.start({ gpus: [0, 1] });
    const second = await bench.start({ gpus: [2] });
    const monitor = await bench.monitor();
    const { candidates } = await monitor.run('a choice', (s) => s.phase === 'choosing');
    expect(candidates.slice(0, 2).map((each) => each.rootPid)).toEqual([first.pid, second.pid]);
    monitor.runner.configure({ pid: second.pid });
    await monitor.run('the chosen', (s) => s.phase === 'running' && s.run?.rootPid === second.pid);
    monitor.runner.configure({ pid: first.pid });
    await monitor.run('the other', (s) => s.phase === 'running' && s.run?.rootPid === first.pid);
  });

  it('looks again when the user asks, and gives up a picked run that is gone', async () => {
    const first = await bench.start({ gpus: [0] });
    const monitor = await bench.monitor({ pid: first.pid });
    await monitor.run('the first', (s) => s.phase === 'running');
    const second = await bench.start({ gpus: [1], args: ['second'] });
    const third = await bench.start({ gpus: [2], args: ['third'] });
    monitor.runner.configure({ looks: 1 });
    // What else is busy on this machine may be offered too.
    const offered = ({ candidates }: RunSample) =>
      [first, second, third].filter(({ pid }) => candidates.some(({ rootPid }) => rootPid === pid));
    await monitor.run('the others', (s) => offered(s).length === 3);
    const isGone = once(second, 'exit');
    second.kill('SIGKILL');
    await isGone; // seen alive once more it would be watched, and its end said
    monitor.runner.configure({ pid: second.pid, picked: true });
    const rest = await monitor.run('the rest', (s) => s.phase === 'choosing');
    expect(offered(rest)).toEqual([first, third]);
  });

  it('joins ranks that were started side by side', async () => {
    const env = (rank: number) => ({
      RANK: `${rank}`,
      WORLD_SIZE: '3',
      MASTER_ADDR: 'localhost',
      MASTER_PORT: '29511',
    });
    const one = await bench.start({ gpus: [1], env: env(1) });
    const monitor = await bench.monitor();
    await monitor.run('the first rank', (s) => s.phase === 'running' && s.run?.rootPid === one.pid);
    const zero = await bench.start({ gpus: [0], env: env(0) });
    const late = await monitor.run('the late rank', (s) => s.run?.processes.length === 2);
    expect(late.run?.processes.map((each) => each.pid)).toEqual([zero.pid, one.pid]);
    expect(late.run?.rootPid).toBe(one.pid);
  });

  it('says that there is no such PID, and watches one that is not Python', async () => {
    const monitor = await bench.monitor({ pid: 4_194_304 });
    const none = await monitor.run('no run', (s) => s.phase === 'finding');
    expect(none.reason).toMatch(
      /^No process 4194304 on \S+; waiting for it \(or give --match, or --wrap for one in a container\)$/,
    );
    monitor.runner.configure({ pid: process.pid });
    const own = await monitor.run('this process', (s) => s.phase === 'running');
    expect(own.run?.rootPid).toBe(process.pid);
  });

  it('matches command lines, never its own, and waits for the next that matches', async () => {
    const match = /--name=needle-\d+/g;
    const monitor = await bench.monitor({ match });
    const none = await monitor.run('no run', (s) => s.phase === 'finding');
    expect(none.reason).toMatch(
      /^No command line on \S+ matches \/--name=needle-\\d\+\/g; waiting for one \(or give --pid, or --wrap for one in a container\)$/,
    );
    const first = await bench.start({ args: ['--name=needle-1'] });
    await monitor.run('the match', (s) => s.phase === 'running' && s.run?.rootPid === first.pid);
    first.kill('SIGKILL');
    const ended = await monitor.run('the end', (s) => s.phase === 'ended');
    expect(ended.reason).toMatch(/ended; waiting for the next that matches$/);
    const second = await bench.start({ args: ['--name=needle-2'] });
    await monitor.run('the next', (s) => s.phase === 'running' && s.run?.rootPid === second.pid);
  });

  it('waits for the same command line after the end of a run that was given by PID', async () => {
    const args = ['--same'];
    const first = await bench.start({ args });
    const monitor = await bench.monitor({ pid: first.pid });
    const before = await monitor.run('the run', (s) => s.phase === 'running');
    expect(before.run?.outputs.map((each) => each.kind)).toEqual(['socket', 'socket']);
    first.kill('SIGKILL');
    const ended = await monitor.run('the end', (s) => s.phase === 'ended');
    expect(ended.reason).toMatch(/ended; waiting for one with the same command line$/);
    await bench.start({ args: ['--other'] });
    const second = await bench.start({ args });
    await monitor.run('the same again', (s) => s.phase === 'running' && s.run?.rootPid === second.pid);
  });

  it('tells a deleted log, and finds a busy tree where none holds a GPU', async () => {
    const log = join(bench.folder, 'gone.log');
    const program = await bench.start({ busy: true, stdout: log, unlink: log });
    const monitor = await bench.monitor();
    const { candidates } = await monitor.run('a busy tree', (s) =>
      s.candidates.some((each) => each.rootPid === program.pid),
    );
    const found = candidates.find((each) => each.rootPid === program.pid);
    expect(found?.outputs.map((each) => each.kind)).toEqual(['deleted', 'deleted']);
    expect(found?.processes[0]?.cpuPercent).toBeGreaterThan(5);
  });
});
