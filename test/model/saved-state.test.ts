import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { createManualClock, type ManualClock } from '../../src/clock.ts';
import type { Minute } from '../../src/model/minutes.ts';
import type { Sample, StacksSample } from '../../src/model/samples.ts';
import type { SavedState } from '../../src/model/saved-state.ts';
import { createStore, type State, type Store } from '../../src/model/store.ts';
import { readLine, writeLine } from '../../src/recording/json-line.ts';
import { savedShape } from '../../src/recording/saved-shape.ts';
import { demoStart, playDemo } from '../support/demo-recording.ts';
import { gpus, head, log, start, threads } from './made.ts';

const minute = 60_000;

/** Through a file and back. */
function kept(saved: SavedState): SavedState {
  return savedShape(readLine(writeLine(saved)));
}

/** As a file has it: absent fields are not there. */
function plain(state: State): unknown {
  return { ...state, logs: [...state.logs], sources: [...state.sources], threadNames: [...state.threadNames] };
}

/** A saved state has only the newest lines of a log: those that both have are compared, and how many there were. */
function withNewestLines(state: State, count: number): unknown {
  const logs = [...state.logs].map(([path, tail]) => [
    path,
    { ...tail, lines: tail.lines.slice(-count), dropped: tail.dropped + tail.lines.length },
  ]);
  return { ...(plain(state) as object), logs };
}

interface Stage {
  readonly clock: ManualClock;
  readonly store: Store;
}

function createStage(at: number): Stage {
  const clock = createManualClock(at);
  return { clock, store: createStore(clock, 1000) };
}

/** Another store that goes on from what this one saved. */
function restored({ clock, store }: Stage, minutes: readonly Minute[]): Stage {
  const saved = kept(store.save());
  const other = createStage(0);
  other.clock.jump(clock.now());
  other.store.restore(saved);
  other.store.history.addMinutes(minutes);
  return other;
}

/** What the graphs of ten minutes and the log's show, and the whole minutes of an hour. */
function graphs(stage: Stage, names: readonly string[], span: number) {
  const now = stage.clock.now();
  const whole = Math.floor(now / minute) * minute;
  return names.map((name) => {
    const series = stage.store.history.get(name);
    return {
      name,
      recent: series?.buckets(now - span, now, 300),
      ...(/^(log|queue)\//.test(name) && {
        all: series?.buckets(whole - 60 * minute, whole, 60),
        last: series?.last(),
      }),
      ...(!name.startsWith('thread/') && {
        counts: series?.slices(whole - 60 * minute, whole, 60).map((s) => s?.count),
      }),
    };
  });
}

/** Equal but for the last digits: of tiers there are means of float32 means. */
function isNear(a: number | null | undefined, b: number | null | undefined): boolean {
  return typeof a === 'number' && typeof b === 'number' ? Math.abs(a - b) <= 1e-5 * Math.abs(a) : a === b;
}

describe.each(['restart', 'nan-loss', 'flaky-link'])('a store that was saved in the demo of %s', (scenario) => {
  const seconds = 640;
  const film: Sample[] = [];
  beforeAll(() => playDemo({ scenario, seconds, stepMs: 1000, onSample: (sample) => void film.push(sample) }), 120_000);

  /** Plays until a time; `others` get the same. */
  function play(stages: readonly Stage[], from: number, until: number): number {
    let next = from;
    for (const sample of film.slice(from)) {
      if (sample.receivedAt > until) break;
      for (const { clock, store } of stages) {
        clock.advance(Math.max(0, sample.receivedAt - clock.now()));
        store.push(sample);
      }
      next++;
    }
    for (const { clock } of stages) clock.advance(until - clock.now());
    return next;
  }

  test('shows what the other shows, from then on, at every second', () => {
    const stage = createStage(demoStart);
    const minutes: Minute[] = [];
    const others: Stage[] = [];
    let next = 0;
    for (let second = 1; second <= seconds; second++) {
      const now = demoStart + second * 1000;
      next = play([stage, ...others], next, now);
      for (const other of others) {
        const [shown, again] = [stage, other].map(({ store }) => withNewestLines(store.getState(), 200));
        // expect is slow where there is much to compare.
        if (!isDeepStrictEqual(again, shown)) expect(again, `second ${second}`).toStrictEqual(shown);
      }
      if (second % 4 === 0) minutes.push(...stage.store.history.takeMinutes());
      if ([20, 170, 186, 215, 299].includes(second)) others.push(restored(stage, minutes));
    }
    const all = [...stage.store.history.names()];
    const live = stage.store.getState().threads;
    live?.tid.slice(0, 12).forEach((tid, i) => all.push(`thread/${live.pid[i]}/${tid}`));
    expect(all.length).toBeGreaterThan(60);
    // The minute in which it was saved is there as a whole only.
    const wanted = graphs(stage, all, 5 * minute);
    for (const other of others)
      graphs(other, all, 5 * minute).forEach(({ all, ...given }, i) => {
        const { all: means, ...others } = wanted[i] ?? {};
        expect(given).toEqual(others);
        expect(all?.filter((mean, at) => !isNear(mean, means?.[at]))).toEqual(all && []);
      });
  }, 120_000);
});

