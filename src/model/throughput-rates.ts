import type { Reading } from './ring.ts';

/** What a rate came to over time. JSON-safe and bounded. */
export interface RateStats {
  readonly best: Reading;
  /** Over all readings since the first above zero. */
  readonly sum: number;
  readonly count: number;
  /** The last minute by seconds and the last quarter of an hour by tens of them, oldest first. */
  readonly seconds: readonly RateSlot[];
  readonly tens: readonly RateSlot[];
}

/** The readings of one stretch of time. */
export interface RateSlot {
  readonly from: number;
  readonly sum: number;
  readonly count: number;
}

const minuteMs = 60_000;
const quarterMs = 15 * minuteMs;

/** The statistics with one more reading; zeros before the first work are start-up, zeros after it a stall. */
export function addRate(stats: RateStats | undefined, reading: Reading): RateStats | undefined {
  const { value } = reading;
  if (!Number.isFinite(value) || value < 0 || (value === 0 && !stats)) return stats;
  return {
    best: stats && stats.best.value >= value ? stats.best : { value, time: reading.time },
    sum: (stats?.sum ?? 0) + value,
    count: (stats?.count ?? 0) + 1,
    seconds: withReading(stats?.seconds ?? [], reading, { slotMs: 1000, spanMs: minuteMs }),
    tens: withReading(stats?.tens ?? [], reading, { slotMs: 10_000, spanMs: quarterMs }),
  };
}

/** The means of the minute and of the quarter of an hour before `now`; absent where nothing was printed. */
export function meansOf({ seconds, tens }: RateStats, now: number) {
  const minute = mean(seconds, now - minuteMs);
  const quarter = mean(tens, now - quarterMs);
  return { ...(minute !== undefined && { minute }), ...(quarter !== undefined && { quarter }) };
}

function mean(slots: readonly RateSlot[], after: number): number | undefined {
  let [sum, count] = [0, 0];
  for (const slot of slots) {
    if (slot.from < after) continue;
    sum += slot.sum;
    count += slot.count;
  }
  return count === 0 ? undefined : sum / count;
}

function withReading(
  slots: readonly RateSlot[],
  { value, time }: Reading,
  { slotMs, spanMs }: { readonly slotMs: number; readonly spanMs: number },
): readonly RateSlot[] {
  const from = Math.floor(time / slotMs) * slotMs;
  const last = slots.at(-1);
  // A clock that was set back: what is later than now has no place.
  const kept = last && last.from > from ? slots.filter((slot) => slot.from <= from) : slots;
  const newest = kept.at(-1);
  const rest = newest?.from === from ? kept.slice(0, -1) : kept;
  const before = newest?.from === from ? newest : { sum: 0, count: 0 };
  const first = rest[0];
  const slot = { from, sum: before.sum + value, count: before.count + 1 };
  if (first && first.from < from - spanMs) return [...rest.filter((each) => each.from >= from - spanMs), slot];
  return [...rest, slot];
}

/** The rate of a counter over the newest stretch of at least `shortestMs`, or between the last two: units a second. */
export function counterRate(readings: readonly Reading[], shortestMs: number): number | undefined {
  const last = readings.at(-1);
  if (!last || readings.length < 2) return undefined;
  const first = readings.findLast(({ time }) => last.time - time >= shortestMs) ?? readings[0];
  if (!first || last.value <= first.value || last.time <= first.time) return undefined;
  return ((last.value - first.value) * 1000) / (last.time - first.time);
}
