import type { Document } from '../../src/report/document.ts';

const from = Date.UTC(2026, 5, 12, 3) / 1000;
const hostile = '<img src=x onerror=globalThis.evil=1></script><b class="evil">@all |`#1`';
const wave = (size: number, shift = 0) =>
  Array.from({ length: 120 }, (_, i) => (i === 40 ? null : size * (1 + 0.1 * Math.sin(i / 7 + shift))));

/** A report with every block and chart, whose host text wants to be more than text. */
export const madeDocument: Document = {
  title: `train.py ${hostile}`,
  about: `2026-06-12 03:00 to 05:00 UTC · ${hostile}`,
  foot: `Made by a test. ${hostile}`,
  sections: [
    {
      id: 'summary',
      title: 'What the run did',
      blocks: [
        { is: 'lead', text: `It stood in a collective hang: rank 5 never came. ${hostile}` },
        {
          is: 'figures',
          figures: [1, 2, 3, 4, 5].map((i) => ({ label: `Figure ${i}`, value: '9.40G', note: hostile })),
        },
        { is: 'bars', bars: [{ label: hostile, share: 0.4, text: '12 GPU-hours, 40 %', tone: 'bad' }] },
        {
          is: 'table',
          head: ['At', 'Event', 'Text', 'A long column'],
          rows: Array.from({ length: 4 }, () => ['03:12:00', 'log error', hostile, 'word '.repeat(30)]),
        },
      ],
    },
    {
      id: 'course',
      title: 'The course of it',
      blocks: [
        {
          is: 'strip',
          from: from * 1000,
          to: (from + 7200) * 1000,
          parts: [
            { from: from * 1000, to: (from + 3000) * 1000, letter: 'C', label: 'compute-bound', tone: 'good' },
            {
              from: (from + 3000) * 1000,
              to: (from + 7200) * 1000,
              letter: 'H',
              label: `hang (${hostile})`,
              tone: 'bad',
            },
          ],
        },
        { is: 'charts', names: ['pace', 'loss', 'utilization'] },
        { is: 'more', title: hostile, blocks: [{ is: 'lines', lines: [hostile, 'x'.repeat(800)] }] },
        { is: 'note', text: hostile },
      ],
    },
  ],
  charts: {
    zoneMinutes: 120,
    times: Array.from({ length: 120 }, (_, i) => from + 30 + i * 60),
    marks: [
      { at: from + 3000, label: hostile, tone: 'bad' },
      { at: from + 1000, label: 'checkpoint', tone: 'pause' },
    ],
    charts: [
      {
        name: 'pace',
        title: hostile,
        unit: 'tokens/s',
        curves: [{ label: hostile, values: wave(14_500), low: wave(14_000), high: wave(15_000) }],
      },
      { name: 'loss', title: 'Loss', unit: '', log: true, curves: [{ label: 'loss', values: wave(2) }] },
      {
        name: 'utilization',
        title: 'GPU utilization',
        unit: '%',
        range: [-3, 104],
        curves: Array.from({ length: 8 }, (_, i) => ({ label: `GPU ${i}`, values: wave(90, i) })),
      },
    ],
  },
};
