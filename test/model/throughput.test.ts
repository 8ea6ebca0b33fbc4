import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { emptyThroughput, reduceThroughput, type ThroughputState } from '../../src/model/throughput.ts';
import { summariseThroughput } from '../../src/model/throughput-summary.ts';
import type { LogLine, LogSample, LogValues } from '../../src/model/samples.ts';
import { readLines } from '../collectors/log/read-line.ts';

const start = Date.UTC(2026, 10, 29, 14, 0, 0);

function sample(lines: readonly LogLine[], more: Partial<LogSample> = {}): LogSample {
  const time = lines.at(-1)?.time ?? start;
  return {
    kind: 'log',
    host: 'h',
    source: 'log',
    time,
    receivedAt: time,
    path: '/x',
    format: 'generic',
    lines,
    ...more,
  };
}
const at = (seconds: number, values: LogValues): LogLine => ({ text: '', time: start + seconds * 1000, values });
const reduce = (...samples: LogSample[]) =>
  samples.reduce<ThroughputState>((state, each) => reduceThroughput(state, each), emptyThroughput);
const live = (...lines: LogLine[]) => reduce(...lines.map((line) => sample([line])));

describe('rates', () => {
  it('gives now, means and best', () => {
    const state = live(
      at(0, { tokensPerSecond: 0 }),
      at(10, { tokensPerSecond: 100 }),
      at(90, { tokensPerSecond: 300 }),
      at(100, { tokensPerSecond: 200 }),
    );
    expect(summariseThroughput(state, start + 101_000)).toMatchObject({
      tokensPerSecond: { value: 200, time: start + 100_000 },
      rate: { unit: 'tokens', meanMinute: 250, meanQuarter: 200, mean: 200, best: { value: 300 } },
    });
  });

  it('has no mean of a minute in which nothing was printed', () => {
    const summary = summariseThroughput(live(at(0, { tokensPerSecond: 100 })), start + 120_000);
    expect(summary.rate).not.toHaveProperty('meanMinute');
    expect(summary.rate).toMatchObject({ meanQuarter: 100, now: { value: 100 } });
  });
});

describe('steps', () => {
  it('derives step time and ETA from the times of steps', () => {
    const state = live(
      at(0, { step: 10, totalSteps: 100 }),
      at(20, { step: 20, totalSteps: 100 }),
      at(40, { step: 30, totalSteps: 100 }),
    );
    const summary = summariseThroughput(state, start + 41_000);
    expect(summary).toMatchObject({
      step: { value: 30 },
      totalSteps: 100,
      stepSeconds: 2,
      derived: expect.arrayContaining(['stepSeconds', 'etaSeconds']) as unknown,
    });
    expect(summary.etaSeconds).toBe(139);
    // A run that stands still does not come nearer to its end.
    expect(summariseThroughput(state, start + 600_000).etaSeconds).toBe(138);
  });

  it('prefers what the trainer printed', () => {
    const state = live(at(0, { step: 10, totalSteps: 100, stepSeconds: 0.5, etaSeconds: 60 }));
    expect(summariseThroughput(state, start + 5000)).toMatchObject({ stepSeconds: 0.5, etaSeconds: 55 });
  });

  it('begins a new segment when the step falls', () => {
    const state = live(at(0, { step: 100 }), at(10, { step: 110 }), at(20, { step: 5 }), at(30, { step: 6 }));
    expect(summariseThroughput(state, start + 31_000)).toMatchObject({ segment: 1, stepSeconds: 10 });
  });

  it('is not fooled by ranks that print the same step', () => {
    const state = live(at(0, { step: 1 }), at(0.01, { step: 1 }), at(10, { step: 2 }), at(10.01, { step: 2 }));
    expect(summariseThroughput(state, start + 11_000).stepSeconds).toBe(10);
  });

  it('measures nothing between lines of a backlog without stamps, nor from them to the first live one', () => {
    const backlog = sample([at(0, { step: 1 }), at(0, { step: 200 })], { backlog: true, receivedAt: start });
    const state = reduce(backlog, sample([at(1, { step: 201 })]));
    expect(summariseThroughput(state, start + 2000)).not.toHaveProperty('stepSeconds');
    expect(summariseThroughput(state, start + 2000).step?.value).toBe(201);
  });
});

describe('queues and stages', () => {
  const queue = (low: number, high: number, second: number) => at(second, { queues: [{ name: 'q_hs', low, high }] });

  it('takes a high that stands for five readings while low moves for the capacity', () => {
    const four = live(queue(0, 60, 0), queue(7, 60, 1), queue(60, 60, 2), queue(58, 60, 3));
    expect(four.queues.q_hs).not.toHaveProperty('capacity');
    const five = reduceThroughput(four, sample([queue(59, 60, 4)]));
    expect(five.queues.q_hs).toMatchObject({ low: 59, high: 60, depth: 59, capacity: 60, learned: true });
    const moved = reduceThroughput(five, sample([queue(9, 10, 5)]));
    expect(moved.queues.q_hs).not.toHaveProperty('capacity');
  });

  it('does not take the spread of a queue that stands still for one', () => {
    const state = live(...[0, 1, 2, 3, 4, 5, 6].map((second) => queue(9, 10, second)));
    expect(state.queues.q_hs).not.toHaveProperty('capacity');
  });

  it('keeps a bounded number of names', () => {
    const many = Array.from({ length: 1000 }, (_, i) => at(i, { queues: [{ name: `q_${i}`, depth: i }] }));
    expect(Object.keys(live(...many).queues)).toHaveLength(64);
  });
});

describe('the recorded pipeline', () => {
  it('adds up', () => {
    const host = { utcOffsetMinutes: 0, clockOffsetMs: 0 };
    const text = readFileSync(new URL('../fixtures/log/h200-pipeline.log', import.meta.url), 'utf8');
    const lines = readLines(text.split('\n'), { arrival: start, host, backlog: true });
    const state = reduce(sample(lines, { backlog: true, receivedAt: start }));
    const summary = summariseThroughput(state, lines.at(-1)?.time ?? start);
    expect(summary.stepSeconds).toBeCloseTo(2, 1);
    expect(summary.queues).toMatchObject([{ name: 'q_hs', capacity: 60, depth: 60 }]);
    expect(summary.stages.map((stage) => stage.name)).toEqual([
      'drafter.backward',
      'drafter.forward',
      'drafter.grad_norm_item',
      'target.model_forward',
      'target.pack_hidden',
    ]);
    expect(summary.rate?.best.value).toBeGreaterThan(300_000);
    expect(JSON.parse(JSON.stringify(state))).toMatchObject({ segment: 0 });
  });
});
