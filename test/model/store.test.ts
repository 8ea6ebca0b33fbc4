import { describe, expect, test } from 'vitest';
import { createManualClock } from '../../src/clock.ts';
import type { GpusSample, LogSample, SourceSample, StacksSample, ThreadsSample } from '../../src/model/samples.ts';
import { seriesName } from '../../src/model/history.ts';
import { createStore } from '../../src/model/store.ts';

const start = 1_000_000;
const head = (time: number, source: string) => ({ host: 'h', source, time, receivedAt: time });
const gpus = (time: number, utilization: number | null): GpusSample => ({
  kind: 'gpus',
  ...head(time, 'gpu'),
  uuid: ['GPU-a'],
  index: [0],
  name: ['H200'],
  utilizationPercent: [utilization],
});
const threads = (time: number, percents: readonly number[]): ThreadsSample => ({
  kind: 'threads',
  ...head(time, 'threads'),
  reader: 'proc',
  pid: percents.map(() => 1),
  tid: percents.map((_, i) => i + 1),
  comm: percents.map(() => 'python3'),
  state: percents.map(() => 'S'),
  core: percents.map(() => 0),
  cpuPercent: percents,
  userPercent: percents,
  systemPercent: percents.map(() => 0),
  runQueuePercent: percents.map(() => 0),
});
const source = (time: number, status: SourceSample['status']): SourceSample => ({
  kind: 'source',
  ...head(time, 'gpu'),
  status,
});
const log = (time: number, texts: readonly string[]): LogSample => ({
  kind: 'log',
  ...head(time, 'log'),
  path: '/x.log',
  format: 'generic',
  lines: texts.map((text) => ({ text, time })),
});

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

  test('a flood of log lines adds one commit an interval', () => {
    const { clock, store, heard } = setUp();
    for (let i = 0; i < 1000; i++) {
      store.push(log(clock.now(), ['line']));
      clock.advance(10);
    }
    expect(heard()).toBeLessThanOrEqual(21);
    expect(heard()).toBeGreaterThanOrEqual(18);
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
    store.push({ ...log(start, ['kept']), path: '/given.log' });
    clock.advance(1100);
    expect([...store.getState().logs.keys()]).toEqual(['/one.log', '/given.log']);
    store.push(run('2:2', '/two.log'));
    store.push(lines(clock.now(), '/two.log', 1));
    store.push(run('2:2', '/two.log'));
    clock.advance(1100);
    const state = store.getState();
    expect([...state.logs.keys()]).toEqual(['/given.log', '/two.log']);
    expect(state.throughput).toMatchObject({ tokensCount: 1, bestTokensPerSecond: { value: 1 } });
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

describe('history', () => {
  test('an idle thread has none until it is active; a gap in a GPU is a gap', () => {
    const { clock, store } = setUp();
    store.push(threads(start, [0, 50]));
    store.push(gpus(start, null));
    clock.advance(1100);
    expect(store.history.get(seriesName.thread(1, 1))).toBeUndefined();
    expect(store.history.get(seriesName.thread(1, 2))?.last()?.value).toBe(50);
    expect(store.history.get(seriesName.gpu('GPU-a', 'utilization'))).toBeUndefined();
  });

  test('queues that a log names anew in each line do not fill the memory', () => {
    const { clock, store } = setUp();
    for (let i = 0; i < 1000; i++)
      store.push({
        ...log(start + i, []),
        lines: [{ text: '', time: start + i, values: { queues: [{ name: `q_${i}`, depth: 1 }] } }],
      });
    clock.advance(1100);
    const kept = Array.from({ length: 1000 }, (_, i) => store.history.get(seriesName.queue(`q_${i}`)));
    expect(kept.filter((series) => series !== undefined).length).toBe(64);
  });

  test('is as of the commit: a graph that is drawn anew between two commits is the same', () => {
    const { clock, store } = setUp();
    store.push(threads(start, [50]));
    clock.advance(1100);
    store.push(threads(start + 1100, [60]));
    const value = () => store.history.get(seriesName.thread(1, 1))?.last()?.value;
    expect(value()).toBe(50);
    clock.advance(1100);
    expect(value()).toBe(60);
  });

  test('a thread that is gone for a minute is forgotten', () => {
    const { clock, store } = setUp();
    store.push(threads(start, [50, 50]));
    clock.advance(61_000);
    store.push(threads(start + 61_000, [50]));
    clock.advance(1100);
    expect(store.history.get(seriesName.thread(1, 2))).toBeUndefined();
    expect(store.history.get(seriesName.thread(1, 1))?.summary()?.count).toBe(2);
  });
});
