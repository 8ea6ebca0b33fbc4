import { describe, expect, test } from 'vitest';
import { createManualClock } from '../../src/clock.ts';
import type { LogSample, StacksSample } from '../../src/model/samples.ts';
import { seriesName } from '../../src/model/history.ts';
import { createStore } from '../../src/model/store.ts';
import { gpus, head, log, source, start, threads } from './made.ts';

function setUp(intervalMs = 1000) {
  const clock = createManualClock(start);
  const store = createStore(clock, intervalMs);
  let heard = 0;
  store.subscribe(() => heard++);
  return { clock, store, heard: () => heard };
}

describe('createStore', () => {
  test('commits at most once an interval, however many frames come', () => {
    const { clock, store, heard } = setUp();
    for (let i = 0; i < 100; i++) {
      store.push(gpus(clock.now(), i));
      store.push(threads(clock.now(), [i]));
      clock.advance(100);
    }
    expect(heard()).toBeGreaterThanOrEqual(9);
    expect(heard()).toBeLessThanOrEqual(11);
  });

  test('many log lines add one commit an interval, and a flood that nobody reads none', () => {
    const commitsOf = (unreadLines?: number) => {
      const { clock, store, heard } = setUp();
      for (let i = 0; i < 1000; i++) {
        store.push({ ...log(clock.now(), ['line']), ...(unreadLines !== undefined && { unreadLines }) });
        clock.advance(10);
      }
      return heard();
    };
    expect(commitsOf()).toBeLessThanOrEqual(21);
    expect(commitsOf()).toBeGreaterThanOrEqual(18);
    expect(commitsOf(1)).toBeLessThanOrEqual(11);
    expect(commitsOf(1)).toBeGreaterThanOrEqual(9);
  });

  test('nothing new, no commit', () => {
    const { clock, store, heard } = setUp();
    store.push({ kind: 'link', ...head(start, 'link'), state: 'up' });
    clock.advance(2000);
    const before = heard();
    clock.advance(60_000);
    expect(heard()).toBe(before);
  });

  test('ages grow on the screen while the link is lost', () => {
    const { clock, store, heard } = setUp();
    store.push({ kind: 'link', ...head(start, 'link'), state: 'lost', reason: 'no answer' });
    clock.advance(2000);
    const before = heard();
    clock.advance(5000);
    expect(heard() - before).toBeGreaterThanOrEqual(4);
  });

  test('the end of a mute is seen when it comes, though nothing else does', () => {
    const { clock, store, heard } = setUp();
    store.push({ kind: 'link', ...head(start, 'link'), state: 'up' });
    store.push({ kind: 'mute', ...head(start, 'alarms'), alarm: 'slow', until: start + 90_000 });
    store.push({ kind: 'mute', ...head(start, 'alarms'), alarm: 'gpu-hot', until: start + 1e12 });
    clock.advance(2000);
    const before = heard();
    clock.advance(86_000);
    expect(heard()).toBe(before);
    // What is saved meanwhile, as a watch is attached to, goes on with it.
    const saved = store.save();
    store.restore(saved);
    clock.advance(2000);
    expect(store.getState().committedAt).toBe(start + 90_000);
    const then = heard();
    clock.advance(600_000);
    expect(heard()).toBe(then);
  });

  test('slices that did not change keep their identity', () => {
    const { clock, store } = setUp();
    store.push(gpus(start, 1));
    clock.advance(1100);
    const before = store.getState();
    store.push(threads(clock.now(), [1]));
    clock.advance(1100);
    expect(store.getState().gpus).toBe(before.gpus);
    expect(store.getState().threads).not.toBe(before.threads);
  });

  test('a source knows when its last value came', () => {
    const { clock, store } = setUp();
    store.push(source(start, 'live'));
    store.push(gpus(start + 5, 1));
    store.push(source(start + 9000, 'stale'));
    clock.advance(1100);
    expect(store.getState().sources.get('gpu')).toEqual({ status: 'stale', lastAt: start + 5 });
  });

  test('the log keeps its newest lines and counts the dropped', () => {
    const { clock, store } = setUp();
    for (let i = 0; i < 30; i++)
      store.push(
        log(
          start,
          Array.from({ length: 100 }, (_, n) => `line ${i * 100 + n}`),
        ),
      );
    clock.advance(1100);
    const tail = store.getState().logs.get('/x.log');
    expect(tail?.lines.length).toBe(2000);
    expect(tail?.dropped).toBe(1000);
    expect(tail?.lines.at(-1)?.text).toBe('line 2999');
  });

  test('a log that is renamed again and again is one log, with its newest lines', () => {
    const { clock, store } = setUp();
    store.push({ ...log(start, ['of another']), source: 'log:2', path: '/other.log' });
    for (let i = 0; i < 100; i++) store.push({ ...log(start + i, [`line ${i}`]), path: `/x.log.${i}` });
    clock.advance(1100);
    const { logs } = store.getState();
    expect([...logs.keys()]).toEqual(['/x.log.99', '/other.log']);
    expect(logs.get('/x.log.99')?.lines.map(({ text }) => text)).toEqual(
      Array.from({ length: 100 }, (_, i) => `line ${i}`),
    );
  });

  test('long lines are fewer lines', () => {
    const { clock, store } = setUp();
    for (let i = 0; i < 200; i++) store.push(log(start + i, ['x'.repeat(64 * 1024)]));
    store.push(log(start + 200, ['y'.repeat(8 * 1024 * 1024)]));
    clock.advance(1100);
    const tail = store.getState().logs.get('/x.log');
    expect(tail?.lines.length).toBe(1);
    expect(tail?.dropped).toBe(200);
  });

  test('a store that was stopped starts no timer, so that the process can end', () => {
    const { clock, store } = setUp();
    store.stop();
    store.push({ kind: 'link', ...head(start, 'link'), state: 'lost' });
    const before = store.commits();
    clock.advance(60_000);
    expect(store.commits()).toBe(before);
  });

  test('who listens hears nothing while it is held, and once after', () => {
    const { clock, store, heard } = setUp();
    const saved = store.save();
    const release = store.hold();
    const again = store.hold();
    for (let i = 0; i < 10; i++) {
      store.push(gpus(clock.now(), i));
      clock.advance(1000);
    }
    store.restore(saved);
    store.push(gpus(clock.now(), 50));
    clock.advance(40);
    again();
    again();
    expect(heard()).toBe(0);
    expect(store.getState().gpus?.utilizationPercent).toEqual([50]);
    release();
    release();
    expect(heard()).toBe(1);
    clock.advance(10_000);
    const after = heard();
    store.hold()();
    expect(heard()).toBe(after);
  });

  test('it goes on when the clock of this machine is set back', () => {
    const clock = createManualClock(start);
    let back = 0;
    const store = createStore({ ...clock, now: () => clock.now() - back }, 1000);
    store.push(gpus(start, 1));
    clock.advance(1100);
    back = 500_000;
    store.push(gpus(start - back, 2));
    clock.advance(2100);
    expect(store.getState().gpus?.utilizationPercent).toEqual([2]);
    store.push({ kind: 'link', ...head(start, 'link'), state: 'lost' });
    clock.advance(2000);
    const before = store.commits();
    back = 900_000;
    clock.advance(5000);
    expect(store.commits() - before).toBeGreaterThanOrEqual(3);
  });

  test('another run begins with nothing said: logs and values of the last are no part of it', () => {
    const { clock, store } = setUp();
    const lines = (time: number, path: string, tokensPerSecond: number): LogSample => ({
      ...log(time, []),
      path,
      lines: [{ text: 'a line', time, values: { tokensPerSecond, queues: [{ name: `q_${path}`, depth: 1 }] } }],
    });
    const run = (id: string, path: string, phase: 'running' | 'ended' = 'running') =>
      ({
        kind: 'run',
        ...head(clock.now(), 'processes'),
        phase,
        run: { id, rootPid: 1, processes: [], outputs: [{ fd: 1, kind: 'file', path }] },
        candidates: [],
      }) as const;
    store.push(run('1:1', '/one.log'));
    store.push(lines(start, '/one.log', 100));
    store.push(run('1:1', '/one.log', 'ended'));
    store.push({ ...log(start, ['kept']), source: 'log:2', path: '/given.log' });
    clock.advance(1100);
    expect([...store.getState().logs.keys()]).toEqual(['/one.log', '/given.log']);
    store.push(run('2:2', '/two.log'));
    store.push(lines(clock.now(), '/two.log', 1));
    store.push(run('2:2', '/two.log'));
    // Until that is shown, a graph that is drawn anew has what it had.
    expect(store.history.get(seriesName.log('tokensPerSecond'))?.last()?.value).toBe(100);
    clock.advance(1100);
    const state = store.getState();
    expect([...state.logs.keys()]).toEqual(['/two.log', '/given.log']);
    expect(state.throughput).toMatchObject({ rates: { tokens: { count: 1, best: { value: 1 } } } });
    expect(Object.keys(state.throughput.queues)).toEqual(['q_/two.log']);
    expect(store.history.get(seriesName.queue('q_/one.log'))).toBeUndefined();
    expect(store.history.get(seriesName.log('tokensPerSecond'))?.summary()?.count).toBe(1);
  });

  test('a lost link is committed at once, and how long it is down counts over all attempts', () => {
    const { clock, store } = setUp();
    store.push({ kind: 'link', ...head(start, 'link'), state: 'up' });
    store.push(gpus(start, 1));
    clock.advance(1100);
    store.push(gpus(clock.now(), 1));
    clock.advance(100);
    const lostAt = clock.now();
    store.push({ kind: 'link', ...head(lostAt, 'link'), state: 'lost', reason: 'cut' });
    clock.advance(50);
    expect(store.getState().link?.state).toBe('lost');
    clock.advance(5000);
    store.push({ kind: 'link', ...head(clock.now(), 'link'), state: 'connecting' });
    store.push({ kind: 'link', ...head(clock.now(), 'link'), state: 'lost', reason: 'refused' });
    clock.advance(50);
    expect(store.getState().linkDownSince).toBe(lostAt);
    store.push({ kind: 'link', ...head(clock.now(), 'link'), state: 'up' });
    clock.advance(50);
    expect(store.getState().linkDownSince).toBeUndefined();
  });

  test('a link is lost since it was heard last; that it is silent is committed at once, and its age grows', () => {
    const { clock, store } = setUp();
    store.push({ kind: 'link', ...head(start, 'link'), state: 'up' });
    clock.advance(5000);
    store.push({ kind: 'link', ...head(clock.now(), 'link'), state: 'up', silentSince: start });
    clock.advance(50);
    expect(store.getState().link?.silentSince).toBe(start);
    clock.advance(3000);
    expect(store.getState().committedAt).toBeGreaterThanOrEqual(start + 7000);
    const lostAt = clock.now();
    store.push({ kind: 'link', ...head(lostAt, 'link'), state: 'lost', silentSince: start, reason: 'silent' });
    clock.advance(50);
    expect(store.getState()).toMatchObject({ linkDownSince: start, linkLostAt: lostAt });
  });

  test('a phase begins once, however often its candidates change', () => {
    const { clock, store } = setUp();
    const ended = (time: number) =>
      store.push({ kind: 'run', ...head(time, 'processes'), phase: 'ended', candidates: [], reason: 'it ended' });
    ended(start);
    clock.advance(4000);
    ended(clock.now());
    clock.advance(50);
    expect(store.getState().phaseSince).toBe(start);
  });

  test('a dump names threads', () => {
    const { clock, store } = setUp();
    const dump: StacksSample = {
      kind: 'stacks',
      ...head(start, 'stacks'),
      pid: 7,
      command: 'py-spy dump',
      threads: [{ tid: 9, name: 'target-0', active: true, ownsGil: false, frames: [] }],
    };
    store.push(dump);
    clock.advance(1100);
    expect(store.getState().threadNames.get('7:9')).toBe('target-0');
  });
});
