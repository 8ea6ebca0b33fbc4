import { expect, it } from 'vitest';
import { createStackFolder } from '../../../src/collectors/stacks/fold-stacks.ts';
import { foldRaw, readRaw } from '../../../src/collectors/stacks/profile.ts';
import { limits } from '../../../src/recording/limits.ts';

const frame = (name: string) => ({ function: name, file: '/w/train.py', line: 3 });

it('counts equal stacks of a thread together, the most frequent first', () => {
  const folder = createStackFolder();
  const a = { tid: 7, name: 'MainThread', frames: [frame('step'), frame('main')] };
  folder.add({ ...a, frames: [frame('load'), frame('main')] }, { count: 1, active: 1, gil: 0 });
  folder.add(a, { count: 2, active: 1, gil: 1 });
  folder.add(a, { count: 3, active: 2, gil: 0 });
  folder.add({ ...a, tid: 8 }, { count: 4 });
  expect(folder.folded()).toEqual({
    threads: [
      { tid: 7, name: 'MainThread' },
      { tid: 8, name: 'MainThread' },
    ],
    frames: [frame('step'), frame('main'), frame('load')],
    stacks: [
      { thread: 0, frames: [0, 1], count: 5, active: 3, gil: 1 },
      { thread: 1, frames: [0, 1], count: 4 },
      { thread: 0, frames: [2, 1], count: 1, active: 1, gil: 0 },
    ],
  });
});

it.each([
  ['different ones', 20_000, 4],
  ['deep ones', 1500, 1000],
])(
  'of too many %s keeps the most frequent, says how many are left out, and bears a line of a recording',
  (_, many, depth) => {
    const folder = createStackFolder();
    for (let n = 0; n < many; n++) {
      const frames = Array.from({ length: depth }, (_, i) => frame(i === 0 ? `f${n}` : `deep${i}`));
      folder.add({ tid: 1, name: 'x'.repeat(1000), frames }, { count: n === 3 ? 100 : 1 });
    }
    const { stacks, frames, threads, leftOut = 0 } = folder.folded();
    expect(stacks[0]?.count).toBe(100);
    expect(leftOut + stacks.reduce((sum, { count }) => sum + count, 0)).toBe(many + 99);
    expect(leftOut).toBeGreaterThan(0);
    expect(JSON.stringify({ stacks, frames, threads }).length).toBeLessThan(limits.line.value / 4);
    // The tables have nothing that no stack has.
    const used = new Set(stacks.flatMap((stack) => stack.frames));
    expect(used.size).toBe(frames.length);
  },
);

it('reads a record of py-spy 0.4.2: innermost first, looks by its busiest thread', () => {
  const text = `thread (7): Main Thread;<module> (train.py:9);step (train.py:3) 12
thread (7): Main Thread;<module> (train.py:9);load (data.py:4) 8
thread (8);std::wait(int (*)(void*)) (libc.so.6) 5
a broken line
`;
  expect(foldRaw(text)).toMatchObject({ counted: 25, most: 20 });
  const job = { what: 'record', rate: 20, seconds: 30 } as const;
  const answer = { outputs: [{ text, code: 0, errorText: '' }], progress: [], tookSeconds: 1.04, noFile: false };
  const progress = ["py-spy> Wrote raw flamegraph data to 'x'. Samples: 25 Errors: 3"];
  expect(readRaw({ ...answer, progress }, job)?.profile).toMatchObject({
    rate: 20,
    seconds: 1.04,
    samples: 20,
    errors: 3,
    threads: [{ tid: 7, name: 'Main Thread' }, { tid: 8 }],
    stacks: [{ count: 12 }, { count: 8 }, { count: 5 }],
  });
  expect(foldRaw(text).frames.at(-1)).toEqual({
    function: 'std::wait(int (*)(void*))',
    file: 'libc.so.6',
    native: true,
  });
  expect(readRaw({ ...answer, progress: ['Samples: 40 Errors: 0'] }, job)?.missing).toBe(15);
  expect(readRaw({ ...answer, outputs: [{ text, errorText: '' }] }, job)).toBeUndefined();
  expect(readRaw({ ...answer, noFile: true }, job)).toBeUndefined();
  // No thread was seen: no look is known.
  expect(readRaw({ ...answer, outputs: [{ text: '', code: 0, errorText: '' }] }, job)?.profile.samples).toBe(0);
});
