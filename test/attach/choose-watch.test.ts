import { expect, test } from 'vitest';
import { chooseWatch } from '../../src/attach/choose-watch.ts';
import type { WatchFile } from '../../src/attach/watch-lock.ts';

const watch = (name: string, target: string): WatchFile => ({
  ...{ name, target, pid: 7, machine: 'm', startedAt: Date.UTC(2026, 10, 30, 3, 12), demo: false, traintop: '1' },
  ...{ node: '/node', program: '/traintop' },
});
const both = [watch('gpu7-1a2b3c', 'gpu7'), watch('gpu8-4d5e6f', 'gpu8')];

test('one is taken, and of several the one that is named', () => {
  expect(chooseWatch(both.slice(0, 1), { where: 'trainer' })).toBe(both[0]);
  expect(chooseWatch(both, { where: 'trainer', name: 'gpu8' })).toBe(both[1]);
});

test.each([
  [
    both,
    undefined,
    /^2 watches run on trainer; choose one with --watch NAME:\n {2}gpu7-1a2b3c {2}gpu7, PID 7, since 2026-11-30 03:12 UTC\n/,
  ],
  [both, 'gpu', /^2 watches run/],
  [both, 'other', /^No watch on trainer is called other. There are:\n {2}gpu7/],
  [[], undefined, /^No watch runs on trainer: traintop --headless \[TARGET\] begins one\.$/],
])('else a sentence says what there is (%#)', (watches, name, sentence) => {
  expect(() => chooseWatch(watches, { where: 'trainer', ...(name !== undefined && { name }) })).toThrow(sentence);
});
