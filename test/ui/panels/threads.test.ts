import { describe, expect, it } from 'vitest';
import type { Sample } from '../../../src/model/samples.ts';
import { threadLines, threadsPanel } from '../../../src/ui/panels/threads.tsx';
import type { Controls } from '../../../src/ui/controls.ts';
import { inputOf, madeStore, start, text } from './made.ts';

const dump: Sample = {
  kind: 'stacks',
  source: 'stacks',
  host: 'h',
  // As the last frame: a Sample of long before it would say that the clock was set back.
  time: start + 90_000,
  receivedAt: start + 90_000,
  pid: 572,
  command: 'py-spy',
  threads: [{ name: 'target-2', tid: 602, active: true, ownsGil: false, frames: [] }],
};
const store = madeStore({ processes: 2, more: [dump] });
const draw = (width: number, changes: Parameters<typeof inputOf>[1] = {}) =>
  text(threadLines(inputOf(store, { width, height: 8, ...changes })).lines);
const note = (view: object) =>
  (threadLines(inputOf(store, { view })).note ?? []).map((segment) => segment.text).join('');

describe('the Threads panel', () => {
  it('in a 60-column pane', () =>
    expect(draw(56).join('\n')).toMatchInlineSnapshot(`
      "    TID NAME              RANK          CPU% S      60 s
          600 python3             r0 ▇▇▇▇▇▇▄  99.0 R ⣿⣿⣿⣿⣿⣿⣿⣿⣿
          601 target              r1 ▇▇▇▇▇▄·  89.0 R ⣿⣿⣿⣿⣿⣿⣿⣿⣿
          602 target-2            r0 ▇▇▇▇▇▄·  83.0 R ⣶⣶⣶⣶⣶⣶⣶⣶⣶
          603 loader              r1 ▇▇▇▇▄··  73.0 R ⣶⣶⣶⣶⣶⣶⣶⣶⣶
          604 pt_autograd_1       r0 ▇▇▇▇▄··  67.0 S ⣶⣶⣶⣶⣶⣶⣶⣶⣶
          605 cuda-EvtHandlr      r1 ▇▇▇▄···  57.0 S ⣤⣤⣤⣤⣤⣤⣤⣤⣤
      … 48 idle threads (H shows them)"
    `));
  it('at 80 columns', () =>
    expect(draw(76).join('\n')).toMatchInlineSnapshot(`
      "    PID     TID NAME              RANK           CPU% WAIT% S CORE      60 s
          572     600 python3             r0 ▇▇▇▇▇▇▄▄  99.0   0.1 R    0 ⣿⣿⣿⣿⣿⣿⣿⣿⣿
         1572     601 target              r1 ▇▇▇▇▇▇▄·  89.0   0.1 R    1 ⣿⣿⣿⣿⣿⣿⣿⣿⣿
          572     602 target-2            r0 ▇▇▇▇▇▄▄·  83.0  14.2 R    2 ⣶⣶⣶⣶⣶⣶⣶⣶⣶
         1572     603 loader              r1 ▇▇▇▇▇▄··  73.0  60.0 R    3 ⣶⣶⣶⣶⣶⣶⣶⣶⣶
          572     604 pt_autograd_1       r0 ▇▇▇▇▄···  67.0   0.1 S    4 ⣶⣶⣶⣶⣶⣶⣶⣶⣶
         1572     605 cuda-EvtHandlr      r1 ▇▇▇▇▄···  57.0   0.1 S    5 ⣤⣤⣤⣤⣤⣤⣤⣤⣤
      … 48 idle threads (H shows them)"
    `));
  it('at 120 columns', () =>
    expect(draw(116).join('\n')).toMatchInlineSnapshot(`
      "    PID     TID NAME                ROLE             RANK             CPU%  USER   SYS WAIT% S      CORE        60 s
          572     600 python3                                r0 ▇▇▇▇▇▇▇▇▄▄  99.0  79.2  19.8   0.1 run       0 ⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿
         1572     601 target                                 r1 ▇▇▇▇▇▇▇▄▄·  89.0  71.2  17.8   0.1 run       1 ⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿
          572     602 target-2            target             r0 ▇▇▇▇▇▇▇▄··  83.0  66.4  16.6  14.2 run       2 ⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶
         1572     603 loader                                 r1 ▇▇▇▇▇▇▄···  73.0  58.4  14.6  60.0 run       3 ⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶
          572     604 pt_autograd_1       autograd           r0 ▇▇▇▇▇▄▄···  67.0  53.6  13.4   0.1 sleep     4 ⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶
         1572     605 cuda-EvtHandlr      cuda events        r1 ▇▇▇▇▇▄····  57.0  45.6  11.4   0.1 sleep     5 ⣤⣤⣤⣤⣤⣤⣤⣤⣤⣤⣤
      … 48 idle threads (H shows them)"
    `));
  it('at 200 columns', () =>
    expect(draw(196).join('\n')).toMatchInlineSnapshot(`
      "    PID     TID NAME                         ROLE             COMM            RANK               CPU%  USER   SYS WAIT% S      CORE                           60 s
          572     600 python3                                                         r0 ▇▇▇▇▇▇▇▇▇▇▄▄  99.0  79.2  19.8   0.1 run       0 ⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿
         1572     601 target                                                          r1 ▇▇▇▇▇▇▇▇▇▄▄·  89.0  71.2  17.8   0.1 run       1 ⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿
          572     602 target-2                     target           drafter           r0 ▇▇▇▇▇▇▇▇▄▄··  83.0  66.4  16.6  14.2 run       2 ⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶
         1572     603 loader                                                          r1 ▇▇▇▇▇▇▇▄▄···  73.0  58.4  14.6  60.0 run       3 ⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶
          572     604 pt_autograd_1                autograd                           r0 ▇▇▇▇▇▇▄▄····  67.0  53.6  13.4   0.1 sleep     4 ⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶
         1572     605 cuda-EvtHandlr               cuda events                        r1 ▇▇▇▇▇▄▄·····  57.0  45.6  11.4   0.1 sleep     5 ⣤⣤⣤⣤⣤⣤⣤⣤⣤⣤⣤⣤⣤⣤⣤⣤⣤⣤⣤⣤⣤⣤⣤⣤⣤⣤⣤⣤⣤⣤
      … 48 idle threads (H shows them)"
    `));

  it('shows no PID and no rank where there is one process without one', () => {
    const [header = ''] = text(threadLines(inputOf(madeStore(), { width: 196 })).lines);
    expect(header).not.toMatch(/PID|RANK|COMM/);
  });

  it('has a column for comm only where one tells more than the name from the dump', () => {
    const named = (name: string, tid: number, row: { comm: string; tid: number }) => {
      const store = madeStore({
        lastThreads: (frame) => ({
          ...frame,
          tid: frame.tid.map((tid, i) => (i === 0 ? 572 : i === 2 ? row.tid : tid)),
          comm: frame.comm.map((comm, i) => (i === 0 ? 'python3' : i === 2 ? row.comm : comm)),
        }),
        more: [{ ...dump, threads: [{ name, tid, active: true, ownsGil: false, frames: [] }] }],
      });
      const [header = '', ...rows] = text(threadLines(inputOf(store, { width: 196 })).lines);
      expect(rows.join('\n')).toContain(name);
      return header.includes('COMM');
    };
    expect(named('drafter', 602, { comm: 'drafter', tid: 602 })).toBe(false);
    expect(named('hidden_state_reader', 602, { comm: 'hidden_state_re', tid: 602 })).toBe(false);
    expect(named('reader', 602, { comm: 'python3', tid: 602 })).toBe(false);
    expect(named('MainThread', 572, { comm: 'x', tid: 602 })).toBe(false);
    expect(named('Thread-3', 602, { comm: 'pt_data_pin', tid: 602 })).toBe(true);
  });

  it('draws the row under the cursor inverse, and scrolls to it', () => {
    const at = (cursor: number) =>
      threadLines(inputOf(store, { width: 76, height: 8, focused: true, view: { cursor } })).lines;
    const chosen = (cursor: number) =>
      at(cursor)
        .filter((line) => line[0]?.inverse)
        .map((line) => line[0]?.text.slice(8, 15).trim());
    expect(chosen(0)).toEqual(['600']);
    expect(chosen(9)).toEqual(['609']);
    expect(chosen(999)).toEqual(['611']);
    expect(
      threadLines(inputOf(store, { height: 8, view: { cursor: 1 } }))
        .lines.flat()
        .some((segment) => segment.inverse),
    ).toBe(false);
  });

  it('folds idle threads into the last line, unless they are asked for', () => {
    expect(draw(76).at(-1)).toBe('… 48 idle threads (H shows them)');
    expect(draw(76, { view: { showIdle: true } }).at(-1)).not.toMatch(/idle/);
    expect(draw(76, { view: { filter: '600' } })).toHaveLength(2);
    expect(draw(76, { view: { filter: '619' } }).at(-1)).toBe('… 1 idle thread (H shows them)');
    expect(draw(76, { view: { filter: 'no such' } })).toContain('no thread matches the filter');
  });

  it('says cores, counts, order and filter in the note', () => {
    expect(note({})).toBe('6.5 cores · 12 of 60 · by cpu');
    expect(note({ sort: 'name', filter: 'loader' })).toBe('6.5 cores · 2 of 60 · by name · /loader');
  });

  it('marks the title of the order', () => {
    const sorted = (sort: string | undefined) =>
      (threadLines(inputOf(store, { width: 116, view: { sort } })).lines[0] ?? [])
        .filter(({ tone }) => tone === 'title')
        .map((segment) => segment.text.trim());
    expect(['cpu', 'name', 'tid', 'wait', 'rank', undefined].map((sort) => sorted(sort)[0])).toEqual([
      'CPU%',
      'NAME',
      'TID',
      'WAIT%',
      'RANK',
      'CPU%',
    ]);
  });

  it('tells the keys how many rows there are and what is chosen', () => {
    const { state, view } = inputOf(store, { view: { cursor: 2 } });
    const controls = { store } as unknown as Controls;
    expect(threadsPanel.rowCount?.(state, view, controls)).toBe(12);
    expect(threadsPanel.rowCount?.(state, { ...view, showIdle: true }, controls)).toBe(60);
    expect(threadsPanel.selected?.(state, view, controls)).toEqual({ pid: 572, tid: 602 });
    expect(threadsPanel.selected?.(state, { ...view, filter: 'none' }, controls)).toBeUndefined();
  });
});
