import { describe, expect, it } from 'vitest';
import { logLines, logPanel } from '../../../src/ui/panels/log.tsx';
import type { Controls } from '../../../src/ui/controls.ts';
import { movedLog } from '../../../src/ui/panels/log-moves.ts';
import type { PanelView } from '../../../src/ui/panels/panel.ts';
import { inputOf, madeStore, start, text } from './made.ts';

const store = madeStore();
const draw = (changes: Parameters<typeof inputOf>[1] = {}) =>
  logLines(inputOf(store, { width: 76, height: 4, ...changes }));
const note = (changes: Parameters<typeof inputOf>[1]) =>
  (draw(changes).note ?? []).map((segment) => segment.text).join('');

describe('the Log panel', () => {
  it('in a 60-column pane', () =>
    expect(text(draw({ width: 56 }).lines).join('\n')).toMatchInlineSnapshot(`
    "[13:47:26] step 860 | loss 1.6400 | gnorm 0.680 | lr 6.…
    [13:47:28] step 880 | loss 1.6200 | gnorm 0.680 | lr 6.…
    [13:47:30] step 900 | loss 1.6000 | gnorm 0.680 | lr 6.…
    WARNING: loader fell behind by 90 batches"
  `));
  it('at 120 columns', () =>
    expect(text(draw({ width: 116 }).lines).join('\n')).toMatchInlineSnapshot(`
    "  [13:47:26] step 860 | loss 1.6400 | gnorm 0.680 | lr 6.00e-04 | 15.0K tok/s | q_hs=[41-43] q_out=3/64
      [13:47:28] step 880 | loss 1.6200 | gnorm 0.680 | lr 6.00e-04 | 15.1K tok/s | q_hs=[43-45] q_out=3/64
      [13:47:30] step 900 | loss 1.6000 | gnorm 0.680 | lr 6.00e-04 | 14.0K tok/s | q_hs=[45-47] q_out=3/64
    W WARNING: loader fell behind by 90 batches"
  `));

  it('follows its end, and stays where it was scrolled to', () => {
    const count = logPanel.rowCount?.(store.getState(), inputOf(store).view, { store } as unknown as Controls) ?? 0;
    expect(count).toBe(49);
    const up = (rows: number) => movedLog(store.getState(), inputOf(store).view, -rows);
    const scrolled = { focused: true, view: up(10) };
    expect(note(scrolled)).toBe('train.log · generic · 1 error · ↑ 10 lines from the end');
    expect(note({})).toBe('train.log · generic · 1 error');
    expect(draw(scrolled).lines.map((line) => line[0]?.inverse ?? false)).toEqual([false, false, false, true]);
    expect(text(draw({ view: up(99) }).lines)[0]).toMatch(/step 20 /);
    expect(movedLog(store.getState(), up(10), 10)).toMatchObject({ following: true });
  });

  it('shows matching lines only', () => {
    expect(text(draw({ view: { filter: 'nccl' } }).lines)).toEqual(['E ERROR: NCCL watchdog: collective timed out']);
    expect(text(draw({ view: { filter: '!step' } }).lines)).toHaveLength(4);
    expect(note({ view: { filter: 'nccl' } })).toBe('train.log · generic · 1 error · &nccl 1');
    expect(text(draw({ view: { filter: 'absent' } }).lines)).toEqual(['no line matches the filter']);
  });

  it('tells levels by tone and letter', () => {
    const lines = draw({ height: 48 }).lines.filter((line) => line[1]?.tone === 'bad' || line[1]?.tone === 'warn');
    expect(text(lines)).toEqual([
      'W WARNING: loader fell behind by 30 batches',
      'W WARNING: loader fell behind by 60 batches',
      'E ERROR: NCCL watchdog: collective timed out',
      'W WARNING: loader fell behind by 90 batches',
    ]);
  });

  it('lifts the numbers that were read from a line, and no others', () => {
    const line = draw({ width: 160 }).lines.find((segments) => text([segments])[0]?.includes('step 880')) ?? [];
    expect(line.filter(({ tone }) => tone === 'series5').map((segment) => segment.text)).toEqual([
      '880',
      '1.6200',
      '0.680',
      '6.00e-04',
      '43-45',
      '3/64',
    ]);
  });

  it('merges two logs by time, labelled by file name, or by folder where names are the same', () => {
    const shown = (...logs: string[]) =>
      text(logLines(inputOf(madeStore({ logs }), { width: 116, height: 3 })).lines).map((line) =>
        line.slice(0, 16).trim(),
      );
    expect(shown('/a/train.log', '/a/loader.log')).toEqual([
      'loader.log   [13',
      'train.log    [13',
      'train.log  W WAR',
    ]);
    expect(shown('/a/x.log', '/b/x.log')).toEqual(['b/x.log   [13:47', 'a/x.log   [13:47', 'a/x.log W WARNIN']);
  });

  it('cuts long lines by cells', () => {
    const more = [
      {
        kind: 'log',
        source: 'log',
        host: 'h',
        path: '/x',
        format: 'g',
        time: start,
        receivedAt: start,
        lines: [{ time: start, text: '日本語'.repeat(200) }],
      },
    ] as const;
    const [line = ''] = text(logLines(inputOf(madeStore({ logs: [], more }), { width: 20, height: 1 })).lines);
    expect(line).toBe('日本語日本語日本語…');
  });

  it('stands still while old lines go, with a filter too', () => {
    const { state, view } = inputOf(store);
    const logs = new Map(
      [...state.logs].map(([path, log]) => [path, { ...log, lines: log.lines.slice(5), dropped: log.dropped + 5 }]),
    );
    for (const filter of ['', 'step']) {
      const scrolled: PanelView = movedLog(state, { ...view, filter }, -30);
      const before = text(draw({ view: scrolled }).lines).at(-1);
      const drawn = logLines({
        ...inputOf(store, { width: 76, height: 4, view: scrolled }),
        state: { ...state, logs },
      });
      expect(text(drawn.lines).at(-1)).toBe(before);
    }
  });
});
