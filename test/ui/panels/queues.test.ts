import { describe, expect, it } from 'vitest';
import type { QueueReading, Sample } from '../../../src/model/samples.ts';
import type { State } from '../../../src/model/store.ts';
import { queueLines } from '../../../src/ui/panels/queues.tsx';
import { inputOf, madeStore, saidInLog, start, text } from './made.ts';

const store = madeStore();
const draw = (width: number, height = 6) => text(queueLines(inputOf(store, { width, height })).lines).join('\n');

function read(queues: readonly QueueReading[]) {
  const { lines } = queueLines(saidInLog({ queues }, { width: 76, height: 12 }));
  return text(lines).slice(1);
}

describe('the Queues panel', () => {
  it('in a 60-column pane', () =>
    expect(draw(56)).toMatchInlineSnapshot(`
      "QUEUE   DEPTH        OF MIN-MAX HISTORY
      hs      ▇▇▇▇▇▃·  ~46/60   31-56 ⣤⣤⣤⣤⣶⣶⣶⣶ →
      out     ▂······    3/64       3 ⣀⣀⣀⣀⣀⣀⣀⣀ → producer slow
      STAGE          SHARE       AVG ms MAX ms CHANGE HISTORY
      target.model_… ▇▇▇▇▅·  78%   8.05   11.1   0.0% ⠉⠉⠉⠉⠉⠉⠉⠉
      drafter.forwa… ▇▂····  22%   2.25   4.08   0.0% ⠉⠉⠉⠉⠉⠉⠉⠉"
    `));
  it('at 80 columns', () =>
    expect(draw(76)).toMatchInlineSnapshot(`
      "QUEUE       DEPTH            OF MIN-MAX HISTORY
      hs          ▇▇▇▇▇▇▇▇▃··  ~46/60   31-56 ⣶⣶⣶⣶⣿⣤⣤⣤⣤⣶⣶⣶⣶ →
      out         ▄··········    3/64       3 ⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀ → empty, producer slow
      STAGE                 SHARE              AVG ms MAX ms CHANGE HISTORY
      target.model_forward  ▇▇▇▇▇▇▇▇▇▇▁··  78%   8.05   11.1   0.0% ⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉
      drafter.forward       ▇▇▆··········  22%   2.25   4.08   0.0% ⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉"
    `));
  it('at 120 columns', () =>
    expect(draw(116)).toMatchInlineSnapshot(`
      "QUEUE                DEPTH                     OF MIN-MAX HISTORY
      hs                   ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▂····  ~46/60   31-56 ⣤⣤⣤⣤⣶⣶⣶⣶⣶⣶⣶⣶⣿⣤⣤⣤⣤⣶⣶⣶⣶ →
      out                  ▇···················    3/64       3 ⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀ → empty: consumer waits for producer
      STAGE                    SHARE                     AVG ms MAX ms CHANGE HISTORY
      target.model_forward     ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▄····  78%   8.05   11.1   0.0%                  ⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉
      drafter.forward          ▇▇▇▇▃···············  22%   2.25   4.08   0.0%                  ⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉"
    `));
  it('at 200 columns', () =>
    expect(draw(196)).toMatchInlineSnapshot(`
      "QUEUE                DEPTH                         OF MIN-MAX HISTORY
      hs                   ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▃·····  ~46/60   31-56                ⣤⣤⣤⣶⣶⣶⣶⣶⣶⣶⣶⣿⣤⣤⣤⣤⣶⣶⣶⣶⣶⣶⣶⣿⣤⣤⣤⣤⣶⣶⣶⣶⣶⣶⣶⣶⣿⣤⣤⣤⣤⣶⣶⣶⣶ →
      out                  ▇▁······················    3/64       3                ⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀ → empty: consumer waits for producer
      STAGE                    SHARE                     AVG ms MAX ms CHANGE HISTORY
      target.model_forward     ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▄····  78%   8.05   11.1   0.0%                  ⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉
      drafter.forward          ▇▇▇▇▃···············  22%   2.25   4.08   0.0%                  ⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉"
    `));

  it('shows queues before stages, and their bar before titles', () => {
    expect(text(queueLines(inputOf(store, { width: 76, height: 2 })).lines).map((line) => line.split(' ')[0])).toEqual([
      'hs',
      'out',
    ]);
    expect(
      draw(76, 3)
        .split('\n')
        .map((line) => line.split(' ')[0]),
    ).toEqual(['hs', 'out', 'model_forward']);
  });

  it('says full and empty in words', () => {
    const rows = read([
      { name: 'a', depth: 16, capacity: 16 },
      { name: 'b', depth: 15, capacity: 16 },
      { name: 'c', depth: 8, capacity: 16 },
      { name: 'd', depth: 1, capacity: 16 },
      { name: 'e', depth: 0, capacity: 16 },
      { name: 'f', depth: 0 },
      { name: 'g', depth: 7 },
      { name: 'h', low: 3, high: 9 },
      { name: 'i', capacity: 4 },
    ]);
    expect(rows.map((row) => /(near )?(full|empty)$/.exec(row)?.[0])).toEqual([
      'full',
      'near full',
      undefined,
      'near empty',
      'empty',
      'empty',
      undefined,
      undefined,
      undefined,
    ]);
    expect(rows[6]).toMatch(/^g .* 7\/\?( |$)/);
    expect(rows[7]).toMatch(/^h .* 3-9 +3-9( |$)/);
    expect(rows[8]).toMatch(/^i +–\/4( |$)/);
  });

  it('scales the bar of a queue without a capacity to the highest depth that was seen', () => {
    const logs = [8, 2].map((depth, i): Sample => ({
      kind: 'log',
      source: 'log',
      host: 'h',
      path: '/x',
      format: 'generic',
      time: start + i * 1000,
      receivedAt: start + i * 1000,
      lines: [{ text: '', time: start + i * 1000, values: { queues: [{ name: 'q', depth }] } }],
    }));
    const [, row = ''] = text(queueLines(inputOf(madeStore({ logs: [], more: logs }), { width: 76, height: 2 })).lines);
    expect(/[▇▁-▇·]+/.exec(row)?.[0]).toMatch(/^▇▇[▇▁-▆]?[▁-▆]?·{6,10}$/);
    expect(row).toMatch(/ 2\/\?( |$)/);
  });

  it('points where a queue goes', () => {
    const trend = (depthAt: (second: number) => number) => {
      const logs = Array.from({ length: 90 }, (_, i): Sample => ({
        kind: 'log',
        source: 'log',
        host: 'h',
        path: '/x',
        format: 'generic',
        time: start + i * 1000,
        receivedAt: start + i * 1000,
        lines: [
          { text: '', time: start + i * 1000, values: { queues: [{ name: 'q', depth: depthAt(i), capacity: 60 }] } },
        ],
      }));
      return /[↑→↓]/.exec(
        text(queueLines(inputOf(madeStore({ logs: [], more: logs }), { width: 76, height: 2 })).lines)[1] ?? '',
      )?.[0];
    };
    expect(trend((second) => second / 2)).toBe('↑');
    expect(trend((second) => 60 - second / 2)).toBe('↓');
    expect(trend((second) => 30 + (second % 2))).toBe('→');
  });

  it('says who waits for whom, in as many words as there is room for', () => {
    const logs = Array.from({ length: 8 }, (_, i): Sample => ({
      ...{ kind: 'log', source: 'log', host: 'h', path: '/x', format: 'generic' },
      ...{ time: start + i * 1000, receivedAt: start + i * 1000 },
      lines: [
        {
          text: '',
          time: start + i * 1000,
          values: {
            queues: [
              { name: 'a', depth: 16, capacity: 16 },
              { name: 'b', depth: 0, capacity: 16 },
            ],
          },
        },
      ],
    }));
    const made = madeStore({ logs: [], more: logs });
    const words = (width: number) =>
      text(queueLines(inputOf(made, { width, height: 2 })).lines).map((row) => row.replace(/^.*[→↑↓] /, ''));
    expect(words(116)).toEqual(['full: producer waits for consumer', 'empty: consumer waits for producer']);
    expect(words(76)).toEqual(['full, consumer slow', 'empty, producer slow']);
    expect(words(44)).toEqual(['consumer slow', 'producer slow']);
  });

  it('shows stages as one bar where there are no rows for them, the largest named', () => {
    const stages = [
      { name: 'timing_s/gen', averageMs: 600 },
      { name: 'timing_s/update_actor', averageMs: 300 },
      { name: 'timing_s/step', averageMs: 1000 },
    ];
    const rows = (height: number) => text(queueLines(saidInLog({ stages }, { width: 40, height })).lines);
    expect(rows(1)).toEqual(['gen 60%  update_actor 30%']);
    expect(rows(2)).toEqual([`${'▇'.repeat(24)}${'▄'.repeat(12)}····`, 'gen 60%  update_actor 30%']);
    expect(rows(6).map((row) => row.split(' ')[0])).toEqual([
      'STAGE',
      'timing_s/step',
      'timing_s/gen',
      'timing_s/upda…',
    ]);
  });

  it('draws the depths of each queue where there are rows left', () => {
    const { lines } = queueLines(inputOf(store, { width: 76, height: 30 }));
    const rows = text(lines);
    expect(rows.slice(6).flatMap((row) => /^ +(60|64|hs|out|10m \S+|0) [ ⠀-⣿]*$/.exec(`${row} `)?.[1] ?? [])).toEqual([
      ...['60', 'hs', expect.stringMatching(/^10m/) as string, '0'],
      ...['64', 'out', expect.stringMatching(/^10m/) as string, '0'],
    ]);
    expect(lines.length).toBeLessThanOrEqual(30);
  });

  it('says that the log has none', () => {
    expect(text(queueLines(inputOf(madeStore({ logs: [] }))).lines)).toEqual(['no queues in the log']);
  });
});

it('a lost link is a gap in the history of a queue, not its last depth', () => {
  const state = store.getState();
  const later = { ...state, committedAt: state.committedAt + 6000 };
  const link = {
    host: 'h',
    kind: 'link',
    source: 'link',
    time: later.committedAt,
    receivedAt: later.committedAt,
  } as const;
  const row = (now: State) => text(queueLines(inputOf(store, { width: 76, height: 6, state: now })).lines)[1] ?? '';
  expect(row({ ...later, link: { ...link, state: 'up' } })).toMatch(/[⣀-⣿]{8,} . *$/);
  expect(row({ ...later, link: { ...link, state: 'lost' } })).toMatch(/[⣀-⣿]{5,} {3,4}. *$/);
});
