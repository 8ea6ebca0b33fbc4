import { expect, test } from 'vitest';
import { boxLines } from '../../src/ui/black-box/box-lines.ts';
import { boxStarts } from '../../src/ui/black-box/box-view.tsx';
import { emptyState, type State } from '../../src/model/state.ts';
import type { BlackBoxSample, CaptureSample } from '../../src/model/samples.ts';
import { saveState } from '../../src/model/saved-state.ts';

const at = Date.UTC(2026, 5, 12, 3, 0, 0);
const base = { host: 'h', time: at, receivedAt: at };
const box = (id: string, startedAt = at): BlackBoxSample => ({
  ...{
    kind: 'blackBox',
    ...base,
    source: 'black box',
    id,
    reason: 'Collective hang: rank 5 is missing.',
    state: 'partial',
  },
  ...{
    startedAt,
    endedAt: startedAt + 8000,
    captures: ['one', 'gone'],
    notes: ['Rank 17 left out.'],
    folder: '/data/x',
  },
  parts: [
    { name: 'log', takenAt: at, lines: ['== /l', `step 1 ${'x'.repeat(100)}`] },
    { name: 'verdict', takenAt: at, lines: ['collective hang'] },
    { name: 'kernel log', takenAt: at, failure: 'It may not be read.' },
  ],
});
const capture: CaptureSample = {
  ...{ kind: 'capture', ...base, source: 'stacks', id: 'one', what: 'dump', state: 'done', pids: [1, 2], samples: 2 },
  ...{ startedAt: at, plannedMs: 1, notes: [], files: [] },
};
const state: State = { ...emptyState(at), captures: [capture], blackBoxes: [box('b'), box('a', at - 60_000)] };

test('a box as text: why and when, its stacks, then what is read first; long lines wrap', () => {
  const { lines, sections } = boxLines(box('b'), state, 60);
  const text = lines.map((line) => line.map((each) => each.text).join(''));
  expect(text.every((row) => row.length <= 60)).toBe(true);
  expect(text.slice(0, 4)).toEqual([
    'Collective hang: rank 5 is missing.',
    expect.stringMatching(/^\d\d:00:00, taken in 8s; not all of it could be had\.$/),
    'Rank 17 left out.',
    '/data/x',
  ]);
  const titles = sections.map((row) => text[row]?.replace(/ {2}\d\d:\d\d:\d\d$/, ''));
  expect(titles).toEqual(['Stacks', 'Verdict and its evidence', "The kernel's log", 'Log']);
  expect(text.join('\n')).toMatch(/dump of 2 processes: done, 2 of 2\nCapture gone is not known here any more\./);
  expect(text).toContain('It may not be read.');
});

test('the last row can be at the bottom, and no further', () => {
  const size = { width: 60, height: 10 };
  const { count, sections } = boxStarts({ state, place: { id: 'a', top: 0 }, ...size });
  const { lines } = boxLines(box('a'), state, 56);
  expect(count).toBe(lines.length - 8 + 1);
  expect(sections[0]).toBe(5);
  expect(boxStarts({ state: emptyState(at), place: { id: undefined, top: 0 }, ...size }).count).toBe(1);
});

test('a saved state has the text of the newest two', () => {
  const boxes = ['d', 'c', 'b'].map((id) => box(id));
  const history = { series: [] } as unknown as Parameters<typeof saveState>[0]['history'];
  const { blackBoxes = [] } = saveState({ state: { ...state, blackBoxes: boxes }, history });
  expect(blackBoxes.map(({ parts }) => parts.filter(({ lines }) => lines).length)).toEqual([2, 2, 0]);
  expect(blackBoxes[2]?.parts[0]).toEqual({ name: 'log', takenAt: at, cut: true });
});
