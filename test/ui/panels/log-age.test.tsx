import { stripVTControlCharacters } from 'node:util';
import { render } from 'ink-testing-library';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../src/clock.ts';
import type { LogSample } from '../../../src/model/samples.ts';
import { createStore } from '../../../src/model/store.ts';
import type { Controls } from '../../../src/ui/controls.ts';
import { logPanel } from '../../../src/ui/panels/log.tsx';
import { queueLines, queuesPanel } from '../../../src/ui/panels/queues.tsx';
import { throughputLines, throughputPanel } from '../../../src/ui/panels/throughput.tsx';
import { inputOf, madeStore, start } from './made.ts';

const values = { tokensPerSecond: 100, queues: [{ name: 'q', depth: 1 }] };
const { view } = inputOf(madeStore({ gpus: 1 }));

/** A store whose log has said a line every two seconds. */
function setUp() {
  const clock = createManualClock(start);
  const store = createStore(clock, 1000);
  const head = () => ({ host: 'h', time: clock.now(), receivedAt: clock.now() });
  const say = (line: Partial<LogSample['lines'][number]> = { values }) => {
    const lines = [{ text: 'a line', time: clock.now(), ...line }];
    store.push({ kind: 'log', source: 'log', path: '/x.log', format: 'generic', lines, ...head() });
  };
  const host = () => store.push({ kind: 'host', source: 'host', load1: 1, ...head() });
  store.push({ kind: 'source', source: 'log', status: 'live', ...head() });
  for (let i = 0; i < 5; i++) {
    clock.advance(2000);
    say();
  }
  /** Other sources go on. */
  const pass = (seconds: number) => {
    for (let i = 0; i < seconds; i++) {
      host();
      clock.advance(1000);
    }
  };
  pass(1);
  return { clock, store, say, pass, head };
}

describe('figures of a log that is silent', () => {
  it.each([
    ['Throughput', throughputPanel, /Throughput ─+ 2[0-9]s old · generic/],
    ['Queues', queuesPanel, /Queues ─+ 2[0-9]s old · 1 queue/],
    ['Log', logPanel, /Log ─+ x\.log · generic · last line 2[0-9]s old/],
  ])('have their age in the edge of %s, until a line comes', async (_, { Component }, shown) => {
    const { store, clock, say, pass } = setUp();
    const controls = { store, clock, intervalMs: 1000 } as unknown as Controls;
    const screen = render(
      <Component {...{ controls, view }} frozen={undefined} width={70} height={6} focused={false} />,
    );
    const frame = () => stripVTControlCharacters(screen.lastFrame() ?? '');
    await expect.poll(frame).toContain('─╮');
    expect(frame()).not.toContain('old');
    pass(22);
    await expect.poll(frame).toMatch(shown);
    say();
    pass(2);
    await expect.poll(frame).not.toContain('old');
    screen.unmount();
  });

  it('are dimmed, each by the lines that it is from', () => {
    const { store, say, pass } = setUp();
    const dimmed = () => [throughputLines, queueLines].map((body) => body(input()).dimmed);
    const input = () => ({ ...inputOf(store), state: store.getState() });
    expect(dimmed()).toEqual([false, false]);
    for (let i = 0; i < 15; i++) {
      say({ values: { queues: values.queues } });
      pass(1);
    }
    expect(dimmed()).toEqual([true, false]);
    pass(15);
    expect(dimmed()).toEqual([true, true]);
  });

  it('are aged by the frame alone when the source is not live', () => {
    const { store, pass, head } = setUp();
    pass(20);
    store.push({ kind: 'source', source: 'log', status: 'stale', reason: 'the link is lost', ...head() });
    pass(2);
    expect(throughputLines({ ...inputOf(store), state: store.getState() }).note).toEqual([
      expect.objectContaining({ text: 'generic' }),
    ]);
  });
});
