import type { MinuteValues } from '../model/minutes.ts';
import { eachValue } from '../model/series-names.ts';
import { emptyState, reduceState, takeLog, type State } from '../model/state.ts';
import { loadState } from '../model/saved-state.ts';
import type { Recording } from '../recording/recording.ts';

/** What is measured, in equal slots of time: `i` is [from + i * slotMs, + slotMs). */
export interface Slots {
  readonly from: number;
  readonly to: number;
  readonly slotMs: number;
  readonly count: number;
  readonly series: ReadonlyMap<string, Series>;
  /** Runs that were forgotten before each slot, as the minutes tell. */
  readonly isFine: boolean;
}

/** One value in each slot; NaN where there was none. */
export interface Series {
  readonly low: Float64Array;
  readonly mean: Float64Array;
  readonly high: Float64Array;
  readonly counts: Float64Array;
  /** Values that were no numbers. */
  readonly odd: Float64Array;
}

/** A report draws no more than these of a curve. */
const mostSlots = 800;
/** A shorter recording is read whole: minutes are too coarse for it. */
const wholeMs = 30 * 60_000;
const fineSteps = [1, 2, 5, 10, 15, 30, 60] as const;
/** As far back as one look at the minutes goes. */
const lookMs = 24 * 3_600_000;
/** Names come from the host. */
const mostNamed = 400;

/** Reads the series of that time, of a long one from what a recording keeps of each minute. */
export async function readSlots(recording: Recording, span: { from: number; to: number }): Promise<Slots> {
  const { from, to } = span;
  const isFine = to - from <= wholeMs;
  const slotMs = isFine ? fineSlot(to - from) : 60_000 * Math.max(1, Math.ceil((to - from) / 60_000 / mostSlots));
  const begin = Math.floor(from / slotMs) * slotMs;
  const count = Math.max(1, Math.min(mostSlots + 1, Math.ceil((to - begin) / slotMs)));
  const table = createTable({ from: begin, slotMs, count });
  if (isFine) await readWhole(recording, span, table);
  else await readMinutes(recording, span, table);
  return { from: begin, to: begin + count * slotMs, slotMs, count, series: table.series(), isFine };
}

function fineSlot(ms: number): number {
  return 1000 * (fineSteps.find((seconds) => ms / seconds / 1000 <= 400) ?? 60);
}

type Table = ReturnType<typeof createTable>;

function createTable({ from, slotMs, count }: { from: number; slotMs: number; count: number }) {
  const all = new Map<string, Series>();
  const row = () => new Float64Array(count).fill(NaN);
  function seriesOf(name: string): Series | undefined {
    const known = all.get(name);
    if (known || all.size >= mostNamed) return known;
    const made = {
      low: row(),
      mean: row(),
      high: row(),
      counts: new Float64Array(count),
      odd: new Float64Array(count),
    };
    all.set(name, made);
    return made;
  }
  return {
    add(name: string, time: number, [low, mean, high, n, odd = 0]: MinuteValues) {
      const i = Math.floor((time - from) / slotMs);
      if (i < 0 || i >= count) return;
      const series = seriesOf(name);
      if (!series) return;
      series.odd[i] = at(series.odd, i) + odd;
      if (low === null || mean === null || high === null || n === 0) return;
      const before = at(series.counts, i);
      series.low[i] = before === 0 ? low : Math.min(at(series.low, i), low);
      series.high[i] = before === 0 ? high : Math.max(at(series.high, i), high);
      series.mean[i] = before === 0 ? mean : (at(series.mean, i) * before + mean * n) / (before + n);
      series.counts[i] = before + n;
    },
    series: (): ReadonlyMap<string, Series> => all,
  };
}

async function readMinutes(recording: Recording, { from, to }: { from: number; to: number }, table: Table) {
  for (let until = to; until > from; until -= lookMs) {
    // A late line changes a minute, which is told again: the last one counts.
    const minutes = new Map<number, Readonly<Record<string, MinuteValues>>>();
    for (const minute of await recording.minutes(until))
      if (minute.end > Math.max(from, until - lookMs) && minute.end <= until + 60_000)
        minutes.set(minute.end, { ...minutes.get(minute.end), ...minute.series });
    for (const [end, series] of minutes) {
      if (end > until && until < to) continue;
      for (const name in series) {
        const values = series[name];
        if (values && !name.startsWith('thread/')) table.add(name, end - 30_000, values);
      }
    }
  }
}

async function readWhole(recording: Recording, { from, to }: { from: number; to: number }, table: Table) {
  const cursor = await recording.cursor(from);
  let state: State = cursor.saved ? loadState(cursor.saved.state).state : emptyState(from);
  for (let batch = await cursor.next(); batch; batch = await cursor.next())
    for (const sample of batch) {
      if (sample.receivedAt > to) return;
      let counted = sample;
      if (sample.kind === 'log') ({ state, counted } = takeLog(state, sample));
      else if (sample.kind === 'run' || sample.kind === 'settings') state = reduceState(state, sample);
      if (sample.receivedAt < from) continue;
      eachValue(counted, (name, time, value) => {
        if (value === null || value === undefined) return;
        table.add(name, time, Number.isFinite(value) ? [value, value, value, 1] : [null, null, null, 0, 1]);
      });
    }
}

/** A value of a row. */
export function at(row: Float64Array | undefined, i: number): number {
  return row?.[i] ?? NaN;
}

/** The values of a row that are there. */
export function valuesIn(row: Float64Array | undefined, from = 0, to = Infinity): readonly number[] {
  return row ? Array.from(row.subarray(from, Math.min(to, row.length))).filter(Number.isFinite) : [];
}

/** The slot of a time, inside. */
export function slotAt({ from, slotMs, count }: Slots, time: number): number {
  return Math.max(0, Math.min(count - 1, Math.floor((time - from) / slotMs)));
}
