import { describe, expect, it } from 'vitest';
import { countLog, emptyThroughput } from '../../src/model/throughput.ts';
import type { LogLine, LogSample, LogValues } from '../../src/model/samples.ts';
import { withoutFlood } from '../../src/model/throughput-flood.ts';

const start = Date.UTC(2026, 10, 29, 14, 0, 0);

/** Lines `apartMs` from one another. */
function lines(count: number, apartMs: number, values: (i: number) => LogValues) {
  return Array.from({ length: count }, (_, i) => ({ text: '', time: start + i * apartMs, values: values(i) }));
}

function sample(of: readonly LogLine[], more: Partial<LogSample> = {}): LogSample {
  const time = of.at(-1)?.time ?? start;
  return { kind: 'log', host: 'h', source: 'log', time, receivedAt: time, path: '/x', format: 'x', lines: of, ...more };
}

describe('a flood', () => {
  it('keeps a part of its lines, evenly, and the newest', () => {
    const all = lines(500, 0.5, (i) => ({ step: i, loss: 2 }));
    const kept = withoutFlood(all).map(({ values }) => values.step ?? -1);
    expect(kept.length).toBeLessThan(120);
    expect(kept.slice(-3)).toEqual([497, 498, 499]);
    expect(Math.max(...kept.slice(1).map((step, i) => step - (kept[i] ?? 0)))).toBeLessThanOrEqual(5);
  });

  it('keeps what is told seldom, what each rank tells, the highest rates and what is not finite', () => {
    const all = lines(500, 0.5, (i) => ({
      step: i,
      loss: i === 121 ? NaN : 2,
      tokensPerSecond: i === 122 ? 900 : 100,
      ...(i === 123 && { validationLoss: 2.5 }),
      ...(i === 124 && { queues: [{ name: 'seldom', depth: 3 }] }),
      ...(i === 126 && { other: { reward: 1 } }),
    })).map((line, i) => (i === 127 ? { ...line, rank: 3 } : line));
    const kept = new Set(withoutFlood(all).map(({ values }) => values.step));
    expect([121, 122, 123, 124, 126, 127].filter((step) => !kept.has(step))).toEqual([]);
    expect(kept.has(128)).toBe(false);
  });

  it('says the same as all of it: the newest values, the best rate and a restart', () => {
    const all = lines(500, 0.5, (i) => ({ step: i < 250 ? 1000 + i : i, tokensPerSecond: i === 333 ? 900 : i }));
    const { state, counted } = countLog(emptyThroughput, sample(all));
    expect(state).toMatchObject({
      segment: 1,
      latest: { step: { value: 499 }, tokensPerSecond: { value: 499 } },
      rates: { tokens: { best: { value: 900 } } },
    });
    expect(counted.lines.length).toBeLessThan(120);
  });
});

it('counts every line of a backlog whose steps took their time', () => {
  const all = lines(500, 2000, (i) => ({ step: i, loss: 2 }));
  const receivedAt = start + 2_000_000;
  const { state, counted } = countLog(emptyThroughput, sample(all, { backlog: true, receivedAt }));
  expect(counted.lines).toHaveLength(500);
  expect(state.latest.step?.value).toBe(499);
});
