import { describe, expect, test } from 'vitest';
import { oddRanks } from '../../../src/model/stacks/odd-ranks.ts';
import { folded, foldedOf, frames, dumpOf, thread, recorded } from './made.ts';

const spin = frames(
  'wait (torch/distributed.py:80)',
  'all_reduce (torch/distributed.py:20)',
  'step (train.py:9)',
  'main (train.py:30)',
);
const sleep = frames('sleep_a_while (train.py:70)', 'step (train.py:8)', 'main (train.py:30)');
/** One array a stack, as foldResults gives. */
const at = (line: number) => frames(`step (train.py:${line})`, 'main (train.py:30)');

describe('a dump of each rank', () => {
  test('the one that differs is on top, with where it parts from the others', () => {
    const stacks = [0, 1, 2, 3, 4, 5, 6, 7].map((rank) => ({ rank, frames: rank === 5 ? sleep : spin }));
    const [main] = oddRanks(foldedOf(stacks));
    expect(main).toMatchObject({ role: 'main', by: 'line', odd: [5], because: 'majority' });
    expect(main?.groups.map(({ ranks }) => ranks)).toEqual([[5], [0, 1, 2, 3, 4, 6, 7]]);
    expect(main?.groups[0]?.parting).toEqual({
      after: sleep[2],
      here: sleep[1],
      there: spin[2],
    });
    expect(main?.groups[1]?.parting).toBeUndefined();
  });

  test('the same function at another line is odd where the others are alike to the line', () => {
    const [own, other] = [at(9), at(12)];
    const stacks = [0, 1, 2].map((rank) => ({ rank, frames: rank === 1 ? own : other }));
    expect(oddRanks(foldedOf(stacks))[0]).toMatchObject({ by: 'line', odd: [1] });
  });

  test('ranks that run, each at its own line, are alike', () => {
    const stacks = [0, 1, 2, 3].map((rank) => ({ rank, frames: at(9 + rank) }));
    expect(oddRanks(foldedOf(stacks))[0]).toMatchObject({ by: 'function', odd: [] });
  });

  test('all alike: one group, and none is odd', () => {
    const [main] = oddRanks(foldedOf([0, 1, 2].map((rank) => ({ rank, frames: spin }))));
    expect(main).toMatchObject({ by: 'line', odd: [] });
    expect(main?.groups).toHaveLength(1);
    expect(main).not.toHaveProperty('because');
  });

  test('of two ranks the one that is not in the collective is odd: the other waits for it', () => {
    const [main] = oddRanks(
      foldedOf([
        { rank: 0, frames: spin, class: 'collective' },
        { rank: 1, frames: sleep, class: 'idle' },
      ]),
    );
    expect(main).toMatchObject({ by: 'class', odd: [1], because: 'collective' });
    expect(main?.groups.map(({ ranks }) => ranks)).toEqual([[1], [0]]);
  });

  test('of two ranks at different places outside of a collective none is odd: nothing tells which', () => {
    const [main] = oddRanks(
      foldedOf([
        { rank: 0, frames: at(1), class: 'Python' },
        { rank: 1, frames: sleep, class: 'idle' },
      ]),
    );
    expect(main).toMatchObject({ by: 'class', odd: [] });
    expect(main?.groups).toHaveLength(2);
  });

  test('a rank without the thread that the others have is odd', () => {
    const all = folded(
      [0, 1, 2].map((rank) =>
        dumpOf(rank + 1, [
          thread('MainThread', rank + 1, spin),
          ...(rank === 2 ? [] : [thread('prefetch-0', rank + 10, sleep)]),
        ]),
      ),
      { 1: 0, 2: 1, 3: 2 },
    );
    const [first] = oddRanks(all);
    expect(first).toMatchObject({ role: 'prefetch', odd: [2] });
    expect(first?.groups[0]).toMatchObject({ ranks: [2], stacks: [] });
  });

  test('workers have no order: the same work on other threads is alike', () => {
    const [a, b] = [at(1), sleep];
    const stacks = [0, 1, 2].flatMap((rank) =>
      [rank % 2 === 0 ? a : b, rank % 2 === 0 ? b : a].map((stack, i) => ({
        rank,
        tid: 100 * rank + i,
        thread: `worker-${i}`,
        role: 'worker',
        frames: stack,
      })),
    );
    expect(oddRanks(foldedOf(stacks))[0]).toMatchObject({ by: 'line', odd: [] });
  });
});

describe('many looks', () => {
  test('a rank that stands still among those that move is odd', () => {
    const places = [1, 2, 3, 4].map((line) => frames(`f${line} (train.py:${line})`, 'main (train.py:30)'));
    const stacks = [0, 1, 2, 3].flatMap((rank) =>
      rank === 2 ? [{ rank, frames: sleep, count: 40 }] : places.map((stack) => ({ rank, frames: stack, count: 10 })),
    );
    const [main] = oddRanks(foldedOf(stacks));
    expect(main).toMatchObject({ odd: [2], because: 'majority' });
    expect(main?.groups.map(({ moving }) => moving)).toEqual([false, true]);
  });

  test('ranks of one real record, all moving, are alike', () => {
    const results = [0, 1, 2].map((rank) => recorded('h200-launch_bound-record.txt', { pid: rank + 1 }));
    expect(oddRanks(folded(results, { 1: 0, 2: 1, 3: 2 })).every(({ odd }) => odd.length === 0)).toBe(true);
  });
});

test('one rank, or none, is not compared', () => {
  expect(oddRanks(foldedOf([{ rank: 0, frames: spin }]))).toEqual([]);
  expect(oddRanks(foldedOf([{ frames: spin }, { pid: 9, frames: sleep }]))).toEqual([]);
});
