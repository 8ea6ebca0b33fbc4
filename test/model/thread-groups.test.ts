import { describe, expect, it } from 'vitest';
import { createHistory } from '../../src/model/history.ts';
import type { Run, RunProcess } from '../../src/model/run.ts';
import type { ThreadsSample } from '../../src/model/samples.ts';
import { threadRows, type ThreadQuery } from '../../src/model/thread-rows.ts';

const now = 1_800_000_000_000;
const base = { host: 'h', source: 'threads', time: now, receivedAt: now } as const;

/** `pid tid comm cpu wait`. */
function frame(...lines: readonly string[]): ThreadsSample {
  const cells = lines.map((line) => line.split(' '));
  const numbers = (at: number) => cells.map((row) => Number(row[at]));
  return {
    ...{ ...base, kind: 'threads', reader: 'proc', intervalSeconds: 1, pid: numbers(0), tid: numbers(1) },
    ...{ comm: cells.map((row) => row[2] ?? ''), state: cells.map((row) => (Number(row[3]) > 50 ? 'R' : 'S')) },
    ...{ core: numbers(0), cpuPercent: numbers(3), userPercent: numbers(3), systemPercent: cells.map(() => null) },
    runQueuePercent: numbers(4),
  };
}
const process = (pid: number, parentPid: number, more: Partial<RunProcess> = {}): RunProcess => ({
  ...{ pid, parentPid, commandLine: ['python3', '/x/train.py'], gpuMinors: [] },
  ...more,
});
const runOf = (...processes: readonly RunProcess[]): Run => ({ id: '1:1', rootPid: 1, outputs: [], processes });

/** torchrun, two ranks, a worker each. */
const ddp = {
  run: runOf(
    process(1, 0, { commandLine: ['python3', '/usr/bin/torchrun', 'train.py'] }),
    process(10, 1, { rank: 0 }),
    process(11, 10),
    process(20, 1, { rank: 1 }),
    process(21, 20),
  ),
  threads: frame(
    ...['1 1 python3 0 0', '10 10 python3 90 1', '10 15 pt_autograd_0 20 7', '11 11 pt_data_worker 30 2'],
    ...['20 20 python3 95 1', '20 25 pt_autograd_0 25 3', '21 21 pt_data_worker 10 2'],
  ),
};
const roles: Readonly<Record<string, string>> = {
  python3: 'main',
  pt_autograd_0: 'autograd',
  pt_data_worker: 'data worker',
};

function listed(changes: Partial<ThreadQuery>) {
  const { threads = ddp.threads } = changes;
  const history = createHistory();
  if (threads) history.add(threads);
  const query = { ...ddp, history, names: new Map(), filter: '', sort: undefined, showIdle: false };
  const result = threadRows({ ...query, roleOf: ({ comm = '' }) => roles[comm], ...changes });
  const text = result.rows.map(({ depth = 0, group, tid, cpuPercent, runQueuePercent, rank }) => {
    const head = group ? `${group.open ? 'v' : '>'} ${group.title} x${group.count}` : String(tid);
    return `${' '.repeat(depth)}${head} ${cpuPercent} ${runQueuePercent}${rank === undefined ? '' : ` r${rank}`}`;
  });
  return { ...result, text };
}

