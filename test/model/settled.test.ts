import { expect, it } from 'vitest';
import { createManualClock } from '../../src/clock.ts';
import { settled } from '../../src/model/settled.ts';
import { createStore } from '../../src/model/store.ts';
import type { LogSample } from '../../src/model/samples.ts';

const start = Date.UTC(2026, 10, 29, 14, 0, 0);

it('waits until all that stood in a log is read', async () => {
  const clock = createManualClock(start);
  const store = createStore(clock, 1000);
  const head = () => ({ host: 'h', time: clock.now(), receivedAt: clock.now() });
  const log = (step: number, more: Partial<LogSample>): LogSample => ({
    ...{ ...head(), kind: 'log', source: 'log', path: '/x', format: 'generic', ...more },
    lines: [{ text: `step ${step}`, time: clock.now(), values: { step } }],
  });
  for (const source of ['threads', 'gpu', 'host', 'log'])
    store.push({ ...head(), kind: 'source', source, status: 'live' });
  for (const source of ['threads', 'gpu', 'host']) store.push({ ...head(), kind: 'source', source, status: 'off' });
  const run = { id: '1:1', rootPid: 1, processes: [], outputs: [] };
  store.push({ ...head(), kind: 'run', source: 'processes', phase: 'running', run, candidates: [] });

  let step: number | undefined;
  const done = settled({ store, clock, asked: false, patienceMs: 60_000 }).then(
    () => void (step = store.getState().throughput.latest.step?.value),
  );
  for (let piece = 1; piece <= 3; piece++) {
    store.push(log(piece, { backlog: true }));
    clock.advance(1000);
  }
  store.push(log(4, {}));
  clock.advance(1000);
  await done;
  store.stop();
  expect(step).toBe(4);
});
