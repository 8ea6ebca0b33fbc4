import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../src/clock.ts';
import { seriesName } from '../../src/model/history.ts';
import type { LogLine, LogSample, LogValues } from '../../src/model/samples.ts';
import { createStore } from '../../src/model/store.ts';
import { summariseThroughput } from '../../src/model/throughput-summary.ts';
import { emptyThroughput, reduceThroughput, type ThroughputState } from '../../src/model/throughput.ts';

const start = Date.UTC(2026, 10, 29, 14, 0, 0);

/** A line of a log that a rank writes. */
type Said = readonly [
  second: number,
  source: string,
  rank: number | undefined,
  values: LogValues,
  more?: Partial<LogLine>,
];

function sampleOf([second, source, rank, values, more]: Said): LogSample {
  const time = start + second * 1000;
  const line = { text: '', time, values, ...(rank !== undefined && { rank }), ...more };
  const head = { kind: 'log', host: 'h', path: `/${source}`, format: 'generic', time, receivedAt: time } as const;
  return { ...head, source, lines: [line] };
}

const after = (...all: readonly Said[]) =>
  all.reduce<ThroughputState>((state, said) => reduceThroughput(state, sampleOf(said)), emptyThroughput);
const valueOf = (state: ThroughputState, field: keyof ThroughputState['latest']) => state.latest[field]?.value;

describe('values of several ranks and logs', () => {
  it('are those of the lowest rank that tells them, in whichever log', () => {
    const state = after(
      [0, 'log:2', 1, { step: 1, tokensPerSecond: 110 }],
      [0, 'log', 0, { step: 1, tokensPerSecond: 100 }],
      [2, 'log:2', 1, { step: 2, tokensPerSecond: 111 }],
      [2, 'log', 0, { step: 2, tokensPerSecond: 101 }],
      [4, 'log:2', 1, { step: 3, tokensPerSecond: 999 }],
    );
    expect(state).toMatchObject({ source: 'log', segment: 0 });
    expect(valueOf(state, 'step')).toBe(2);
    expect(valueOf(state, 'tokensPerSecond')).toBe(101);
    // What rank 1 said before rank 0 spoke was a reading too.
    expect(state.rates?.tokens).toMatchObject({ count: 3, best: { value: 110 } });
  });

  it('are a restart only where their own log falls', () => {
    const state = after(
      [0, 'log', 0, { step: 10 }],
      [1, 'log:2', 1, { step: 9 }],
      [2, 'log', 0, { step: 11 }],
      [3, 'log:2', 1, { step: 10 }],
    );
    expect(state.segment).toBe(0);
    expect(after([0, 'log', 0, { step: 10 }], [1, 'log', 0, { step: 3 }]).segment).toBe(1);
  });

  it('have the loss of the rank that has one (pipeline parallel)', () => {
    const state = after([0, 'log', 0, { step: 4 }], [0, 'log', 7, { step: 4, loss: 2.5 }], [1, 'log', 0, { step: 5 }]);
    expect([valueOf(state, 'loss'), valueOf(state, 'step')]).toEqual([2.5, 5]);
  });

  it('complete each other: a bar on standard error, losses on standard output', () => {
    const state = after(
      [0, 'log:2', undefined, { step: 10, totalSteps: 100, etaSeconds: 90 }],
      [1, 'log', undefined, { loss: 2.5, learningRate: 1e-4 }],
      [2, 'log:2', undefined, { step: 11, totalSteps: 100, etaSeconds: 89 }],
    );
    const { latest } = state;
    expect(Object.keys(latest).sort()).toEqual(['etaSeconds', 'learningRate', 'loss', 'step', 'totalSteps']);
  });

  it('go on with another log where the leader is silent', () => {
    const beats = Array.from({ length: 20 }, (_, i): Said => [2 * i, 'log', undefined, { loss: 3 }]);
    const other = (second: number): Said => [second, 'log:2', undefined, { loss: 7 }];
    expect(valueOf(after(...beats, other(45)), 'loss')).toBe(3);
    expect(valueOf(after(...beats, other(45), other(90)), 'loss')).toBe(7);
  });

  it('leave out a step that was told by another rank', () => {
    const state = after([0, 'log', 0, { step: 4, loss: 2.5 }], [0, 'log', 1, { step: 4, loss: 2.6 }, { repeats: 0 }]);
    expect(valueOf(state, 'loss')).toBe(2.5);
  });

  it('count once in queues and stages too', () => {
    const queue = (depth: number): LogValues => ({ queues: [{ name: 'q', depth }] });
    const state = after(
      [0, 'log', 0, queue(4)],
      [0, 'log:2', 1, queue(9)],
      [1, 'log', 0, queue(5)],
      [1, 'log:2', 1, queue(9)],
    );
    expect(state.queues['q']?.recent?.map(({ low }) => low)).toEqual([4, 5]);
  });

  it('are one line in the history, with what is derived', () => {
    const clock = createManualClock(start);
    const store = createStore(clock, 1000);
    store.push({ kind: 'settings', host: 'h', source: 'user', time: start, receivedAt: start, batchTokens: 1000 });
    for (let second = 1; second <= 30; second++) {
      clock.advance(1000);
      store.push(sampleOf([second, 'log', 0, { step: second, loss: 2 }]));
      store.push(sampleOf([second, 'log:2', 1, { step: second, loss: 90 }]));
    }
    clock.advance(2000);
    store.stop();
    expect(store.history.get(seriesName.log('loss'))?.summary()).toMatchObject({ maximum: 2, count: 30 });
    expect(store.history.get(seriesName.log('tokensPerSecond'))?.last()?.value).toBeCloseTo(1000, 0);
    const { throughput } = store.getState();
    const summary = summariseThroughput(throughput, clock.now());
    expect(summary.rate).toMatchObject({ unit: 'tokens', derived: true });
    expect(summary.derived).toContain('tokensPerSecond');
  });
});
