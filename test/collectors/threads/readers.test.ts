import { readFileSync, readdirSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CollectorOptions } from '../../../src/collectors/collector.ts';
import { busiest } from '../../../src/collectors/threads/busiest.ts';
import { threads } from '../../../src/collectors/threads/threads.ts';
import type { BusiestSample, ThreadsSample } from '../../../src/model/samples.ts';
import { describeWith } from '../../support/requires.ts';
import { startWorkload, type Workload } from '../../support/workload.ts';
import { withLive } from './live.ts';

const awkward = ['my thread (x) y', 'a:b,c', 'nl\nb\u001b[31m) S 1', ' lead', 'end\n'];
let workload: Workload;
let bin: string;

beforeAll(async () => {
  const plain = awkward.map((name) => ({ name }));
  workload = await startWorkload({
    threads: [{ name: 'thirty', percent: 30 }, { name: 'ten', percent: 10 }, ...plain],
    workers: 1,
    short: true,
  });
  bin = await mkdtemp(join(tmpdir(), 'busybox-'));
  await symlink('/bin/busybox', join(bin, 'awk'));
});

afterAll(async () => {
  await workload.stop();
  await rm(bin, { recursive: true });
});

/** The mean of a thread's column over all frames that have it. */
function mean(frames: readonly ThreadsSample[], tid: number, column: 'cpuPercent' | 'userPercent' | 'systemPercent') {
  const values = frames
    .map((frame) => frame[column][frame.tid.indexOf(tid)])
    .filter((value) => typeof value === 'number');
  return values.length === 0 ? undefined : values.reduce((a, b) => a + b, 0) / values.length;
}

/** What a thread really used, percent of a core, between now and the call of what is returned. */
function measure(tid: number): () => number {
  const used = () => Number(readFileSync(`/proc/${workload.pid}/task/${tid}/schedstat`, 'utf8').split(' ')[0]);
  const [from, at] = [used(), performance.now()];
  return () => (used() - from) / 1e4 / (performance.now() - at);
}

/** The reader's shares against what was really used; once more where this machine was too busy to give the thread its 30 %. */
async function readsTrue(options: Partial<CollectorOptions>, frames: number, wrap?: string) {
  const pids = [workload.pid, ...workload.workers];
  let steady = false;
  for (let attempt = 1; attempt <= 2 && !steady; attempt++) {
    await withLive({ collectors: [threads], pids, options, ...(wrap && { wrap }) }, async (live) => {
      await live.until(() => live.of('threads').length >= 1, 'a first frame');
      const [thirty, ten] = [workload.tids['thirty'] ?? 0, workload.tids['ten'] ?? 0];
      const measured = measure(thirty);
      await live.until(() => live.of('threads').length > frames, `${frames} frames`);
      const truth = measured();
      const seen = live.of('threads').slice(1);
      steady = Math.abs(truth - 30) < 2; // so what is read within 3 of it is 30 ± 5
      expect(Math.abs((mean(seen, thirty, 'cpuPercent') ?? 0) - truth)).toBeLessThan(steady ? 3 : 6);
      expect(mean(seen, workload.pid, 'cpuPercent')).toBeLessThan(1);
      if (steady) expect(Math.abs((mean(seen, ten, 'cpuPercent') ?? 0) - 10)).toBeLessThan(4);
      hasAllNames(seen.at(-1) as ThreadsSample);
    });
  }
}

function hasAllNames(frame: ThreadsSample) {
  const workerRow = frame.pid.findIndex((pid, row) => pid === workload.workers[0] && frame.tid[row] !== pid);
  expect(frame.comm[workerRow]).toBe('loader 0');
  for (const name of ['my thread (x) y', 'a:b,c']) {
    expect(frame.comm[frame.tid.indexOf(workload.tids[name] ?? 0)]).toBe(name);
  }
  expect(frame.comm.join()).not.toMatch(/[\x00-\x1f]/);
  expect(new Set(frame.tid).size).toBe(frame.tid.length);
  expect(Math.abs(frame.time - frame.receivedAt)).toBeLessThan(1500);
}

