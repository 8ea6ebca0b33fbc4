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

/** Statistics that grow line by line: a flood has no time for a copy each. */
export interface GrowingRate {
  best: Reading;
  sum: number;
  count: number;
  readonly seconds: GrowingSlot[];
  readonly tens: GrowingSlot[];
}

interface GrowingSlot {
  readonly from: number;
  sum: number;
  count: number;
}

/** A copy of the statistics that may grow, or none yet. */
export function openRate(stats: RateStats | undefined): GrowingRate | undefined {
  return stats && { ...stats, seconds: openSlots(stats.seconds), tens: openSlots(stats.tens) };
}

/** Only the last one grows. */
function openSlots(slots: readonly RateSlot[]): GrowingSlot[] {
  const last = slots.at(-1);
  return last ? [...slots.slice(0, -1), { ...last }] : [];
}

/** Takes one more reading in; zeros before the first work are start-up, zeros after it a stall. */
export function addRate(rate: GrowingRate | undefined, value: number, time: number): GrowingRate | undefined {
  if (!Number.isFinite(value) || value < 0 || (value === 0 && !rate)) return rate;
  const grown = rate ?? { best: { value, time }, sum: 0, count: 0, seconds: [], tens: [] };
  if (value > grown.best.value) grown.best = { value, time };
  grown.sum += value;
  grown.count++;
  addSlot(grown.seconds, { value, time, slotMs: 1000, spanMs: minuteMs });
  addSlot(grown.tens, { value, time, slotMs: 10_000, spanMs: quarterMs });
  return grown;
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

function addSlot(
  slots: GrowingSlot[],
  { value, time, slotMs, spanMs }: Reading & { readonly slotMs: number; readonly spanMs: number },
): void {
  const from = Math.floor(time / slotMs) * slotMs;
  // A clock that was set back: what is later than now has no place.
  while ((slots.at(-1)?.from ?? -Infinity) > from) slots.pop();
  const last = slots.at(-1);
  if (last?.from === from) {
    last.sum += value;
    last.count++;
    return;
  }
  slots.push({ from, sum: value, count: 1 });
  const isOld = (slot: RateSlot) => slot.from < from - spanMs;
  if (slots[0] && isOld(slots[0]))
    slots.splice(
      0,
      slots.findIndex((slot) => !isOld(slot)),
    );
}

/** The rate of a counter over the newest stretch of at least `shortestMs`, or between the last two: units a second. */
export function counterRate(readings: readonly Reading[], shortestMs: number): number | undefined {
  const last = readings.at(-1);
  if (!last || readings.length < 2) return undefined;
  const first = readings.findLast(({ time }) => last.time - time >= shortestMs) ?? readings[0];
  if (!first || last.value <= first.value || last.time <= first.time) return undefined;
  return ((last.value - first.value) * 1000) / (last.time - first.time);
}
