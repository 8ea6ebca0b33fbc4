import { expect, test } from 'vitest';
import type { TimelineSpan } from '../../src/commands/diagnose-course.ts';
import { timelineRows } from '../../src/commands/diagnose-timeline.ts';
import type { Situation } from '../../src/model/situations.ts';

const start = new Date(2026, 5, 12, 23, 59, 0).getTime();
const all = 120;

const span = (from: number, until: number, situation: Situation, scope = ''): TimelineSpan => ({
  ...{ situation, scope, about: {}, confidence: 1, share: (until - from) / all },
  ...{ from: start + 1000 * from, until: start + 1000 * until },
});

const rowsOf = (spans: readonly TimelineSpan[]) =>
  timelineRows(spans, 80).map((line) => line.map(({ text }) => text).join(''));

test('what one verdict was about for a moment makes no row of its own, a pause does, and so does another day', () => {
  const spans = [
    span(0, 2, 'compute-bound', 'GPU 1'),
    span(2, 30, 'compute-bound'),
    span(33, 36, 'compute-bound', 'GPUs 0-3'),
    span(36, 60, 'checkpointing'),
    span(66, 120, 'compute-bound', 'GPU 2'),
  ];
  expect(rowsOf(spans).slice(2)).toEqual([
    ' 2026-06-12',
    ' 23:59:00 to 23:59:36  0:36   28 %  compute-bound',
    ' 23:59:36 to 00:00:00  0:24   20 %  checkpointing',
    ' 2026-06-13',
    ' 00:00:06 to 00:01:00  0:54   45 %  compute-bound, GPU 2',
  ]);
});

test('many rows have their sum by situation, the longest first', () => {
  const spans = Array.from({ length: 10 }, (_, n) =>
    span(12 * n, 12 * n + (n % 2 === 0 ? 3 : 12), n % 2 === 0 ? 'checkpointing' : 'compute-bound'),
  );
  const rows = rowsOf(spans);
  expect(rows.slice(rows.indexOf(' together') + 1).map((row) => row.trim())).toEqual([
    '1:00   50 %  compute-bound',
    '0:15   13 %  checkpointing',
  ]);
});

test('a verdict that stood first all the time has none', () => {
  expect(rowsOf([span(0, 60, 'compute-bound', 'GPU 1'), span(60, 120, 'compute-bound')])).toEqual([]);
});
