import { slotOf, valuesOf, type Minute, type MinuteValues } from './minutes.ts';
import type { Sample, ThreadsSample } from './samples.ts';
import { readings, saveEntries, type SavedHistory } from './saved-history.ts';
import { createLongSeries, createSeries, type LongSeries, type Series } from './series.ts';
import { eachValue, hasLongGraph, isIrregular, isOfRun, mostSeries, seriesKind, seriesName } from './series-names.ts';

export { seriesName } from './series-names.ts';

/** All histories of one host, by name. Series appear when their first value does: an idle thread costs nothing. */
export interface History {
  get(name: string): Series | undefined;
  /** Of all that are kept long: no threads. */
  names(): readonly string[];
  add(sample: Sample): void;
  /** The minutes that ended and changed since the last call; for one who writes them down. */
  takeMinutes(): readonly Minute[];
  /** After a `restore`: what was written down before that was saved. The 60 s tier is as it was then, the 10 s tier begins anew. */
  addMinutes(minutes: Iterable<Minute>): void;
  /** Another run is watched: threads, logs and queues of the last are no part of it. */
  forgetRun(): void;
  save(): SavedHistory;
  /** Forgets all, or goes on from what was saved. */
  restore(saved?: SavedHistory): void;
}

/** Of one core; below it a thread does nothing, and has no history: one tick (10 ms) in a second is 1 %. */
export const activePercent = 0.5;
/** A thread that is gone keeps its history this long. */
const keepGoneMs = 60_000;
/** Two clocks agree no better than this; what is later still has a wrong time. */
const aheadMs = 5000;
/** The clock of this machine was set back. Samples of several sources come less out of order than this. */
const setBackMs = 10_000;
/** A minute is taken when what is on its way has come. */
const lateMs = 5000;
/** Minutes of forgotten runs that nobody has taken yet. */
const mostLeft = 60;

