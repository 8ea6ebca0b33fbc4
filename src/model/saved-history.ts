import { short, valuesOf, type Minute, type MinuteValues } from './minutes.ts';
import type { LongSeries } from './series.ts';

/** What a History needs to go on, beside the Samples of the last ten minutes and the minutes that were written down. */
export interface SavedHistory {
  /** receivedAt of the newest Sample. */
  readonly at?: number;
  /** Runs that were forgotten. */
  readonly run: number;
  /** Minutes that nobody has taken: of runs that were forgotten, and of this one. */
  readonly left: readonly Minute[];
  readonly minutes: readonly Minute[];
  /** Of series whose newest entries may be hours old: a log that speaks once a minute. */
  readonly entries: readonly SavedEntries[];
}

/** The newest entries of a series, oldest first. */
export interface SavedEntries {
  readonly name: string;
  /** Later than this there is everything that came; absent: there is all. */
  readonly completeAfter?: number;
  /** The first as it is, the others as milliseconds since the one before. */
  readonly times: readonly number[];
  readonly values: readonly number[];
  /** Where graphs show more than the entries: the slots of 10 s before them. */
  readonly tens?: SavedTens;
}

/** Slots of 10 s. */
export interface SavedTens {
  /** Later than this all are here. */
  readonly after: number;
  /** By their ends; one without a value is not here. */
  readonly slots: readonly (readonly [end: number, values: MinuteValues])[];
}

/** A graph that halves as a run goes on shows up to three times the time of the entries (ui/panels/throughput-parts.ts). */
const tensSpans = 2;

/** The entries of these series; the slots before them too, of those that are `long`. */
export function saveEntries(
  all: readonly (readonly [name: string, series: LongSeries])[],
  isLong: (name: string) => boolean,
): readonly SavedEntries[] {
  return all.map(([name, series]) => {
    const { ring } = series;
    const times: number[] = [];
    const values: number[] = [];
    ring.each(-Infinity, (time, value) => {
      times.push(time);
      values.push(Number.isFinite(value) ? short(value) : value);
    });
    times.reverse();
    const completeAfter = ring.completeAfter();
    return {
      name,
      ...(completeAfter > -Infinity && { completeAfter }),
      times: times.map((time, i) => (i === 0 ? time : time - (times[i - 1] ?? 0))),
      values: values.reverse(),
      ...(completeAfter > -Infinity && isLong(name) && { tens: tensOf(series, completeAfter) }),
    };
  });
}

/** The slot in which the entries begin is saved whole: what it had of those that are dropped is nowhere else. */
function tensOf({ ring, tiers: [tens, minutes] }: LongSeries, entriesAfter: number): SavedTens {
  const span = (ring.last()?.time ?? entriesAfter) - entriesAfter;
  // Readers begin where a minute does.
  const from = Math.floor((entriesAfter - tensSpans * span) / minutes.slotMs - 1) * minutes.slotMs;
  const after = Math.max(from, tens.completeAfter());
  const slots: [number, MinuteValues][] = [];
  const to = Math.ceil(entriesAfter / tens.slotMs) * tens.slotMs;
  tens.each(after, to, (end, slot) => slots.push([end, valuesOf(slot)]));
  return { after, slots };
}

/** The same entries again. */
export function readings({ times, values }: SavedEntries): readonly (readonly [time: number, value: number])[] {
  let time = 0;
  return times.map((step, i) => [(time += step), values[i] ?? NaN] as const);
}
