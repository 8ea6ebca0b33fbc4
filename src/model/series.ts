import { createRing, type Reading, type Ring } from './ring.ts';
import { createSlices } from './slices.ts';
import { createTier, type Slot, type Tier } from './tier.ts';

export type { Reading } from './ring.ts';
export type { Slot } from './tier.ts';

/**
 * The history of one value: the newest as they came, and older ones in tiers. A time without a value is a gap, and null in what is
 * read. Times are epoch ms; values are kept as float32. A value that is not finite is kept and counted, and is no part of a mean.
 */
export interface Series {
  add(time: number, value: number): void;
  /** The newest entry. */
  last(): Reading | undefined;
  /** Means over `count` equal slices of (from, to]; null where nothing was measured. */
  buckets(from: number, to: number, count: number): readonly (number | null)[];
  /** The same with minimum, maximum and counts. Where a tier is coarser than a slice, its slot stands in all slices that it covers. */
  slices(from: number, to: number, count: number): readonly (Slot | null)[];
  /** Over the newest entries (ten minutes at one a second), or those of them from a time on. */
  summary(from?: number): SeriesSummary | undefined;
  /** Drops what is later: the clock was set back. */
  forgetAfter(time: number): void;
}

/** A Series whose past is kept for two days. */
export interface LongSeries extends Series {
  readonly ring: Ring;
  /** 10 s for 2 h, then 60 s for 48 h. */
  readonly tiers: readonly [Tier, Tier];
  /** Ends of the minutes that changed since they were last taken; bounded, the oldest go. */
  readonly changed: Set<number>;
}

/** Of finite values only; `count` says how many there were. */
export interface SeriesSummary {
  readonly minimum: number;
  readonly mean: number;
  readonly maximum: number;
  readonly count: number;
}

/** Of the last tier. */
const minuteMs = 60_000;
/** At one a second ten minutes. */
const newestEntries = 600;
/** Nobody takes them where nothing is recorded. */
const mostChanged = 720;

/** A Series that keeps the newest `capacity` entries and no more. */
export function createSeries(capacity = newestEntries): Series {
  return seriesOf(createRing(capacity));
}

/** A series that keeps its past too. It takes 25 kB after 8 hours of one value a second, 60 kB after two days. */
export function createLongSeries(): LongSeries {
  const ring = createRing(newestEntries);
  const tiers = [createTier(10_000, 720), createTier(minuteMs, 2880)] as const;
  const changed = new Set<number>();
  const series = seriesOf(ring, tiers);
  return {
    ...series,
    ring,
    tiers,
    changed,
    add(time, value) {
      if (!Number.isFinite(time)) return;
      series.add(time, value);
      tiers[0].add(time, value);
      if (!tiers[1].add(time, value)) return;
      changed.add(Math.ceil(time / minuteMs) * minuteMs);
      if (changed.size > mostChanged) for (const first of changed) return void changed.delete(first);
    },
    forgetAfter(time) {
      series.forgetAfter(time);
      for (const tier of tiers) tier.forgetAfter(time);
      for (const end of changed) if (end - minuteMs >= time) changed.delete(end);
    },
  };
}

function seriesOf(ring: Ring, tiers?: LongSeries['tiers']): Series {
  const gather = (from: number, to: number, count: number) => {
    const slices = createSlices({ from, to, count });
    const { minutesTo, tensTo } = seams(ring, tiers);
    if (tiers && minutesTo > from) slices.addTier(tiers[1], -Infinity, minutesTo);
    if (tiers && tensTo > from) slices.addTier(tiers[0], minutesTo, tensTo);
    ring.each(Math.max(from, minutesTo, tensTo), slices.add);
    return slices;
  };
  return {
    add(time, value) {
      if (Number.isFinite(time)) ring.add(time, value);
    },
    last: ring.last,
    buckets: (from, to, count) => gather(from, to, count).means(),
    slices: (from, to, count) => gather(from, to, count).slots(),
    summary(from = -Infinity) {
      const all = createSlices({ from: -Infinity, to: Infinity, count: 1 });
      ring.each(from, all.add);
      const slot = all.slots()[0];
      if (!slot || slot.count === 0) return undefined;
      const { minimum, mean, maximum, count } = slot;
      return { minimum, mean, maximum, count };
    },
    forgetAfter: ring.forgetAfter,
  };
}

/**
 * Up to when the minutes are read, and from there on the slots of 10 s; later than both the entries as they came. Each ends where a
 * slot of the coarser one does, so that every value is read once.
 */
function seams(ring: Ring, tiers: LongSeries['tiers'] | undefined) {
  const after = ring.completeAfter();
  if (!tiers || after === -Infinity) return { minutesTo: -Infinity, tensTo: -Infinity };
  const [tens, minutes] = tiers;
  const tensFrom = roundUp(tens.completeAfter(), minutes.slotMs);
  const entriesFrom = roundUp(after, minutes.slotMs);
  if (entriesFrom <= tensFrom) return { minutesTo: entriesFrom, tensTo: -Infinity };
  return { minutesTo: tensFrom, tensTo: roundUp(after, tens.slotMs) };
}

function roundUp(time: number, step: number): number {
  return Math.ceil(time / step) * step;
}
