import { describe, expect, test } from 'vitest';
import { createManualClock } from '../../src/clock.ts';
import type { Sample } from '../../src/model/samples.ts';
import { createStore, type State } from '../../src/model/store.ts';
import { writeLine } from '../../src/recording/json-line.ts';
import { gpus, head, log, source, start, threads } from './made.ts';

const hour = 3_600_000;
const day = 24 * hour;
const stepMs = 120_000;

/** What a bad week brings: a run that is started anew every two hours, and names, TIDs, dumps and paths that never come again. */
function* week(): Generator<Sample> {
  for (let n = 0; n * stepMs < 7 * day; n++) {
    const time = start + n * stepMs;
    const run = Math.floor(n / 60);
    if (n % 60 === 0) {
      yield {
        kind: 'run',
        ...head(time, 'processes'),
        phase: 'running',
        run: {
          id: `${run}:1`,
          rootPid: run,
          processes: [],
          outputs: [{ fd: 1, kind: 'file', path: `/run-${run}.log` }],
        },
        candidates: [],
      };
    }
    yield { ...gpus(time, n % 100), uuid: [`GPU-${n % 8}`, `GPU-of-${n}`], utilizationPercent: [50, 50] };
    yield { ...threads(time, new Array<number>(20).fill(50)), tid: Array.from({ length: 20 }, (_, i) => n * 20 + i) };
    yield { ...source(time, n % 7 === 0 ? 'failed' : 'live'), reason: `attempt ${n}` };
    yield { kind: 'link', ...head(time, 'link'), state: n % 11 === 0 ? 'lost' : 'up' };
    yield {
      ...log(time, []),
      path: `/run-${run}.log.${n}`,
      lines: Array.from({ length: 10 }, (_, i) => ({
        text: `step ${n * 10 + i} CUDA error`,
        time: n % 50 === 0 ? time - 40 * day : time,
        level: 'error' as const,
        values: {
          loss: n % 3 === 0 ? NaN : 1,
          queues: [{ name: `q_${n}_${i}`, depth: i }],
          stages: [{ name: `s_${n}_${i}`, averageMs: i }],
          other: { [`o_${n}`]: i },
        },
      })),
    };
    yield { kind: 'event', ...head(time, 'log'), event: 'log error', text: `CUDA error ${n}` };
    if (n % 10 === 0)
      yield {
        kind: 'stacks',
        ...head(time, 'stacks'),
        pid: n,
        command: 'py-spy',
        threads: Array.from({ length: 20 }, (_, i) => ({
          ...{ tid: n * 20 + i, name: `thread-${n}-${i}`, active: true, ownsGil: false },
          frames: [{ function: 'f', file: 'x.py', line: i }],
        })),
      };
  }
}

/** How many of each there are. */
function sizes({ logs, stacks, events, threadNames, sources, throughput }: State) {
  return {
    logs: logs.size,
    lines: Math.max(...[...logs.values()].map(({ lines }) => lines.length)),
    stacks: stacks.length,
    events: events.length,
    names: threadNames.size,
    sources: sources.size,
    queues: Object.keys(throughput.queues).length,
    stages: Object.keys(throughput.stages).length,
    steps: throughput.recentSteps.length,
  };
}

describe('over a week of bad days', () => {
  test('what a store has stays within bounds, and what it saves does too', () => {
    const clock = createManualClock(start);
    const store = createStore(clock, 1000);
    const daily: {
      readonly sizes: object;
      readonly series: number;
      readonly bytes: number;
      readonly minutes: number;
    }[] = [];
    let minutes = 0;
    for (const sample of week()) {
      clock.advance(Math.max(0, sample.receivedAt - clock.now()));
      store.push(sample);
      if (sample.kind !== 'event') continue;
      minutes += store.history.takeMinutes().length;
      if ((sample.time - start + stepMs) % day !== 0) continue;
      daily.push({
        sizes: sizes(store.getState()),
        series: store.history.names().length,
        bytes: writeLine(store.save()).length,
        minutes,
      });
      minutes = 0;
    }
    expect(daily.length).toBe(7);
    const [, second, , , , , last] = daily;
    expect(last?.sizes).toEqual({
      ...{ logs: 1, lines: 2000, stacks: 16, events: 200, names: expect.any(Number) as number },
      ...{ sources: 1, queues: 64, stages: 64, steps: 0 },
    });
    expect(last?.series).toBeLessThan(64 * 12 + 250);
    // From the second day on it is the same every day.
    expect(last?.sizes).toEqual(second?.sizes);
    expect(last?.series).toBe(second?.series);
    expect(last?.bytes).toBeLessThan(1.1 * (second?.bytes ?? 0));
    expect(last?.minutes).toBeLessThan(1.1 * (second?.minutes ?? 0));
  }, 120_000);
});
