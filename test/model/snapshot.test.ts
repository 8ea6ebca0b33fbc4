import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../src/clock.ts';
import type { LogLine, Sample } from '../../src/model/samples.ts';
import { snapshot } from '../../src/model/snapshot.ts';
import { createStore } from '../../src/model/store.ts';

const start = Date.UTC(2026, 10, 29, 14, 0, 0);
const head = { host: 'h', time: start, receivedAt: start };
const log = (source: string, path: string, lines: readonly LogLine[]): Sample => ({
  kind: 'log',
  ...{ ...head, source, path, format: 'generic', lines, endOffset: 0 },
});
const valued = { text: 'loss 2', time: start, values: { loss: 2 } };

function shotOf(samples: readonly Sample[], afterMs = 1100) {
  const clock = createManualClock(start);
  const store = createStore(clock, 1000);
  for (const sample of samples) store.push(sample);
  clock.advance(afterMs);
  store.stop();
  const init = { state: store.getState(), version: '1', target: 't', demo: false, now: clock.now() };
  return { state: init.state, object: snapshot(init) };
}

describe('a snapshot', () => {
  const out = log('log', '/x/train.log', [valued]);
  const error = log('log:2', '/x/train.err', []);

  it.each([
    ['the first', [out, error]],
    ['the second', [error, out, error]],
  ])('names the log that gave the values, when %s speaks first', (_, samples) => {
    const { object, state } = shotOf(samples);
    expect(object['log']).toMatchObject({ path: '/x/train.log', lines: 1, loss: 2 });
    expect([...state.logs.keys()]).toEqual(['/x/train.log', '/x/train.err']);
  });

  it('names the second log when that one has the values', () => {
    const { object } = shotOf([log('log', '/x/a', []), log('log:2', '/x/b', [valued]), log('log', '/x/a', [])]);
    expect(object['log']).toMatchObject({ path: '/x/b', lines: 1 });
  });

  it('tells how old the last line and the last value are, which a note of ours is not', () => {
    const plain = { text: 'saved', time: start };
    const note = { text: '-- rotated --', time: start + 60_000, note: true as const };
    const later = { ...log('log', '/x/train.log', [note]), time: start + 60_000, receivedAt: start + 60_000 };
    const { object } = shotOf([out, log('log', '/x/train.log', [plain]), later], 90_000);
    expect(object['log']).toMatchObject({ lineAgeSeconds: 90, valueAgeSeconds: 90 });
  });

  it('has the verdicts as diagnose tells them, the first one first', () => {
    const evidence = [
      { signal: 'utilization', of: 'GPU 0', value: 98.25, unit: '%', source: 'gpu', expected: 'at least 80' },
    ];
    const more = { confidence: 0.876, since: start, summary: 'GPU 0 98 % busy', against: [], missing: [], next: [] };
    const verdicts = [
      { situation: 'compute-bound', scope: {}, evidence, ...more },
      { situation: 'throttled', scope: { gpus: [3], cause: 'thermal' }, evidence: [], ...more },
    ] as const;
    const { object } = shotOf([{ kind: 'verdicts', source: 'diagnosis', ...head, verdicts }]);
    expect(object['verdicts']).toEqual([
      {
        situation: 'compute-bound',
        scope: {},
        confidence: 0.88,
        since: new Date(start).toISOString(),
        evidence: [{ signal: 'utilization', of: 'GPU 0', value: 98.25, unit: '%', source: 'gpu' }],
        against: [],
        missing: [],
        next: [],
        summary: 'GPU 0 98 % busy',
      },
      expect.objectContaining({ situation: 'throttled', scope: { gpus: [3], cause: 'thermal' } }),
    ]);
  });

  it('promises nothing that a command does not do which ends', () => {
    const reason = 'there is no /x on h (yet); looking again';
    const { object } = shotOf([{ kind: 'source', ...head, source: 'log', status: 'failed', reason }]);
    expect(object['sources']).toEqual({ log: { status: 'failed', reason: 'there is no /x on h' } });
  });
});
