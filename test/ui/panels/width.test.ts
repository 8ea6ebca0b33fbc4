import { describe, expect, it } from 'vitest';
import { createHistory } from '../../../src/model/history.ts';
import type { PanelBody, PanelInput } from '../../../src/ui/panels/panel.ts';
import { gpuLines } from '../../../src/ui/panels/gpus.tsx';
import { hostLines } from '../../../src/ui/panels/host.tsx';
import { logLines } from '../../../src/ui/panels/log.tsx';
import { queueLines } from '../../../src/ui/panels/queues.tsx';
import { threadLines } from '../../../src/ui/panels/threads.tsx';
import { throughputLines } from '../../../src/ui/panels/throughput.tsx';
import { lineWidth } from '../../../src/ui/parts/render-line.ts';
import type { Store } from '../../../src/model/store.ts';
import { inputOf, madeStore, withSlices } from './made.ts';

const bodies: Readonly<Record<string, (input: PanelInput) => PanelBody>> = {
  gpus: gpuLines,
  throughput: throughputLines,
  queues: queueLines,
  threads: threadLines,
  log: logLines,
  host: hostLines,
};

/** Names as hosts have them: long, wide, joined, empty, with what safeText leaves of a control character. */
const hostile = [
  '',
  ' ',
  '日本語の名前は長い',
  '👩‍👩‍👧‍👦 family',
  'e\u0301'.repeat(40),
  'x'.repeat(500),
  '\ufffd[31m',
  '🇩🇪🇫🇷',
  'a\ufe0f\u200db',
];
const name = (i: number) => hostile[i % hostile.length] ?? '';

const plain = madeStore({ gpus: 16, processes: 3, logs: ['/a/train.log', '/b/other.log'] });
const odd = madeStore({
  gpus: 11,
  lastGpus: (sample) => ({
    ...sample,
    name: sample.uuid.map((_, i) => name(i)),
    utilizationPercent: sample.uuid.map((_, i) => [null, NaN, Infinity, -5, 1e12, 0][i % 6] ?? null),
    powerWatts: sample.uuid.map((_, i) => [1e9, null, -1][i % 3] ?? null),
    memoryUsedBytes: sample.uuid.map(() => 9e20),
    temperatureCelsius: sample.uuid.map(() => 12_345),
    faults: sample.uuid.map((_, i) => name(i)),
    throttleReasons: sample.uuid.map((_, i) => [name(i), name(i + 1)]),
  }),
  lastThreads: (sample) => ({
    ...sample,
    comm: sample.tid.map((_, i) => name(i)),
    tid: sample.tid.map((_, i) => 4_194_304_000 + i),
    cpuPercent: sample.tid.map((_, i) => [99, 1e9, NaN, null][i % 4] ?? null),
    core: sample.tid.map(() => 123_456),
    state: sample.tid.map((_, i) => name(i)),
  }),
  more: hostile.map((text, i) => ({
    kind: 'log',
    source: 'log',
    host: 'h',
    path: `/x/${text}`,
    format: text,
    time: i,
    receivedAt: i,
    lines: [
      {
        time: i,
        text: `loss=${text} 日本=3 ${text}`,
        values: {
          loss: NaN,
          step: 1e15,
          totalSteps: 3,
          tokensPerSecond: Infinity,
          stepSeconds: -4,
          learningRate: 1e-300,
          gradNorm: Infinity,
          queues: [{ name: text, depth: 1e14, capacity: 3 }],
          stages: [{ name: text, averageMs: 1e12, maximumMs: NaN }],
        },
      },
      { time: i, text, level: 'error' },
    ],
  })),
});
const bare = withSlices(plain.getState(), {});

function everySize(store: Store, changes: Parameters<typeof inputOf>[1] = {}, step = 1) {
  for (const [id, body] of Object.entries(bodies)) {
    for (let width = 0; width <= 220; width += width < 90 ? step : 7 * step) {
      for (let height = 0; height <= 40; height += height < 14 ? step : 5 * step) {
        const { lines } = body(inputOf(store, { width, height, ...changes }));
        const widest = Math.max(0, ...lines.map(lineWidth));
        if (widest > width || lines.length > height)
          expect.fail(`${id} at ${width}x${height}: ${widest}x${lines.length}`);
      }
    }
  }
}

describe('every panel stays in its frame', () => {
  it('with a usual run', { timeout: 120_000 }, () => everySize(plain));
  it('with a cursor, idle threads and a filter', { timeout: 120_000 }, () => {
    everySize(plain, { focused: true, view: { cursor: 7, showIdle: true, following: false } });
    everySize(plain, { focused: true, view: { cursor: 500, filter: 'nothing has this name', following: false } });
  });
  it('with hostile names and impossible values', { timeout: 120_000 }, () =>
    everySize(odd, { focused: true, view: { cursor: 3, showIdle: true } }),
  );

  it('with nothing known', () => {
    const { gpus: _g, threads: _t, host: _h, busiest: _b, run: _r, gpuProcesses: _p, ...rest } = bare;
    const state = { ...rest, logs: new Map() };
    for (const body of Object.values(bodies)) {
      const { lines } = body({ ...inputOf(plain, { width: 76, height: 8 }), state, history: createHistory() });
      expect(lines.length).toBeLessThanOrEqual(8);
    }
  });
});