describe('a saved state', () => {
  test('keeps numbers that JSON does not have, and what is absent stays absent', () => {
    const stage = createStage(start);
    stage.store.push({
      ...log(start, []),
      lines: [
        { text: 'loss nan', time: start, values: { loss: NaN, gradNorm: Infinity, other: { x: -Infinity, y: -0 } } },
      ],
    });
    stage.store.push(gpus(start, null));
    stage.clock.advance(1100);
    const other = restored(stage, []);
    expect(plain(other.store.getState())).toStrictEqual(plain(stage.store.getState()));
    const values = other.store.getState().logs.get('/x.log')?.lines[0]?.values;
    expect(values).toStrictEqual({ loss: NaN, gradNorm: Infinity, other: { x: -Infinity, y: -0 } });
    expect(other.store.history.get('log/loss')?.last()).toEqual({ time: start, value: NaN });
  });

  test('knows the run that was watched last, also while none is', () => {
    const stage = createStage(start);
    const run = (id: string | undefined) =>
      ({
        kind: 'run',
        ...head(stage.clock.now(), 'processes'),
        phase: id === undefined ? 'finding' : 'running',
        ...(id !== undefined && { run: { id, rootPid: 1, processes: [], outputs: [] } }),
        candidates: [],
      }) as const;
    stage.store.push(run('1:1'));
    stage.store.push(threads(start, [50]));
    stage.store.push(run(undefined));
    const [same, another] = [restored(stage, []), restored(stage, [])];
    same.store.push(run('1:1'));
    another.store.push(run('2:2'));
    for (const { clock } of [same, another]) clock.advance(1100);
    expect(same.store.getState().threads).toBeDefined();
    expect(another.store.getState().threads).toBeUndefined();
  });

  test('of nothing is nothing', () => {
    const stage = createStage(start);
    stage.store.push(gpus(start, 5));
    stage.clock.advance(1100);
    stage.store.restore();
    expect(stage.store.getState().gpus).toBeUndefined();
    expect(stage.store.history.names()).toEqual([]);
    const other = restored(stage, []);
    other.clock.advance(3000);
    stage.clock.advance(3000);
    expect(plain(other.store.getState())).toStrictEqual(plain(stage.store.getState()));
  });

  test('is a line of a bearable length, however long the lines, the names and the dumps', () => {
    const { clock, store } = createStage(start);
    const name = 'n'.repeat(4000);
    for (let i = 0; i < 20; i++) {
      for (let n = 0; n < 50; n++)
        store.push({ ...log(start, ['x'.repeat(60_000)]), source: `log:${i}`, path: `/log-${i}` });
      const [thread] = dumpOf(i).threads;
      const frames = thread?.frames.map((frame) => ({ ...frame, function: name }));
      if (thread && frames)
        store.push({
          ...dumpOf(i),
          threads: [
            { ...thread, frames },
            { ...thread, frames },
          ],
        });
    }
    clock.advance(1100);
    const saved = store.save();
    expect(saved.stacks.map(({ pid }) => pid)).toEqual([19, 18, 17, 16, 15, 14, 13, 12]);
    expect(writeLine(saved).length).toBeLessThan(4e6);
    expect(kept(saved).logs.length).toBe(20);
  });

  test('shares what is the same, and has no history of threads: it is made in a moment', () => {
    const { clock, store } = createStage(start);
    store.push(dumpOf(1));
    for (let second = 1; second <= 700; second++) {
      clock.advance(1000);
      store.push(threads(clock.now(), [50, 0, second % 100]));
      store.push({
        ...log(clock.now(), []),
        lines: [{ text: `step ${second}`, time: clock.now(), values: { loss: 2, tokensPerSecond: second } }],
      });
    }
    clock.advance(1100);
    const shown = store.getState();
    const saved = store.save();
    const shared = ['threads', 'throughput', 'events', 'stacks'] as const;
    for (const slice of shared) expect(saved[slice], slice).toBe(shown[slice]);
    const [lines, all] = [saved.logs[0]?.[1].lines, shown.logs.get('/x.log')?.lines];
    expect(lines).toHaveLength(200);
    expect(lines?.every((line, i) => line === all?.at(i - 200))).toBe(true);
    expect(saved.history.entries.map(({ name, values }) => [name, values.length])).toEqual([
      ['log/loss', 600],
      ['log/tokensPerSecond', 600],
    ]);
  });
});

function dumpOf(pid: number): StacksSample {
  const frames = Array.from({ length: 30 }, (_, i) => ({ function: `f${i}`, file: '/a/b.py', line: i }));
  const thread = (tid: number) => ({ tid, name: `t${tid}`, active: true, ownsGil: false, frames });
  return {
    kind: 'stacks',
    ...head(start, 'stacks'),
    pid,
    command: 'py-spy',
    threads: Array.from({ length: 200 }, (_, i) => thread(i)),
  };
}
