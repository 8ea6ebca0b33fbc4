import { expect, it } from 'vitest';
import { createManualClock } from '../../../src/clock.ts';
import { createLeftovers } from '../../../src/commands/terminal/leftovers.ts';
import type { Session } from '../../../src/commands/session.ts';
import { createStore } from '../../../src/model/store.ts';
import type { LinkSample } from '../../../src/model/samples.ts';

const job = { name: 'hangup', body: 'hang up' };

function stage() {
  const clock = createManualClock(0);
  const store = createStore(clock, 1000);
  const jobs: (() => void)[] = [];
  const runner = {
    job: () => new Promise((resolve) => jobs.push(() => resolve({ bodyCode: 0 }))),
  } as unknown as Session['runner'];
  const say = (state: LinkSample['state']) => {
    store.push({ kind: 'link', host: 'h', source: 'link', time: clock.now(), receivedAt: clock.now(), state });
    clock.advance(1000);
  };
  return { leftovers: createLeftovers({ store, runner, clock } as unknown as Session), jobs, say };
}

it('hangs up when there is a link again, and waits at the end for what has begun', async () => {
  const { leftovers, jobs, say } = stage();
  say('lost');
  leftovers.hangUp({ channel: {} as never, hangUp: job });
  expect(jobs).toHaveLength(0);
  say('up');
  expect(jobs).toHaveLength(1);
  let isSettled = false;
  const settled = leftovers.settle().then(() => (isSettled = true));
  await new Promise(setImmediate);
  expect(isSettled).toBe(false);
  jobs[0]?.();
  await settled;
});

it('keeps nothing of the looks of a long watch', async () => {
  const { leftovers, jobs, say } = stage();
  for (let i = 0; i < 100; i++) say('up');
  expect(jobs).toHaveLength(0);
  expect(await leftovers.settle()).toBeUndefined();
});
