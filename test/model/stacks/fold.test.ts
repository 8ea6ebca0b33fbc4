import { expect, test } from 'vitest';
import { foldResults } from '../../../src/model/stacks/fold.ts';
import { exportSpeedscope } from '../../../src/model/stacks/export/speedscope.ts';
import { layoutFlame } from '../../../src/model/stacks/flame-layout.ts';
import { flameTree } from '../../../src/model/stacks/flame.ts';
import { groupStacks } from '../../../src/model/stacks/group.ts';
import { captureOf, context, dumpOf, folded, frames, nativeThreads, recorded, thread } from './made.ts';

const loop = frames('step (model.py:7)', '<module> (train.py:3)');
const wait = frames('wait (threading.py:300)', 'get (queue.py:180)', '<module> (train.py:4)');

test('a record keeps every count, and a thread that is not Python its own', () => {
  const { unit, rate, samples, count, stacks } = folded([recorded('h200-launch_bound-record.txt')]);
  expect({ unit, rate, samples, count }).toEqual({ unit: 'samples', rate: 20, samples: 80, count: 156 });
  // py-spy said so itself: Samples: 156.
  expect(stacks[0]).toMatchObject({ tid: 1312, thread: 'thread 1312', role: 'unnamed', count: 78, frames: [] });
  const main = stacks.filter(({ role }) => role === 'main');
  expect(main.reduce((sum, stack) => sum + stack.count, 0)).toBe(78);
  expect(main.every(({ tid, pid }) => tid === 1286 && pid === 1286)).toBe(true);
});

test('dumps are looks: equal stacks of a thread are counted, and with what state', () => {
  const idle = thread('MainThread', 5, loop);
  const result = folded([
    dumpOf(5, [idle, thread('loader-0', 6, wait)]),
    dumpOf(5, [{ ...idle, active: true, ownsGil: true }, thread('loader-0', 6, wait)]),
    dumpOf(5, [], { failure: 'py-spy: no such process' }),
  ]);
  expect(result).toMatchObject({ unit: 'dumps', samples: 2, errors: 1, count: 4 });
  expect(result.rate).toBeUndefined();
  expect(result.processes[0]).toMatchObject({ pid: 5, samples: 2, errors: 1, failure: 'py-spy: no such process' });
  expect(result.stacks.find(({ role }) => role === 'loader')).toMatchObject({ count: 2, active: 0, gil: 0 });
  const main = result.stacks.filter(({ role }) => role === 'main');
  // Who holds the GIL is of another class than who waits at the same place.
  expect(main.map(({ count, gil, active }) => [count, gil, active]).sort()).toEqual([
    [1, 0, 0],
    [1, 1, 1],
  ]);
});

test('a stack of many dumps is as many as each dump alone says: what held the GIL, what worked, what slept', () => {
  const many = recorded('h200-launch_bound-record.txt', {
    what: 'many',
    threads: [{ tid: 1, name: 'MainThread' }, { tid: 2 }],
    frames: loop,
    stacks: [
      { thread: 0, frames: [0, 1], count: 10, active: 7, gil: 4 },
      // A thread of machine code only, such as autograd's on the H200: active in five of ten dumps, it was said to be idle in all.
      { thread: 1, frames: [], count: 10, active: 5, gil: 0 },
    ],
  });
  const parts = folded([many]).stacks.map(({ tid, class: of, count, active, gil }) => [tid, of, count, active, gil]);
  expect(parts.sort()).toEqual([
    [1, 'Python', 4, 4, 4],
    [1, 'idle', 3, 0, 0],
    [1, 'native', 3, 3, 0],
    [2, 'idle', 5, 0, 0],
    [2, 'native', 5, 5, 0],
  ]);
});

test('of a GIL capture every count held it', () => {
  const gil = recorded('h200-launch_bound-record.txt', { what: 'gil' });
  const result = folded([gil]);
  expect(result.gilOnly).toBe(true);
  expect(result.stacks.every(({ gil: held, count }) => held === count)).toBe(true);
});

