import { expect, test } from 'vitest';
import { readingRows } from '../../../src/ui/captures/rows.ts';
import { progressLine } from '../../../src/ui/captures/progress.ts';
import { initialReading } from '../../../src/ui/reading-state.ts';
import { expectedCost } from '../../../src/model/capture-cost.ts';
import { fill, makeCapture, makeControls, makeStacks } from '../made-store.ts';
import { show } from '../shown.tsx';

const pids = [4022, 4023, 4024, 4025, 4026, 4027, 4028, 4029];

/** A dump of all ranks, of which the fourth is elsewhere. */
function dumpOfAll(controls = makeControls()) {
  const { store, clock } = controls;
  fill(controls, 3);
  const time = clock.now();
  for (const pid of pids) {
    const stacks = makeStacks(time, pid);
    const odd = { function: 'save', file: '/home/ml/pipeline/checkpoint.py', line: 3 };
    const threads = stacks.threads.map((thread, i) =>
      pid === 4025 && i === 0 ? { ...thread, frames: [odd, ...thread.frames] } : thread,
    );
    store.push({ ...stacks, threads, capture: 'all' });
  }
  store.push(makeCapture({ id: 'all', state: 'done', pids, startedAt: time, endedAt: time }));
  clock.advance(100);
  return controls;
}

test('the rank that is odd is the first row; the rows of a capture are made once', () => {
  const { store } = dumpOfAll();
  const reading = { ...initialReading, capture: 'all' };
  const rows = readingRows(store.getState(), reading);
  expect(rows[0]).toMatchObject({ kind: 'odd', comparison: { role: 'main', odd: [3] } });
  expect(rows.slice(1).map((row) => row.kind)).toContain('group');
  expect(readingRows(store.getState(), { ...reading, cursor: 2 })).toBe(rows);
});

test('on the screen the odd rank says where it parts from the others', async () => {
  const shown = show({ size: '120x40' });
  dumpOfAll(shown.controls);
  await shown.keys('S', '\r');
  await shown.see(/▲ rank 3 in main: unlike the others/);
  await shown.see(/rank 3 {2}/);
  await shown.see(/ranks 0-2, 4-7/);
  await shown.see(/save +\S*checkpoint\.py:3/);
});

test('beside a stack stands why it is of its class, also where the kernel told it', async () => {
  const shown = show({ size: '120x40' });
  const { store, clock } = shown.controls;
  const time = clock.now();
  const stacks = makeStacks(time);
  const threads = stacks.threads.map((thread) => ({ ...thread, active: false, ownsGil: false, stillIn: 'futex' }));
  store.push({ ...stacks, threads, capture: 'still' });
  store.push(makeCapture({ id: 'still', state: 'done', pids: [4022], startedAt: time, endedAt: time }));
  clock.advance(100);
  await shown.keys('S', '\r');
  await shown.see(/lock wait {2}waits in a futex, for another thread/);
  await shown.see(/│ seen once · rank 0/);
});

test('the difference of two captures: shares before and after, what is new, what is gone', async () => {
  const shown = show({ size: '120x40' });
  const { store, clock } = shown.controls;
  const time = clock.now();
  const push = (id: string, at: number, threads = makeStacks(at).threads) => {
    store.push({ ...makeStacks(at), threads, capture: id });
    store.push(makeCapture({ id, state: 'done', pids: [4022], startedAt: at, endedAt: at }));
    clock.advance(100);
  };
  push('before', time);
  await shown.keys('S', '\r');
  await shown.see(/Stacks: dump of/);
  await shown.keys('=');
  const save = { function: 'save', file: '/home/ml/pipeline/checkpoint.py', line: 3 };
  const { threads } = makeStacks(time);
  push(
    'after',
    time + 5000,
    threads.map((thread, i) => (i === 0 ? { ...thread, frames: [save, ...thread.frames] } : thread)),
  );
  await shown.keys('\x1b', 'Home', '\r');
  await shown.keys('=');
  await shown.see(/Difference: dump of .* \(PID 4022\)/);
  await shown.see(/Before: dump of .*Shares are of each role; changes in points\./);
  await shown.see(/ROLE +BEFORE +AFTER +CHANGE/);
  await shown.see(/ {4}save +0% +100% +new/);
  await shown.see(/hs_reader +same /);
  await shown.see(/ {4}step +100% +0% +gone/);
});

test('the row of a capture says what is left, what came, and how it ended', () => {
  const { store, clock } = makeControls();
  const line = (now: number) =>
    progressLine({
      state: store.getState(),
      reading: { seen: new Set() },
      now,
      width: 110,
      turn: 0,
      isLive: true,
    })
      .map(({ text }) => text)
      .join('');
  const startedAt = clock.now();
  const record = makeCapture({ id: 'r', what: 'record', startedAt, plannedMs: 30_000, rate: 20 });
  store.push(record);
  clock.advance(100);
  expect(line(startedAt + 10_000)).toMatch(/record of PID 4022 · .* · 20s left · 20\/s +x ends it/);
  expect(line(startedAt + 40_000)).toMatch(/py-spy is 10s late/);
  const end = { endedAt: startedAt + 31_000, samples: 600, errors: 2 };
  store.push({ ...record, ...end, state: 'done' });
  clock.advance(100);
  expect(line(startedAt + 32_000)).toMatch(/record of PID 4022 done · 600 samples · 2 errors · in 31s +S opens it/);
  expect(line(startedAt + 92_000)).toBe('');
});

test('what a capture costs follows from threads and rate, and says when it is too much', () => {
  const cost = (threads: number | undefined, more = {}) =>
    expectedCost({ what: 'record', pids: [1], ...more }, threads).join(' ');
  expect(cost(100)).toBe(
    '20 samples a second of 100 threads for 30 s: about 46 % of a core for py-spy. The process is not held.',
  );
  expect(cost(400)).toMatch(/more than one py-spy can do.*About 9 a second/);
  expect(cost(100, { blocking: true })).toMatch(/held for each sample, about 23 ms: it loses about 46 % of its time/);
  expect(cost(undefined)).toBe('The process is not held.');
  expect(cost(10, { pids: [1, 2, 3] })).toMatch(/^3 processes, 2 at a time; of each:/);
});
