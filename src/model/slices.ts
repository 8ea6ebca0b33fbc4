import type { Slot, Tier } from './tier.ts';

/** Equal slices of a stretch of time, and what is measured in each. */
export interface Slices {
  add(time: number, value: number): void;
  /** The slots of a tier that end in (from, to]. */
  addTier(tier: Tier, from: number, to: number): void;
  means(): (number | null)[];
  slots(): (Slot | null)[];
}

/** `count` slices of (from, to]. */
export function createSlices({ from, to, count }: Readonly<Record<'from' | 'to' | 'count', number>>): Slices {
  const sums = new Array<number>(count).fill(0);
  const counts = new Array<number>(count).fill(0);
  const minima = new Array<number>(count).fill(Infinity);
  const maxima = new Array<number>(count).fill(-Infinity);
  const odd = new Array<number>(count).fill(0);
  const width = (to - from) / count;
  const isWhole = to === Infinity;
  // Multiplied first: a time on the border of two slices must not slip over it by rounding.
  const sliceOf = (time: number) => (isWhole ? 0 : Math.ceil(((time - from) * count) / (to - from)) - 1);

  function addSlot(i: number, { minimum, mean, maximum, count: n, nonFinite }: Slot) {
    odd[i] = (odd[i] ?? 0) + nonFinite;
    if (n === 0) return;
    counts[i] = (counts[i] ?? 0) + n;
    sums[i] = (sums[i] ?? 0) + mean * n;
    if (minimum < (minima[i] ?? 0)) minima[i] = minimum;
    if (maximum > (maxima[i] ?? 0)) maxima[i] = maximum;
  }

  return {
    add(time, value) {
      if (time > to || time <= from) return;
      const i = sliceOf(time);
      if (!Number.isFinite(value)) {
        odd[i] = (odd[i] ?? 0) + 1;
        return;
      }
      sums[i] = (sums[i] ?? 0) + value;
      counts[i] = (counts[i] ?? 0) + 1;
      if (value < (minima[i] ?? 0)) minima[i] = value;
      if (value > (maxima[i] ?? 0)) maxima[i] = value;
    },
    addTier(tier, begin, end) {
      const { slotMs } = tier;
      if (width >= slotMs) {
        // A slot that lies across the border of two slices is of the one that has its middle.
        tier.each(Math.max(begin, from - slotMs), Math.min(end, to + slotMs), (slotEnd, slot) => {
          const middle = slotEnd - slotMs / 2;
          if (middle > from && middle <= to) addSlot(sliceOf(middle), slot);
        });
        return;
      }
      for (let i = 0; i < count; i++) {
        const slotEnd = Math.ceil((from + (i + 0.5) * width) / slotMs) * slotMs;
        if (slotEnd <= begin || slotEnd > end) continue;
        const slot = tier.get(slotEnd);
        if (slot) addSlot(i, slot);
      }
    },
    means: () => counts.map((n, i) => (n === 0 ? null : (sums[i] ?? 0) / n)),
    slots: () =>
      counts.map((n, i) => {
        const nonFinite = odd[i] ?? 0;
        if (n === 0) return nonFinite === 0 ? null : { minimum: NaN, mean: NaN, maximum: NaN, count: 0, nonFinite };
        const mean = (sums[i] ?? 0) / n;
        return { minimum: minima[i] ?? NaN, mean, maximum: maxima[i] ?? NaN, count: n, nonFinite };
      }),
  };
}