/** An empty history. */
export function createHistory(): History {
  const long = new Map<string, LongSeries>();
  const threads = new Map<string, Series>();
  const counts = new Map<string, number>();
  /** Of the newest Sample. */
  let now = -Infinity;
  /** What came until then is known from saved minutes only. */
  let restoredAt = -Infinity;
  /** Of the newest frame of threads. */
  let frame = frameOf({ pid: [], tid: [] });
  /** Runs that were forgotten. */
  let run = 0;
  /** The last minutes of one, for who writes them down. */
  let left: Minute[] = [];

  /** There is room for one more series of that name's kind. */
  function admit(name: string): boolean {
    const kind = seriesKind(name);
    const count = counts.get(kind) ?? 0;
    if (count >= (mostSeries[kind] ?? 0)) return false;
    counts.set(kind, count + 1);
    return true;
  }

  function drop(from: Map<string, Series>, name: string) {
    const kind = seriesKind(name);
    if (from.delete(name)) counts.set(kind, (counts.get(kind) ?? 0) - 1);
  }

  /** `missing`: only minutes are known until then; `tensMissing`: and no slots of 10 s. */
  function longOf(name: string, missing = restoredAt, tensMissing = missing): LongSeries | undefined {
    const known = long.get(name);
    if (known || !admit(name)) return known;
    const series = createLongSeries();
    series.ring.miss(missing);
    series.tiers[0].miss(tensMissing);
    long.set(name, series);
    return series;
  }

  function addThreads(sample: ThreadsSample) {
    const { time, cpuPercent } = sample;
    // Frames mostly have the same threads: their names are made once.
    if (!isSame(frame.pid, sample.pid) || !isSame(frame.tid, sample.tid)) frame = frameOf(sample);
    const { names, alive } = frame;
    for (const [name, series] of threads) {
      if (!alive.has(name) && time - (series.last()?.time ?? 0) > keepGoneMs) drop(threads, name);
    }
    names.forEach((name, row) => {
      const percent = cpuPercent[row] ?? undefined;
      let series = threads.get(name);
      if (!series && (percent ?? 0) >= activePercent && admit(name)) threads.set(name, (series = createSeries()));
      if (percent !== undefined) series?.add(time, percent);
    });
  }

  /** What changed, minute by minute, of the series and ends that `wanted` says. */
  function changedMinutes(wanted: (name: string, end: number) => boolean): Minute[] {
    const byEnd = new Map<number, Record<string, MinuteValues>>();
    for (const [name, { changed, tiers }] of long) {
      for (const end of changed) {
        const slot = wanted(name, end) ? tiers[1].get(end) : undefined;
        if (!slot) continue;
        const series = byEnd.get(end) ?? {};
        series[name] = valuesOf(slot);
        byEnd.set(end, series);
      }
    }
    return [...byEnd].sort(([a], [b]) => a - b).map(([end, series]) => ({ takenAt: now, end, run, series }));
  }

  function setMinute(minute: Minute, isNew: boolean) {
    for (const [name, values] of Object.entries(minute.series)) {
      if (minute.run !== run && isOfRun(name)) continue;
      const series = longOf(name);
      series?.tiers[1].set(minute.end, slotOf(values));
      if (isNew) series?.changed.add(minute.end);
    }
  }

  function forgetAfter(time: number) {
    for (const series of [...long.values(), ...threads.values()]) series.forgetAfter(time);
  }

  return {
    get: (name) => long.get(name) ?? threads.get(name),
    names: () => [...long.keys()],
    add(sample) {
      const { receivedAt } = sample;
      if (receivedAt < now - setBackMs) forgetAfter(receivedAt);
      now = receivedAt < now - setBackMs ? receivedAt : Math.max(now, receivedAt);
      if (sample.kind === 'threads') addThreads(sample);
      eachValue(sample, (name, time, value) => {
        if (value === null || value === undefined) return;
        longOf(name)?.add(time > receivedAt + aheadMs ? receivedAt : time, value);
      });
    },
    takeMinutes() {
      const isOver = (_: string, end: number) => end + lateMs <= now;
      const minutes = [...left, ...changedMinutes(isOver)];
      left = [];
      for (const [name, { changed }] of long) for (const end of changed) if (isOver(name, end)) changed.delete(end);
      return minutes;
    },
    addMinutes(minutes) {
      // What was written after the state was saved is made of Samples that are still to come.
      for (const minute of minutes) if (minute.takenAt <= restoredAt) setMinute(minute, false);
    },
    forgetRun() {
      left = [...left, ...changedMinutes(isOfRun)].slice(-mostLeft);
      run++;
      for (const name of threads.keys()) drop(threads, name);
      for (const name of long.keys()) if (isOfRun(name)) drop(long, name);
    },
    save: () => ({
      ...(now > -Infinity && { at: now }),
      run,
      left,
      minutes: changedMinutes(() => true),
      entries: saveEntries(
        [...long].filter(([name]) => isIrregular(name)),
        hasLongGraph,
      ),
    }),
    restore(saved) {
      for (const all of [long, threads, counts]) all.clear();
      now = restoredAt = saved?.at ?? -Infinity;
      run = saved?.run ?? 0;
      left = [...(saved?.left ?? [])];
      for (const entries of saved?.entries ?? []) {
        const { name, completeAfter = -Infinity, tens } = entries;
        const series = longOf(name, completeAfter, tens?.after);
        for (const [time, value] of readings(entries)) series?.add(time, value);
        for (const [end, values] of tens?.slots ?? []) series?.tiers[0].set(end, slotOf(values));
        series?.changed.clear();
      }
      for (const minute of saved?.minutes ?? []) setMinute(minute, true);
    },
  };
}

/** The names of all threads of a frame. */
function frameOf({ pid, tid }: Pick<ThreadsSample, 'pid' | 'tid'>) {
  const names = tid.map((id, row) => seriesName.thread(pid[row] ?? 0, id));
  return { pid, tid, names, alive: new Set(names) };
}

function isSame(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, at) => value === b[at]);
}
