import { expect, test } from 'vitest';
import { createManualClock } from '../../src/clock.ts';
import { createStore } from '../../src/model/store.ts';
import { gpus, head, start } from './made.ts';

test('what the user marks and mutes, and what rings, is committed at once, however long the interval is', () => {
  const clock = createManualClock(start);
  const store = createStore(clock, 60_000);
  const about = { alarm: 'slow', severity: 'warning', since: start, rungAt: start, text: 'Slow.' } as const;
  store.push(gpus(start, 1));
  clock.advance(100);
  store.push({ kind: 'mark', ...head(clock.now(), 'user'), text: 'here' });
  clock.advance(50);
  expect(store.getState().events).toHaveLength(1);
  store.push({ kind: 'alarm', ...head(clock.now(), 'alarms'), id: '1', state: 'ringing', ...about });
  clock.advance(50);
  expect(store.getState().alarms).toHaveLength(1);
  store.push({ kind: 'mute', ...head(clock.now(), 'alarms'), alarm: 'slow' });
  clock.advance(50);
  expect(store.getState().mutes).toHaveLength(1);
  const box = { id: '1', reason: 'Stalled.', state: 'taking', startedAt: start, captures: [], parts: [] } as const;
  store.push({ kind: 'blackBox', ...head(clock.now(), 'black box'), ...box });
  clock.advance(50);
  expect(store.getState().blackBoxes).toHaveLength(1);
});