test('names come from the dump, else from an earlier one, else from the kernel, else from the number', () => {
  const { stacks } = foldResults(
    [
      dumpOf(
        5,
        [1, 2, 3].map((tid) => thread(undefined, tid, loop)),
      ),
    ],
    {
      ...context(),
      threadNames: new Map([['5:1', 'prefetch-0']]),
      threads: { pid: [5, 5], tid: [1, 2], comm: ['python3', 'pt_autograd_0'] },
    },
  );
  expect(stacks.map(({ thread: name }) => name)).toEqual(['prefetch-0', 'pt_autograd_0', 'thread 3']);
});

test('equal frames of other processes are one, though machine code lies elsewhere there', () => {
  const dump = (pid: number, shift: string) => {
    const code = frames(`0x7f${shift}98e51 (libc.so.6)`, 'pthread_cond_wait (libc.so.6)', 'loop (train.py:9)');
    return dumpOf(pid, [thread('MainThread', pid, code)]);
  };
  const [group] = groupStacks(folded([dump(1, 'd007c'), dump(2, 'aa41b')], { 1: 0, 2: 1 }), 'role');
  expect(group?.stacks).toHaveLength(1);
  expect(group?.stacks[0]).toMatchObject({ count: 2, share: 1, ranks: [0, 1] });
});

test('groups: roles over processes, threads one by one, processes in the order of ranks', () => {
  const ranks = { 20: 1, 10: 0 };
  const dumps = [20, 10].map((pid) =>
    dumpOf(pid, [
      thread('MainThread', pid, loop),
      thread('loader-0', pid + 1, wait),
      thread('loader-1', pid + 2, wait),
    ]),
  );
  const all = folded(dumps, ranks);
  expect(groupStacks(all, 'role').map(({ title, threads, count, share }) => [title, threads, count, share])).toEqual([
    ['loader', 4, 4, 4 / 6],
    ['main', 2, 2, 2 / 6],
  ]);
  expect(groupStacks(all, 'process').map(({ title }) => title)).toEqual(['rank 0 · PID 10', 'rank 1 · PID 20']);
  expect(groupStacks(all, 'thread').map(({ title }) => title)).toContain('loader-1 · TID 22');
  const shares = groupStacks(all, 'role').flatMap(({ stacks }) => stacks.map(({ share }) => share));
  expect(shares).toEqual([1, 1]);
});

test('native dumps of the H200 keep libraries and Python in one stack', () => {
  const { stacks, native } = folded([dumpOf(426, nativeThreads('h200-compute_bound-native.txt'), { native: true })]);
  expect(native).toBe(true);
  const main = stacks.find(({ role }) => role === 'main');
  expect(main?.frames[1]).toEqual({ function: 'pthread_cond_wait', file: 'libc.so.6', native: true });
  expect(main?.frames.at(-2)).toEqual({ function: '<module>', file: 'scenarios.py', line: 23 });
});

test('after a lowered rate each sample stands for more time, in every share', () => {
  const part = (rate: number, seconds: number, at: number) =>
    recorded('h200-launch_bound-record.txt', {
      rate,
      seconds,
      samples: rate * seconds,
      threads: [{ tid: 1, name: 'MainThread' }],
      frames: [...loop, ...wait],
      stacks: [{ thread: 0, frames: at === 0 ? [0, 1] : [2, 3, 4], count: rate * seconds }],
    });
  // Five seconds in the loop, then fifteen in a wait.
  const result = folded([part(20, 5, 0), part(10, 15, 1)]);
  expect(result).toMatchObject({ rate: 20, lowestRate: 10, samples: 250, count: 250, weight: 400 });
  const [group] = groupStacks(result, 'role');
  expect(group?.stacks.map(({ frames: [frame], count, share }) => [frame?.function, count, share])).toEqual([
    ['wait', 150, 0.75],
    ['step', 100, 0.25],
  ]);
  const flame = flameTree(result.stacks);
  expect(layoutFlame(flame, { width: 40 }).rows.at(-1)).toMatchObject([{ width: 30 }]);
  const { profiles } = JSON.parse(exportSpeedscope(result, { host: 'h', capture: captureOf(), versions: [] }));
  expect(profiles[0]).toMatchObject({ unit: 'seconds', weights: [15, 5], endValue: 20 });
});

test('no results are no stacks, and no figure', () => {
  const empty = folded([]);
  expect(empty).toMatchObject({ samples: 0, count: 0, stacks: [], processes: [] });
  expect(groupStacks(empty, 'role')).toEqual([]);
});
