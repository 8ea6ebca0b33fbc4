import { describe, expect, test } from 'vitest';
import { createManualClock } from '../../src/clock.ts';
import { createHistory, seriesName, type History } from '../../src/model/history.ts';
import { createStore } from '../../src/model/store.ts';
import type { LogSample, LogValues } from '../../src/model/samples.ts';
import { gpus, head, log, start, threads } from './made.ts';

const minute = 60_000;
/** A whole hour. */
const hour = Date.UTC(2026, 5, 12, 9);
const tokens = seriesName.log('tokensPerSecond');
const utilization = seriesName.gpu('GPU-a', 'utilization');

const said = (time: number, values: LogValues, receivedAt = time): LogSample => ({
  ...log(time, []),
  receivedAt,
  lines: [{ text: '', time, values }],
});

/** A line of the log each second. */
function speak(history: History, from: number, seconds: number, value = (second: number) => second) {
  for (let i = 1; i <= seconds; i++) history.add(said(from + i * 1000, { tokensPerSecond: value(i) }));
}

const counts = (history: History) => new Set(history.names().map((name) => name.split('/')[0]));

describe('the history', () => {
  test('an idle thread has none until it is active; a gap in a GPU is a gap', () => {
    const history = createHistory();
    history.add(threads(start, [0, 50]));
    history.add(gpus(start, null));
    expect(history.get(seriesName.thread(1, 1))).toBeUndefined();
    expect(history.get(seriesName.thread(1, 2))?.last()?.value).toBe(50);
    expect(history.get(utilization)).toBeUndefined();
  });

  test('is as of the commit: a graph that is drawn anew between two commits is the same', () => {
    const clock = createManualClock(start);
    const store = createStore(clock, 1000);
    store.push(threads(start, [50]));
    clock.advance(1100);
    store.push(threads(start + 1100, [60]));
    const value = () => store.history.get(seriesName.thread(1, 1))?.last()?.value;
    expect(value()).toBe(50);
    clock.advance(1100);
    expect(value()).toBe(60);
  });

  test('a thread that is gone for a minute is forgotten', () => {
    const history = createHistory();
    history.add(threads(start, [50, 50]));
    history.add(threads(start + 61_000, [50]));
    expect(history.get(seriesName.thread(1, 2))).toBeUndefined();
    expect(history.get(seriesName.thread(1, 1))?.summary()?.count).toBe(2);
  });

  test('keeps what the table says of each Sample', () => {
    const history = createHistory();
    history.add({ ...gpus(start, 97), powerWatts: [655], temperatureCelsius: [61], tensorActivePercent: [44] });
    history.add({
      kind: 'host',
      ...head(start, 'host'),
      load1: 12,
      busyPercent: 40,
      memoryTotalBytes: 100,
      memoryAvailableBytes: 30,
    });
    history.add(threads(start, [50, 0, 75]));
    history.add(
      said(start, {
        loss: 2.5,
        learningRate: 1e-4,
        queues: [{ name: 'q_hs', depth: 7, capacity: 16 }],
        stages: [{ name: 'forward', averageMs: 210 }],
        other: { anything: 5 },
      }),
    );
    const values = history.names().map((name) => [name, history.get(name)?.last()?.value]);
    expect(Object.fromEntries(values)).toEqual({
      [utilization]: 97,
      'gpu/GPU-a/power': 655,
      'gpu/GPU-a/temperature': 61,
      'gpu/GPU-a/tensorActive': 44,
      'host/load': 12,
      'host/busy': 40,
      'host/memoryUsed': 70,
      'run/cores': 1.25,
      'log/loss': 2.5,
      'log/learningRate': Math.fround(1e-4),
      'queue/q_hs': 7,
      'queueCapacity/q_hs': 16,
      'stage/forward': 210,
    });
  });

  test('another run begins with nothing of the last but the host', () => {
    const history = createHistory();
    for (const sample of [
      gpus(start, 1),
      threads(start, [50]),
      said(start, { loss: 1, stages: [{ name: 's', averageMs: 1 }] }),
    ])
      history.add(sample);
    history.forgetRun();
    expect(history.names()).toEqual([utilization]);
    expect(history.get(seriesName.thread(1, 1))).toBeUndefined();
  });
});

