import { describe, expect, test } from 'vitest';
import { diffFolded } from '../../../src/model/stacks/diff.ts';
import { whatRolesDid } from '../../../src/model/stacks/doing.ts';
import { groupStacks } from '../../../src/model/stacks/group.ts';
import { frameSearch, searchStacks } from '../../../src/model/stacks/search.ts';
import { dumpOf, folded, foldedOf, frames, nativeThreads, recorded } from './made.ts';

const compute = frames('matmul (torch/nn.py:5)', 'step (train.py:3)');
const wait = frames('wait (threading.py:300)', 'get (queue.py:180)', 'step (train.py:4)');
const save = frames('save (torch/serialization.py:900)', 'step (train.py:7)');

describe('the difference of two captures', () => {
  const before = foldedOf([
    { frames: compute, count: 90, class: 'kernel launch' },
    { frames: wait, count: 10, class: 'input wait' },
    { frames: save, role: 'saver', thread: 'saver', tid: 9, count: 100, class: 'file I/O' },
  ]);
  const after = foldedOf([
    { frames: compute, count: 20, class: 'kernel launch' },
    {
      frames: frames('wait (threading.py:320)', 'get (queue.py:180)', 'step (train.py:4)'),
      count: 30,
      class: 'input wait',
    },
    { frames: wait, role: 'prefetch', thread: 'prefetch', tid: 8, count: 50, class: 'input wait' },
  ]);

  test('shares of the role in percentage points, the largest change first', () => {
    const main = diffFolded(before, after).find(({ role }) => role === 'main');
    expect(main).toMatchObject({ beforeCount: 100, afterCount: 50 });
    expect(
      main?.classes.map(({ of, before: was, after: is, points }) => [of, was, is, Math.round(points ?? NaN)]),
    ).toEqual([
      ['kernel launch', 0.9, 0.4, -50],
      ['input wait', 0.1, 0.6, 50],
    ]);
    // The lines differ, the functions do not.
    expect(main?.stacks.map(({ only }) => only)).toEqual([undefined, undefined]);
  });

  test('by lines, what is only in one says so, and its share of the other is a counted 0', () => {
    const main = diffFolded(before, after, { lines: true }).find(({ role }) => role === 'main');
    const only = main?.stacks.filter((change) => change.only !== undefined);
    expect(only?.map(({ only: side, before: was, after: is }) => [side, was, is]).sort()).toEqual([
      ['after', 0, 0.6],
      ['before', 0.1, 0],
    ]);
  });

  test('a role of one capture has no share in the other: nobody looked', () => {
    const roles = diffFolded(before, after);
    expect(roles.map(({ role }) => role)).toEqual(['saver', 'prefetch', 'main']);
    const [saver] = roles;
    expect(saver).toMatchObject({ beforeCount: 100, classes: [{ before: 1, only: 'before' }] });
    for (const absent of ['afterCount', 'points', 'after']) {
      expect(saver).not.toHaveProperty(absent);
      expect(saver?.stacks[0]).not.toHaveProperty(absent);
    }
  });

  test('two captures of the H200: healthy launches, and an allocator that is emptied', () => {
    const [a, b] = ['h200-launch_bound-record.txt', 'h200-alloc_churn-record.txt'].map((name) =>
      folded([recorded(name)]),
    );
    if (!a || !b) throw new Error('no fixture');
    const main = diffFolded(a, b).find(({ role }) => role === 'main');
    // As awk counts the fixtures: 0 and 38 of 78, then 38 and 12 of 78.
    expect(main?.stacks[0]).toMatchObject({ before: 0, after: 38 / 78, only: 'after' });
    expect(main?.stacks[0]?.of[0]?.function).toBe('synchronize');
    expect(main?.stacks[1]).toMatchObject({ before: 38 / 78, after: 12 / 78 });
    expect(main?.stacks[1]?.of[0]?.function).toBe('_engine_run_backward');
    const points = main?.stacks.reduce((sum, change) => sum + (change.points ?? 0), 0);
    expect(points).toBeCloseTo(0, 6);
    expect(diffFolded(a, a).every(({ stacks }) => stacks.every((change) => change.points === 0 && !change.only))).toBe(
      true,
    );
  });

  test('a dump has whole paths and a record short ones: the same stack is the same', () => {
    const dump = foldedOf([
      { frames: frames('step (/usr/lib/python3/dist-packages/torch/optim/adam.py:9)', 'loop (/ws/train.py:3)') },
    ]);
    const record = foldedOf([{ frames: frames('step (torch/optim/adam.py:9)', 'loop (train.py:3)') }]);
    expect(diffFolded(dump, record)[0]?.stacks).toMatchObject([{ before: 1, after: 1, points: 0 }]);
  });
});

describe('what each role was doing', () => {
  test('classes and innermost functions with shares', () => {
    const [main] = whatRolesDid(
      foldedOf([
        { frames: compute, count: 6, class: 'kernel launch' },
        { frames: wait, count: 3, class: 'input wait' },
        { frames: frames('matmul (torch/nn.py:6)', 'step (train.py:3)'), count: 1, class: 'kernel launch' },
      ]),
    );
    expect(main?.classes).toEqual([
      { class: 'kernel launch', count: 7, share: 0.7 },
      { class: 'input wait', count: 3, share: 0.3 },
    ]);
    expect(main?.tops.map(({ frame, share }) => [frame?.function, share])).toEqual([
      ['matmul', 0.7],
      ['wait', 0.3],
    ]);
  });

  test('of machine code the Python function that called it is told too', () => {
    const threads = nativeThreads('h200-compute_bound-native.txt');
    const main = whatRolesDid(folded([dumpOf(426, threads)])).find(({ role }) => role === 'main');
    expect(main?.tops[0]?.frame?.file).toBe('libc.so.6');
    expect(main?.tops[0]?.caller?.function).toBe('_engine_run_backward');
  });
});

describe('a search', () => {
  const all = foldedOf([
    { frames: compute, count: 6, class: 'kernel launch', rank: 0 },
    { frames: wait, count: 3, class: 'input wait', rank: 1, role: 'loader', thread: 'prefetch-1' },
  ]);

  test.each([
    ['MATMUL', 1],
    ['queue.py', 1],
    ['prefetch', 1],
    ['loader', 1],
    ['input wait', 1],
    ['rank 1', 1],
    ['step', 2],
    ['!matmul', 1],
    ['nothing of it', 0],
    ['', 2],
  ])('%j finds %i', (text, count) => {
    expect(searchStacks(all, text).stacks).toHaveLength(count);
  });

  test('shares stay those of the whole capture', () => {
    expect(groupStacks(searchStacks(all, 'matmul'), 'role')[0]?.share).toBeCloseTo(6 / 9);
  });

  test('tells the frames that have it', () => {
    const found = frameSearch('queue');
    expect(wait.filter((frame) => found?.(frame)).map(({ function: name }) => name)).toEqual(['get']);
    expect(frameSearch('!queue')).toBeUndefined();
  });
});
