import { expect, it } from 'vitest';
import type { Context } from '../../../src/collectors/collector.ts';
import { createManualClock, systemClock } from '../../../src/clock.ts';
import { createCaptures } from '../../../src/collectors/stacks/captures.ts';
import { createSlots } from '../../../src/collectors/stacks/slots.ts';
import type { CaptureSample } from '../../../src/model/samples.ts';
import { madeContext } from '../made-context.ts';

const settle = () => new Promise(setImmediate);

it('are taken in order, what nobody asked for last, and given back once', async () => {
  const slots = createSlots(() => 1);
  const order: string[] = [];
  const take = async (name: string, isLast = false) => {
    const giveBack = await slots.take(new AbortController().signal, isLast);
    order.push(name);
    return giveBack;
  };
  const first = await take('first');
  const auto = take('auto', true);
  const [second, third] = [take('second'), take('third')];
  await settle();
  expect(order).toEqual(['first']);
  first?.();
  first?.();
  (await second)?.();
  (await third)?.();
  (await auto)?.();
  expect(order).toEqual(['first', 'second', 'third', 'auto']);
});

it('are not waited for by who was cancelled', async () => {
  const slots = createSlots(() => 1);
  const giveBack = await slots.take(new AbortController().signal);
  const cancelled = new AbortController();
  const waiting = slots.take(cancelled.signal);
  cancelled.abort();
  expect(await waiting).toBeUndefined();
  expect(await slots.take(cancelled.signal)).toBeUndefined();
  giveBack?.();
  expect(await slots.take(new AbortController().signal)).toBeDefined();
});

it('are two for one host, one where sshd allows few sessions', async () => {
  for (const [limit, most] of [
    [undefined, 2],
    [4, 1],
  ] as const) {
    let running = 0;
    const ends: (() => void)[] = [];
    const ended: CaptureSample[] = [];
    const captures = createCaptures({
      host: 'gpu7',
      clock: systemClock,
      take: (sample) => sample.kind === 'capture' && sample.endedAt !== undefined && ended.push(sample),
      runner: {
        context: () => madeContext(),
        sessionLimit: () => limit,
        async converse(_name, _body, { onEnd }) {
          running++;
          ends.push(() => {
            running--;
            onEnd({ code: 0, lost: false, began: true, bodyCode: 0, errorText: '' });
          });
          return { send() {}, stop() {}, errorText: () => '' };
        },
      },
    });
    const { over } = captures.start({ what: 'dump', pids: [1, 2, 3, 4, 4] });
    let seen = 0;
    for (let ran = 0; ran < 4;) {
      await settle();
      seen = Math.max(seen, running);
      const end = ends.shift();
      if (end) ran++;
      end?.();
    }
    await over;
    expect(seen).toBe(most);
    expect(ended).toMatchObject([{ state: 'failed', pids: [1, 2, 3, 4] }]);
  }
});

it('are not needed for a capture of nothing, or of a host that is not there yet', async () => {
  const ended: CaptureSample[] = [];
  const known: { context?: Context } = {};
  const captures = createCaptures({
    host: 'gpu7',
    clock: systemClock,
    take: (sample) => sample.kind === 'capture' && sample.endedAt !== undefined && ended.push(sample),
    runner: {
      context: () => known.context,
      sessionLimit: () => undefined,
      converse: () => Promise.reject(new Error('The link to gpu7 is down.')),
    },
  });
  await captures.start({ what: 'dump', pids: [1] }).over;
  known.context = madeContext();
  await captures.start({ what: 'dump', pids: [] }).over;
  await captures.start({ what: 'dump', pids: [1] }).over;
  expect(ended.map(({ state, failure }) => [state, failure])).toEqual([
    ['failed', 'gpu7 is not connected yet: try again when it is'],
    ['failed', 'No process of gpu7 was named to capture'],
    ['failed', 'No dump of process 1 from node-0: The link to gpu7 is down.'],
  ]);
});

it('are not waited for, nor an answer or a copy, by who leaves', async () => {
  const told: CaptureSample[] = [];
  let say = (_note: string) => {};
  const captures = createCaptures({
    host: 'gpu7',
    clock: systemClock,
    take: (sample) => sample.kind === 'capture' && told.push(sample),
    bring: (_asks, note) => {
      say = note;
      return new Promise(() => {});
    },
    runner: {
      context: () => madeContext(),
      sessionLimit: () => undefined,
      converse: () => Promise.reject(new Error('nothing is to be run')),
    },
  });
  const { over } = captures.start({ what: 'dump', pids: [1] });
  await settle();
  say('waits for your answer');
  expect(told.at(-1)).toMatchObject({ state: 'waiting', notes: ['waits for your answer'] });
  await captures.stop();
  await over;
  say('copies py-spy: 10 %');
  expect(told.at(-1)).toMatchObject({ state: 'cancelled', notes: [] });
});

it('a capture is planned from when py-spy was brought', async () => {
  const told: CaptureSample[] = [];
  const clock = createManualClock(1_000_000);
  const captures = createCaptures({
    host: 'gpu7',
    clock,
    take: (sample) => sample.kind === 'capture' && told.push(sample),
    async bring(_asks, note) {
      note('copies py-spy');
      clock.advance(60_000);
      return undefined;
    },
    runner: {
      context: () => madeContext(),
      sessionLimit: () => undefined,
      converse: () => Promise.reject(new Error('it is enough')),
    },
  });
  await captures.start({ what: 'dump', pids: [1] }).over;
  expect(told.find(({ state }) => state === 'running')).toMatchObject({ startedAt: 1_060_000, plannedMs: 1000 });
});

// At each step on the way from the end of one to the turn of the next.
it.each([0, 2, 4, 6, 8, 10, 12, 14, 20])(
  'are given back by a capture that is cancelled %i steps on its way to its turn',
  async (steps) => {
    const ended: CaptureSample[] = [];
    const ends: (() => void)[] = [];
    const captures = createCaptures({
      host: 'gpu7',
      clock: systemClock,
      take: (sample) => sample.kind === 'capture' && sample.endedAt !== undefined && ended.push(sample),
      runner: {
        context: () => madeContext(),
        sessionLimit: () => 1,
        async converse(_name, _body, { onEnd }) {
          ends.push(() => onEnd({ code: 0, lost: false, began: true, bodyCode: 0, errorText: '' }));
          return { send() {}, stop() {}, errorText: () => '' };
        },
      },
    });
    const first = captures.start({ what: 'dump', pids: [1] });
    await settle();
    const second = captures.start({ what: 'dump', pids: [2] });
    const third = captures.start({ what: 'dump', pids: [3] });
    await settle();
    for (const end of ends.splice(0)) end();
    for (let n = 0; n < steps; n++) await Promise.resolve();
    captures.cancel(second.id);
    await first.over;
    for (let ran = 0; ended.length < 3 && ran < 20; ran++) {
      await settle();
      for (const end of ends.splice(0)) end();
    }
    await Promise.all([second.over, third.over]);
    const states = ended.map(({ pids, state }) => [pids[0] ?? 0, state] as const);
    expect(states.sort(([a], [b]) => a - b)).toEqual([
      [1, 'failed'],
      [2, 'cancelled'],
      [3, 'failed'],
    ]);
  },
);
