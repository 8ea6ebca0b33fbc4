import { describe, expect, it } from 'vitest';
import { createHistory } from '../../src/model/history.ts';
import type { Run } from '../../src/model/run.ts';
import type { ThreadsSample } from '../../src/model/samples.ts';
import { threadRows, type ThreadQuery } from '../../src/model/thread-rows.ts';

const now = 1_800_000_000_000;
const tids = [100, 101, 102, 103, 104, 105];

function frame(time: number, cpu: readonly (number | null)[], changes: Partial<ThreadsSample> = {}): ThreadsSample {
  return {
    kind: 'threads',
    host: 'h',
    source: 'threads',
    reader: 'proc',
    time,
    receivedAt: time,
    intervalSeconds: 1,
    pid: [100, 100, 100, 200, 200, 200],
    tid: tids,
    comm: ['python3', 'loader-10', 'loader-9', 'python3', 'NCCL [x]', 'idle one'],
    state: ['S', 'S', 'S', 'S', 'S', 'S'],
    core: [0, 1, null, 3, 4, 5],
    cpuPercent: cpu,
    userPercent: cpu,
    systemPercent: cpu.map(() => null),
    runQueuePercent: [1, 50, 2, 3, null, 0],
    ...changes,
  };
}

const run: Run = {
  id: '100:1',
  rootPid: 100,
  outputs: [],
  processes: [100, 200].map((pid, rank) => ({ pid, parentPid: 1, commandLine: [], gpuMinors: [], rank: 1 - rank })),
};

function rows(changes: Partial<ThreadQuery> = {}) {
  const history = createHistory();
  const threads = frame(now, [80, 20.4, 20.1, 99, 5, 0]);
  history.add(threads);
  return threadRows({
    threads,
    history,
    run,
    names: new Map([['100:101', 'Prefetch']]),
    filter: '',
    sort: undefined,
    showIdle: false,
    ...changes,
  });
}
const order = (changes: Partial<ThreadQuery>) => rows({ showIdle: true, ...changes }).rows.map(({ tid }) => tid);

describe('threadRows', () => {
  it('joins names and ranks, and leaves out what is absent', () => {
    expect(rows().rows.find(({ tid }) => tid === 101)).toEqual({
      pid: 100,
      tid: 101,
      name: 'Prefetch',
      comm: 'loader-10',
      rank: 1,
      state: 'S',
      core: 1,
      cpuPercent: 20.4,
      userPercent: 20.4,
      runQueuePercent: 50,
    });
    expect(rows().rows.find(({ tid }) => tid === 102)).not.toHaveProperty('core');
    expect(rows().cpuPercent).toBeCloseTo(224.5);
  });

  it('sorts by each order', () => {
    expect(order({})).toEqual([103, 100, 101, 102, 104, 105]);
    expect(order({ sort: 'nonsense' })).toEqual(order({ sort: 'cpu' }));
    expect(order({ sort: 'tid' })).toEqual(tids);
    expect(order({ sort: 'wait' })).toEqual([101, 103, 102, 100, 105, 104]);
    expect(order({ sort: 'rank' })).toEqual([103, 104, 105, 100, 101, 102]);
    expect(order({ sort: 'name', names: new Map() })).toEqual([105, 102, 101, 104, 100, 103]);
  });

  it('keeps rows in place that differ by less than a percent', () => {
    const jitter = frame(now, [80.3, 20.1, 20.4, 99, 5, 0]);
    expect(order({ threads: jitter })).toEqual(order({}));
  });

  it('filters by name, comm and TID, case ignored, and negates', () => {
    const filtered = (filter: string) =>
      rows({ filter, showIdle: true })
        .rows.map(({ tid }) => tid)
        .sort();
    expect(filtered('PREFETCH')).toEqual([101]);
    expect(filtered('loader')).toEqual([101, 102]);
    expect(filtered('nccl [')).toEqual([104]);
    expect(filtered('103')).toEqual([103]);
    expect(filtered('!python3')).toEqual([101, 102, 104, 105]);
    expect(filtered('!')).toEqual(tids);
    expect(filtered('.*')).toEqual([]);
  });

  it('folds threads that did nothing for a minute, of those that match', () => {
    expect(rows()).toMatchObject({ idle: 1, total: 6 });
    expect(rows({ filter: 'idle' })).toMatchObject({ rows: [], idle: 1 });
    expect(rows({ filter: 'loader' }).idle).toBe(0);
    expect(rows({ showIdle: true })).toMatchObject({ idle: 0 });
  });

  it('keeps a thread that worked within the minute, and one that runs or waits for a disk', () => {
    const history = createHistory();
    history.add(frame(now - 61_000, [0, 30, 0, 0, 0, 0]));
    history.add(frame(now - 59_000, [0, 0, 30, 0, 0, 0]));
    const threads = frame(now, [0, 0, 0, 0, 0, 0], { state: ['R', 'S', 'S', 'D', 'S', null] });
    history.add(threads);
    expect(rows({ threads, history }).rows.map(({ tid }) => tid)).toEqual([100, 102, 103]);
  });

  it('takes a first frame without percentages for idle, and no frame for none', () => {
    const threads = frame(
      now,
      tids.map(() => null),
    );
    expect(rows({ threads, history: createHistory() })).toMatchObject({ rows: [], idle: 6, cpuPercent: 0 });
    expect(rows({ threads: undefined })).toEqual({ rows: [], idle: 0, total: 0, cpuPercent: 0 });
  });
});
