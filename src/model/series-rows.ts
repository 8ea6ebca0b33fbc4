import { mostTime } from './moment.ts';
import { isCounter } from './series-values.ts';

/** What was measured at one time, or in one stretch of time: by series. What is not there was not measured. */
export interface SeriesRow {
  readonly time: number;
  readonly values: ReadonlyMap<string, number>;
}

/** Gathers values into rows, in the order of their times. */
export interface RowMaker {
  add(series: string, time: number, value: number): void;
  /** The rows to which nothing is added any more, now that `time` is received. */
  done(time: number): readonly SeriesRow[];
  /** All that are left. */
  rest(): readonly SeriesRow[];
  /** Rows that were given after later ones: their values were received that late. */
  late(): number;
}

/** Lines of a log come late when its source had to be started anew; rows wait this long for them. */
export const waitMs = 120_000;
/** Stamps of a log may lie in the future (another time zone): no more rows than these wait for their time. */
const mostOpen = 100_000;

/** What came more than once in a row's time. */
interface Sum {
  sum: number;
  count: number;
}

interface OpenRow {
  /** The last value of each series: most have one. */
  readonly values: Map<string, number>;
  readonly sums: Map<string, Sum>;
}

/**
 * Rows of stretches of `everyMs`, named by their beginnings and aligned to the clock; 0: a row for each time at which something was
 * measured. A cell is the mean of what was measured then (of steps and counters the last one); one value that is no finite number
 * makes its cell such.
 */
export function createRowMaker(everyMs: number): RowMaker {
  const open = new Map<number, OpenRow>();
  let given = -Infinity;
  let late = 0;
  const take = (isDone: (time: number) => boolean): readonly SeriesRow[] => {
    const times = [...open.keys()].filter(isDone).sort((a, b) => a - b);
    return times.flatMap((time) => {
      const row = open.get(time);
      open.delete(time);
      if (time <= given) late++;
      given = Math.max(given, time);
      for (const [series, sum] of row?.sums ?? []) row?.values.set(series, meanOf(sum));
      return row ? [{ time, values: row.values }] : [];
    });
  };
  return {
    add(series, time, value) {
      if (!(Math.abs(time) < mostTime)) return;
      const at = everyMs === 0 ? time : Math.floor(time / everyMs) * everyMs;
      let row = open.get(at);
      if (!row) open.set(at, (row = { values: new Map(), sums: new Map() }));
      const before = row.values.get(series);
      row.values.set(series, value);
      if (before === undefined || isCounter(series)) return;
      const known = row.sums.get(series);
      if (!known) row.sums.set(series, { sum: before + value, count: 2 });
      else {
        known.sum += value;
        known.count++;
      }
    },
    done: (time) => take(open.size > mostOpen ? () => true : (at) => at + everyMs + waitMs <= time),
    rest: () => take(() => true),
    late: () => late,
  };
}

/** A mean has no more digits than double precision carries through a sum. */
function meanOf({ sum, count }: Sum): number {
  return Number.isFinite(sum) ? Number((sum / count).toPrecision(12)) : sum;
}
