import type { Series } from '../../model/series.ts';

/** Values of equal slices of time, the newest last; null is a gap. */
export type Slots = readonly (number | null)[];

/** Which stretch of a series, cut how finely. */
export interface SlotsQuery {
  /** The newest time to show; the slots end on the next multiple of `slotMs`, so that the graph moves by whole slots and never shimmers. */
  readonly to: number;
  readonly slotMs: number;
  readonly count: number;
  /** A value stands for this many empty slots after it: readings drift against the grid, and a log speaks when it likes. Default a second's slots. */
  readonly hold?: number;
  /** No value stands beyond this time: nothing could come any more. */
  readonly heldTo?: number | undefined;
}

/** The history of a series on a fixed grid of time. */
export function slotsOf(
  series: Series | undefined,
  { to, slotMs, count, hold = Math.max(1, Math.ceil(1000 / slotMs)), heldTo = Infinity }: SlotsQuery,
): Slots {
  if (!series || count <= 0) return new Array<null>(Math.max(0, count)).fill(null);
  const end = Math.ceil(to / slotMs) * slotMs;
  // The held value of the oldest slot may come from before the window.
  const before = Math.min(hold, 60);
  const all = [...series.buckets(end - (count + before) * slotMs, end, count + before)];
  /** When a slot begins. */
  const timeOf = (i: number) => end - (all.length - i) * slotMs;
  let last: number | null = null;
  let age = 0;
  for (let i = 0; i < all.length; i++) {
    const value = all[i] ?? null;
    if (value !== null) {
      last = value;
      age = 0;
    } else if (last !== null && ++age <= hold && timeOf(i) <= heldTo) all[i] = last;
  }
  return all.slice(before);
}

/** The mean of several on the same grid; where one has no value, of the others. */
export function meanSlots(all: readonly Slots[]): Slots {
  const [first = [], ...more] = all;
  if (more.length === 0) return first;
  return first.map((_, i) => {
    const values = all.flatMap((slots) => slots[i] ?? []);
    return values.length === 0 ? null : values.reduce((a, b) => a + b, 0) / values.length;
  });
}

/** What is drawn, and how. */
export interface SparkOptions {
  readonly values: Slots;
  /** Height in rows: 4 braille dots each. */
  readonly rows: number;
  /** Bounds of the scale; without them those of the values, zero included when it is near. */
  readonly minimum?: number;
  readonly maximum?: number;
  /** `area` fills down to the base, `line` joins the values. */
  readonly shape?: 'area' | 'line';
}

/** How many values a cell shows side by side. */
export const slotsPerCell = 2;

/** A graph of braille dots, top row first, two values a cell. A measured minimum is one dot; a gap is blank. */
export function spark({ values, rows, minimum, maximum, shape = 'area' }: SparkOptions): readonly string[] {
  const scale = scaleOf(values, minimum, maximum);
  const dots = rows * 4;
  const heights = values.map((value) => {
    if (value === null || Number.isNaN(value)) return 0;
    const share = Math.min(1, Math.max(0, (value - scale.minimum) / (scale.maximum - scale.minimum)));
    return Math.max(1, Math.round(share * dots));
  });
  // From which dot to which: a line reaches towards the value before, so that it does not fall apart into dots.
  const lows = heights.map((height, i) => {
    const before = heights[i - 1] ?? 0;
    if (shape === 'area') return 1;
    return before > 0 && before < height ? before + 1 : height;
  });
  const highs = heights.map((height, i) => {
    const before = heights[i - 1] ?? 0;
    return shape === 'line' && height > 0 && before > height ? before - 1 : height;
  });
  const width = Math.ceil(values.length / slotsPerCell);
  return Array.from({ length: rows }, (_, fromTop) => {
    const base = (rows - 1 - fromTop) * 4;
    let text = '';
    for (let x = 0; x < width * 2; x += 2) {
      const left = column(leftDots, { low: (lows[x] ?? 1) - base, high: (highs[x] ?? 0) - base });
      const right = column(rightDots, { low: (lows[x + 1] ?? 1) - base, high: (highs[x + 1] ?? 0) - base });
      // U+2800 is drawn as dots by some fonts: a blank is a blank.
      text += left + right === 0 ? ' ' : String.fromCharCode(0x2800 + left + right);
    }
    return text;
  });
}

/** The bounds that spark draws between. */
export function scaleOf(values: Slots, minimum?: number, maximum?: number): { minimum: number; maximum: number } {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value === null || !Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const top = maximum ?? (high === -Infinity ? 1 : high);
  const base = minimum ?? (low === Infinity ? 0 : low);
  return top > base ? { minimum: base, maximum: top } : { minimum: base - (Math.abs(base) || 1), maximum: base };
}

// Braille dots from the base up: 7 3 2 1 on the left, 8 6 5 4 on the right.
const leftDots = [0x40, 0x04, 0x02, 0x01];
const rightDots = [0x80, 0x20, 0x10, 0x08];

function column(dots: readonly number[], { low, high }: { low: number; high: number }): number {
  let mask = 0;
  for (let dot = Math.max(1, low); dot <= Math.min(4, high); dot++) mask += dots[dot - 1] ?? 0;
  return mask;
}