describe('threads by role', () => {
  it('have sums of CPU and the highest wait, the busiest role first', () => {
    const { text, groups, idle, total } = listed({ grouping: 'role' });
    expect(text).toEqual(['> main x3 185 1', '> autograd x2 45 7', '> data worker x2 40 2']);
    expect([groups, idle, total]).toEqual([3, 0, 7]);
  });

  it('are opened by their keys, idle ones folded', () => {
    const { text, idle } = listed({ grouping: 'role', toggled: new Set(['role main']) });
    expect(text).toEqual([
      'v main x3 185 1',
      ' 20 95 1 r1',
      ' 10 90 1 r0',
      '> autograd x2 45 7',
      '> data worker x2 40 2',
    ]);
    expect(idle).toBe(1);
    expect(listed({ grouping: 'role', toggled: new Set(['role main']), showIdle: true }).text).toContain(' 1 0 0');
  });

  it('are filtered by role too, and sorted as asked', () => {
    expect(listed({ grouping: 'role', filter: 'worker' }).text).toEqual(['> data worker x2 40 2']);
    expect(listed({ grouping: 'role', sort: 'name' }).text.map((row) => row.split(' x')[0])).toEqual([
      ...['> autograd', '> data worker', '> main'],
    ]);
    expect(listed({ filter: 'worker' }).text).toEqual(['11 30 2', '21 10 2']);
  });

  it('without a role stand together', () => {
    expect(listed({ grouping: 'role', roleOf: () => undefined }).text).toEqual(['> unnamed x7 270 7']);
  });
});

describe('threads by process', () => {
  it('stand under ranks with their workers, launchers beside them', () => {
    expect(listed({ grouping: 'process' }).text).toEqual([
      ...['> train.py x3 140 7 r0', '> train.py x3 130 3 r1', '> torchrun x1 0 0'],
    ]);
    expect(listed({ grouping: 'process', toggled: new Set(['process 10', 'process 11']) }).text).toEqual([
      ...['v train.py x3 140 7 r0', ' 10 90 1 r0', ' v data worker x1 30 2', '  11 30 2', ' 15 20 7 r0'],
      ...['> train.py x3 130 3 r1', '> torchrun x1 0 0'],
    ]);
  });

  it('of a single process are open by themselves, and can be closed', () => {
    const one = { grouping: 'process', run: runOf(process(10, 1)), threads: frame('10 10 python3 90 1') } as const;
    expect(listed(one).text).toEqual(['v train.py x1 90 1', ' 10 90 1']);
    expect(listed({ ...one, toggled: new Set(['process 10']) }).text).toEqual(['> train.py x1 90 1']);
  });

  it('end with parents that are each other’s, or lie a thousand deep', () => {
    const circle = runOf(process(10, 11), process(11, 10));
    const threads = frame('10 10 python3 90 1', '11 11 python3 80 1');
    const keys = (pids: readonly number[]) => new Set(pids.map((pid) => `process ${pid}`));
    expect(
      listed({ grouping: 'process', run: circle, threads, toggled: keys([11]) }).rows.map(({ tid }) => tid),
    ).toEqual([10, 10, 11, 11]);
    const pids = Array.from({ length: 1000 }, (_, i) => i + 1);
    const deep = runOf(...pids.map((pid) => process(pid, pid - 1)));
    const many = frame(...pids.map((pid) => `${pid} ${pid} python3 10 1`));
    const { rows, total } = listed({ grouping: 'process', run: deep, threads: many, toggled: keys(pids) });
    expect(total).toBe(1000);
    expect(rows.filter(({ group }) => group === undefined).map(({ tid }) => tid)).toHaveLength(new Set(pids).size);
  });
});

describe('threads that came or went', () => {
  const lives = {
    born: new Map([['10:15', now - 1000]]),
    gone: [{ pid: 10, tid: 16, comm: 'pt_autograd_0', name: 'old', at: now - 1000, cpuPercent: 22 }],
  };
  it('are marked, those that went in the place that they had', () => {
    const { rows } = listed({ lives, filter: 'autograd' });
    expect(rows.map(({ tid, life, cpuPercent, name }) => [tid, life, cpuPercent, name])).toEqual([
      [25, undefined, 25, undefined],
      [16, 'gone', undefined, 'old'],
      [15, 'new', 20, undefined],
    ]);
  });

  it('count in no sum of their group once they are gone', () => {
    const open = listed({ lives, grouping: 'role', filter: 'autograd', toggled: new Set(['role autograd']) });
    expect(open.text[0]).toBe('v autograd x2 45 7');
    expect(open.rows).toHaveLength(4);
  });
});
