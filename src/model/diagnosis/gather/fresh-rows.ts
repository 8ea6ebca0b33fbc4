import type { Window } from './gatherer.ts';
import { createTimedRows, type RowReader } from './timed-rows.ts';

/** The newest rows of a source, as long as they are not stale. */
export interface FreshRows {
  add(time: number, values: readonly (number | null | undefined)[]): void;
  /** Rows of a window; where it is shorter than the source's pace, the newest. None where the source has fallen silent. */
  each(window: Pick<Window, 'from' | 'to'>, fn: (row: RowReader, time: number) => void): void;
  /** Mean of a column over the same; NaN: nobody told. */
  mean(column: number, window: Pick<Window, 'from' | 'to'>): number;
  /** Time of the newest row. */
  lastAt(): number | undefined;
  clear(): void;
}

/** So many of its own periods without a row are no chance. */
const periods = 3;
/** A source that is late once, or whose pace is not known yet, is waited for. */
const shortestMs = 6000;
const longestPeriodMs = 60_000;

/** An empty one. */
export function createFreshRows(init: Parameters<typeof createTimedRows>[0]): FreshRows {
  const rows = createTimedRows(init);
  let periodMs = 0;
  const each: FreshRows['each'] = ({ from, to }, fn) => {
    const last = rows.lastAt();
    if (last === undefined || to - last > Math.max(shortestMs, periods * periodMs)) return;
    rows.each({ from: Math.min(from, last), to }, fn);
  };
  return {
    add(time, values) {
      periodMs = Math.min(longestPeriodMs, Math.max(0, time - (rows.lastAt() ?? time)));
      rows.add(time, values);
    },
    each,
    mean(column, window) {
      let sum = 0;
      let count = 0;
      each(window, (row) => {
        const value = row(column);
        if (!Number.isFinite(value)) return;
        sum += value;
        count++;
      });
      return count === 0 ? NaN : sum / count;
    },
    lastAt: rows.lastAt,
    clear: rows.clear,
  };
}