describe('whatever the host says, the history', () => {
  test('has a bound for each kind of series', () => {
    const history = createHistory();
    const many = Array.from({ length: 5000 }, (_, i) => i);
    history.add(
      threads(
        start,
        many.map(() => 50),
      ),
    );
    for (const i of many) {
      history.add({ ...gpus(start, 1), uuid: [`GPU-${i}`] });
      history.add(
        said(start, { queues: [{ name: `q_${i}`, depth: 1, capacity: 2 }], stages: [{ name: `s${i}`, averageMs: 1 }] }),
      );
    }
    const of = (kind: string) => history.names().filter((name) => name.startsWith(`${kind}/`)).length;
    expect([of('queue'), of('queueCapacity'), of('stage')]).toEqual([64, 64, 64]);
    expect(of('gpu')).toBeLessThan(1000);
    expect(counts(history)).toEqual(new Set(['run', 'gpu', 'queue', 'queueCapacity', 'stage']));
    const kept = many.filter((i) => history.get(seriesName.thread(1, i + 1)));
    expect(kept.length).toBe(2048);
    // Those that are gone make room.
    history.add({ ...threads(start + 61_000, [50]), tid: [9999] });
    expect(history.get(seriesName.thread(1, 9999))).toBeDefined();
  });

  test('goes on when the clock of this machine is set back', () => {
    const history = createHistory();
    speak(history, hour, 600);
    speak(history, hour - 10 * minute, 60, () => 7);
    const series = history.get(tokens);
    expect(series?.last()).toEqual({ time: hour - 9 * minute, value: 7 });
    expect(series?.buckets(hour - 10 * minute, hour - 9 * minute, 4)).toEqual([7, 7, 7, 7]);
    expect(series?.buckets(hour - 9 * minute, hour + 10 * minute, 2)).toEqual([null, null]);
  });

  test('puts a line of a backlog where its time is, and one with a time to come where it came', () => {
    const history = createHistory();
    speak(history, hour, 60);
    history.add(said(hour - 80 * minute, { tokensPerSecond: 5000 }, hour + 60_000));
    history.add(said(hour + 90 * minute, { tokensPerSecond: 6000 }, hour + 61_000));
    const series = history.get(tokens);
    expect(series?.last()).toEqual({ time: hour + 61_000, value: 6000 });
    expect(series?.buckets(hour - 120 * minute, hour, 4)).toEqual([null, 5000, null, null]);
  });
});

