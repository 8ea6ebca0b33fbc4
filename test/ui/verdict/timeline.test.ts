import { describe, expect, test } from 'vitest';
import type { State } from '../../../src/model/state.ts';
import type { Verdict } from '../../../src/model/verdict-samples.ts';
import { createTheme } from '../../../src/ui/theme.ts';
import { renderLine } from '../../../src/ui/parts/render-line.ts';
import { legendOf, timeline } from '../../../src/ui/verdict/timeline.ts';
import { start } from '../made-store.ts';
import { hang, none, stateOf, textOf, throttled, told } from './made.ts';

const compute: Verdict = { ...hang, ...none, situation: 'compute-bound', scope: {} };
const minute = 60_000;

/** What was first, each for so many seconds, told every five; the last ends at the start of the made store. */
function stateAfter(...stretches: readonly (readonly [seconds: number, verdict: Verdict | undefined])[]): State {
  const total = stretches.reduce((sum, [seconds]) => sum + seconds, 0);
  let time = start - total * 1000;
  const samples = stretches.flatMap(([seconds, verdict]) => {
    const from = time;
    time += seconds * 1000;
    if (!verdict) return [];
    return Array.from({ length: seconds / 5 + 1 }, (_, i) => told(from + i * 5000, verdict));
  });
  return stateOf(...samples);
}

const row = (state: State, width = 60) => timeline({ state, to: start, windowMs: 10 * minute, width });

test('each stretch begins with its word and is as long as it lasted', () => {
  const { line, letters } = row(stateAfter([300, compute], [200, throttled], [100, hang]));
  expect(textOf(line)).toBe(`${'compute'.padEnd(30, '━')}${'throttled'.padEnd(20, '━')}${'hang'.padEnd(10, '━')}`);
  expect(letters).toEqual([]);
  expect(line.map(({ tone }) => tone)).toEqual(['ok', 'bad', 'bad']);
});

test('where its word has no room there is its letter, which the legend explains', () => {
  const { line, letters } = row(stateAfter([500, compute], [70, throttled], [30, hang]));
  expect(textOf(line)).toBe(`${'compute'.padEnd(50, '━')}T━━━━━━H━━`);
  expect(textOf(legendOf(letters))).toBe('T throttled  H hang');
});

test('of several in one cell the worst is shown: a hang of two seconds is not lost', () => {
  const { line } = timeline({
    state: stateAfter([3000, compute], [5, hang], [595, compute]),
    to: start,
    windowMs: 60 * minute,
    width: 60,
  });
  expect(textOf(line)).toMatch(/^compute━+Hcompute━━$/);
});

test('a time of which nothing was told is blank, and what holds still is told of until now', () => {
  const gap = row(stateAfter([200, compute], [200, undefined], [200, compute]));
  expect(textOf(gap.line)).toBe(`${'compute'.padEnd(20, '━')}${' '.repeat(20)}${'compute'.padEnd(20, '━')}`);
  const state = { ...stateAfter([600, compute]), committedAt: start + 10_000 };
  expect(textOf(timeline({ state, to: start + 10_000, windowMs: 10 * minute, width: 60 }).line)).toMatch(/━$/);
  const old = { ...state, committedAt: start + 60_000 };
  expect(textOf(timeline({ state: old, to: start + 60_000, windowMs: 10 * minute, width: 60 }).line)).toMatch(/━ {6}$/);
});

describe('the row', () => {
  const state = stateAfter([300, compute], [100, undefined], [200, throttled]);

  test('has the width it is given, at every width', () => {
    for (let width = 1; width <= 200; width++) expect(textOf(row(state, width).line)).toHaveLength(width);
  });

  test('reads without colours and in ASCII', () => {
    const theme = createTheme({ NO_COLOR: '1', TRAINTOP_ASCII: '1' });
    const text = renderLine({ line: row(state).line, width: 60, theme }).replace(/\x1b\[[\d;]*m/g, '');
    expect(text).toBe(`${'compute'.padEnd(30, '=')}${' '.repeat(10)}${'throttled'.padEnd(20, '=')}`);
  });
});
