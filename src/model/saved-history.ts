import { short, type Minute } from './minutes.ts';
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
}

/** The entries of these series. */
export function saveEntries(all: readonly (readonly [name: string, series: LongSeries])[]): readonly SavedEntries[] {
  return all.map(([name, { ring }]) => {
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
    };
  });
}

/** The same entries again. */
export function readings({ times, values }: SavedEntries): readonly (readonly [time: number, value: number])[] {
  let time = 0;
  return times.map((step, i) => [(time += step), values[i] ?? NaN] as const);
}