describe('minutes of the history', () => {
  test('are given once each, when they are over and what is on its way has come', () => {
    const history = createHistory();
    speak(history, hour, 64);
    expect(history.takeMinutes()).toEqual([]);
    speak(history, hour + 64_000, 1);
    expect(history.takeMinutes()).toEqual([
      { takenAt: hour + 65_000, end: hour + minute, run: 0, series: { [tokens]: [1, 30.5, 60, 60] } },
    ]);
    expect(history.takeMinutes()).toEqual([]);
  });

  test('that change once more are given once more; numbers that are not finite are counted apart', () => {
    const history = createHistory();
    speak(history, hour, 65);
    history.takeMinutes();
    history.add(said(hour + 30_500, { tokensPerSecond: NaN }, hour + 66_000));
    history.add(said(hour - 30_500, { tokensPerSecond: Infinity }, hour + 66_000));
    expect(history.takeMinutes().map(({ end, series }) => [end, series[tokens]])).toEqual([
      [hour, [null, null, null, 0, 1]],
      [hour + minute, [1, 30.5, 60, 60, 1]],
    ]);
  });

  test('of a run that was forgotten are given still, and not taken back for the next one', () => {
    const history = createHistory();
    speak(history, hour, 30);
    history.add(gpus(hour + 30_000, 50));
    history.forgetRun();
    const [last, ...more] = history.takeMinutes();
    expect([last?.run, last?.series, more]).toEqual([0, { [tokens]: [1, 15.5, 30, 30] }, []]);
    speak(history, hour + 2 * minute, 90);
    const minutes = [...(last ? [last] : []), ...history.takeMinutes()];
    const other = createHistory();
    other.restore(history.save());
    other.addMinutes(minutes);
    for (const of of [history, other])
      expect(
        of
          .get(tokens)
          ?.slices(hour, hour + 3 * minute, 3)
          .map((slot) => slot?.count),
      ).toEqual([undefined, undefined, 60]);
    expect(other.get(utilization)?.buckets(hour, hour + minute, 1)).toEqual([50]);
  });

  test('the graph of a log that shows three times its newest entries is the same after a restore', () => {
    const history = createHistory();
    const wave = (second: number) => Math.sin(second / 7) * 100;
    const say = (to: History, from: number, seconds: number) => {
      for (let i = 2; i <= seconds; i += 2) to.add(said(from + i * 1000, { tokensPerSecond: wave(i) }));
    };
    say(history, hour, 7200);
    const saved = history.save();
    const other = createHistory();
    other.restore(JSON.parse(JSON.stringify(saved)));
    for (const each of [history, other]) say(each, hour + 7_200_000, 600);
    const end = hour + 7_800_000;
    const graph = (of: History) => of.get(tokens)?.buckets(end - 3 * 1_200_000, end, 98);
    expect(graph(other)).toEqual(graph(history));
    expect(JSON.stringify(saved.entries).length).toBeLessThan(40_000);
  });

  test('a history that is saved and restored goes on as if it had not been', () => {
    const wave = (second: number) => 1000 + 300 * Math.sin(second / 77) + (second % 13);
    const history = createHistory();
    const lines = [];
    for (let i = 0; i < 4 * 60; i++) {
      speak(history, hour + i * minute, 60, (second) => wave(i * 60 + second));
      lines.push(...history.takeMinutes());
      if (i % 3 === 0) history.add({ ...gpus(hour + i * minute, i % 100), source: 'gpu' });
    }
    const savedAt = hour + 240 * minute;
    const saved = JSON.parse(JSON.stringify(history.save())) as ReturnType<History['save']>;
    // Those that were written later are made of what is still to come.
    for (const each of [history]) speak(each, savedAt, 200, wave);
    const later = history.takeMinutes();
    const other = createHistory();
    other.restore(saved);
    other.addMinutes([...(JSON.parse(JSON.stringify(lines)) as typeof lines), ...later]);
    speak(other, savedAt, 200, wave);
    expect(other.takeMinutes().map(({ end, series }) => [end, series])).toEqual(
      later.map(({ end, series }) => [end, series]),
    );
    const now = savedAt + 200_000;
    for (const name of [tokens, utilization]) {
      const read = (from: History, span: number, count: number) => from.get(name)?.slices(now - span, now, count);
      // Whole minutes are the same.
      const end = savedAt + 3 * minute;
      for (const of of [4, 20, 240]) {
        const [a, b] = [history, other].map((each) => each.get(name)?.slices(end - 240 * minute, end, of));
        expect(b?.map((slot) => slot?.count)).toEqual(a?.map((slot) => slot?.count));
        expect(b?.map((slot) => slot?.mean)).toEqual(
          a?.map((slot) => (slot ? expect.closeTo(slot.mean, 2) : undefined)),
        );
      }
      // And what the log's graphs draw is the same to the last digit.
      if (name === tokens) expect(read(other, 600_000, 300)).toEqual(read(history, 600_000, 300));
    }
    expect(other.get(tokens)?.last()).toEqual(history.get(tokens)?.last());
    expect(other.get(tokens)?.summary()).toEqual(history.get(tokens)?.summary());
  });

  test('of 12 hours and 100 series are small', () => {
    const history = createHistory();
    const uuid = Array.from({ length: 8 }, (_, i) => `GPU-6ad2f3c8-0000-4000-8000-00000000000${i}`);
    const column = (second: number) => uuid.map((_, i) => Math.round(500 + 100 * Math.sin(second / 9 + i)));
    let bytes = 0;
    for (let second = 1; second <= 600; second++) {
      const columns = [
        'utilizationPercent',
        'memoryUsedBytes',
        'powerWatts',
        'temperatureCelsius',
        'smClockMhz',
        'smActivePercent',
        'tensorActivePercent',
        'dramActivePercent',
      ];
      history.add({
        ...gpus(hour + second * 1000, 1),
        uuid,
        index: uuid.map((_, i) => i),
        name: uuid.map(() => 'H200'),
        ...Object.fromEntries(columns.map((name) => [name, column(second)])),
      });
      for (const line of history.takeMinutes()) bytes += JSON.stringify(line).length;
    }
    expect(history.names().length).toBe(64);
    // 9 of them are over: about 80 bytes a series and minute, before gzip.
    expect(bytes / 9 / 64).toBeLessThan(100);
  });
});