describeWith(['top', 'pidstat', 'busybox', 'python3', 'bash', 'dash'], 'the three readers on a real process', () => {
  const shells = { dash: 'dash -s --', 'bash --posix': 'bash --posix -s --', 'busybox sh': 'busybox sh -s --' };
  for (const [shell, command] of Object.entries(shells)) {
    // The transport appends `sh -s`, which these take for arguments.
    it(`proc under ${shell}`, () => readsTrue({ threads: 'proc' }, 7, command));
    it(`top under ${shell}`, () => readsTrue({ threads: 'top' }, 6, command));
    it(`pidstat under ${shell}`, () => readsTrue({ threads: 'pidstat' }, 3, command));
  }
  it('proc with BusyBox awk', () => readsTrue({ threads: 'proc' }, 7, `env PATH=${bin}:${process.env['PATH']}`));
  it('top with BusyBox awk', () => readsTrue({ threads: 'top' }, 6, `env PATH=${bin}:${process.env['PATH']}`));

  it('proc has exactly the living threads, with user and system shares and names made safe', async () => {
    await withLive({ collectors: [threads], pids: [workload.pid] }, async (live) => {
      await live.until(() => live.of('threads').length >= 9, '9 frames');
      const seen = live.of('threads');
      expect(seen[0]?.intervalSeconds).toBeUndefined();
      expect(seen[0]?.cpuPercent.every((value) => value === null)).toBe(true);
      const last = seen.at(-1) as ThreadsSample;
      // Exactly the threads that live: those that come and go are all named `short`, or not yet named.
      const lasting = (tids: readonly number[], comms: readonly string[]) =>
        tids.filter((_, row) => comms[row] !== 'short' && comms[row] !== 'python3').sort();
      const living = readdirSync(`/proc/${workload.pid}/task`).map(Number);
      expect(lasting(last.tid, last.comm)).toEqual(lasting(living, living.map(commOf)));
      expect(last.comm.filter((comm) => comm === 'short').length).toBeLessThan(2);
      expect(last.comm).toContain('nl\ufffdb) S 1');
      expect(last.comm).toContain(' lead');
      expect(last.comm).toContain('end\ufffd');
      const idle = last.tid.indexOf(workload.tids['a:b,c'] ?? 0);
      expect([last.cpuPercent[idle], last.userPercent[idle], last.runQueuePercent[idle]]).toEqual([0, 0, 0]);
      expect(last.state[idle]).toBe('S');
      expect(mean(seen, workload.tids['thirty'] ?? 0, 'userPercent')).toBeGreaterThan(5);
    });
  });

  it('takes processes up and lets them go by tick, in one stream', async () => {
    const worker = workload.workers[0] ?? 0;
    await withLive({ collectors: [threads], pids: [workload.pid], options: { intervalMs: 200 } }, async (live) => {
      const last = () => live.of('threads').at(-1);
      await live.until(() => last()?.pid.includes(workload.pid) ?? false, 'the first process');
      live.watch([workload.pid, worker]);
      await live.until(() => last()?.pid.includes(worker) ?? false, 'the worker');
      const first = live.of('threads').find((frame) => frame.pid.includes(worker)) as ThreadsSample;
      // It is older than the frame: nobody knows what it used within it.
      expect(first.cpuPercent[first.pid.indexOf(worker)]).toBeNull();
      expect(first.cpuPercent[first.tid.indexOf(workload.pid)]).not.toBeNull();
      live.watch([worker]);
      await live.until(() => !(last()?.pid.includes(workload.pid) ?? true), 'the first process to go');
      expect(
        live.of('source').filter(({ source, status }) => source === 'threads' && status === 'waiting').length,
      ).toBe(1);
    });
  });

  it('top gives a frame when it is there, not with the next', async () => {
    const options = { threads: 'top', intervalMs: 3000 } as const;
    await withLive({ collectors: [threads], pids: [workload.pid], options }, async (live) => {
      await live.until(() => live.of('threads').length >= 2, '2 frames');
      const last = live.of('threads').at(-1) as ThreadsSample;
      expect(last.receivedAt - last.time).toBeLessThan(2000);
      expect(new Set(last.pid)).toEqual(new Set([workload.pid]));
    });
  });

  it('top keeps all of a run that has more processes than it takes', async () => {
    const many = await startWorkload({ threads: [{ name: 'pump', percent: 20 }], workers: 21, workerPercent: 0 });
    try {
      const pids = [many.pid, ...many.workers];
      await withLive({ collectors: [threads], pids, options: { threads: 'top' } }, async (live) => {
        await live.until(() => live.of('threads').length >= 3, '3 frames');
        const last = live.of('threads').at(-1) as ThreadsSample;
        expect(last.tid.length).toBe(2 * pids.length);
        expect(new Set(last.pid)).toEqual(new Set(pids));
        expect(mean([last], many.tids['pump'] ?? 0, 'cpuPercent')).toBeGreaterThan(5);
        const leaders = last.tid.filter((tid, row) => tid === last.pid[row] && (last.cpuPercent[row] ?? 0) > 1);
        expect(leaders).toEqual([]);
      });
    } finally {
      await many.stop();
    }
  });

  it('shows the busiest of the host with their processes, and no main thread in their place', async () => {
    await withLive({ collectors: [busiest], pids: [] }, async (live) => {
      await live.until(() => live.of('busiest').length >= 1, 'a frame');
      const last = live.of('busiest').at(-1) as BusiestSample;
      const at = last.tid.indexOf(workload.tids['thirty'] ?? 0);
      expect(last.comm[at]).toBe('thirty');
      expect(last.pid[at]).toBe(workload.pid);
      expect(last.cpuPercent[at]).toBeGreaterThan(20);
      expect(last.tid).not.toContain(workload.pid);
      expect(last.tid.length).toBeLessThanOrEqual(15);
      expect(last.threadsTotal).toBeGreaterThan(20);
      expect(last.receivedAt - last.time).toBeLessThan(3000);
    });
  });

  it("leaves the run's own threads out of the busiest: they would hide a neighbour", async () => {
    await withLive({ collectors: [busiest], pids: [workload.pid] }, async (live) => {
      await live.until(() => live.of('busiest').length >= 1, 'a frame');
      const last = live.of('busiest').at(-1) as BusiestSample;
      expect(last.pid).not.toContain(workload.pid);
      expect(last.tid).not.toContain(workload.tids['thirty']);
    });
  });
});

/** A short thread may end between the listing and this. */
function commOf(tid: number): string {
  try {
    return readFileSync(`/proc/${tid}/comm`, 'utf8').slice(0, -1);
  } catch {
    return 'short';
  }
}
