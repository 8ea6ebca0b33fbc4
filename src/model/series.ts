/**
 * The history of one value: a ring of (time, value). A time without a value is a gap: it has no entry, and buckets without an
 * entry are null. Times are epoch ms; values are kept as float32.
 */
export interface Series {
  add(time: number, value: number): void;
  /** The newest entry. */
  last(): { readonly time: number; readonly value: number } | undefined;
  /** Means over `count` equal slices of (from, to]; null where nothing was measured. */
  buckets(from: number, to: number, count: number): readonly (number | null)[];
  /** Over all that is kept, or from a time on. */
  summary(from?: number): SeriesSummary | undefined;
}

/** Of finite values only; `count` says how many there were. */
export interface SeriesSummary {
  readonly minimum: number;
  readonly mean: number;
  readonly maximum: number;
  readonly count: number;
}

/** A Series that keeps the newest `capacity` entries (600: ten minutes at one a second). */
export function createSeries(capacity = 600): Series {
  const times = new Float64Array(capacity);
  const values = new Float32Array(capacity);
  let size = 0;
  let head = 0; // where the next entry goes
  const at = (age: number) => (head - 1 - age + capacity * 2) % capacity;
  const each = (from: number, fn: (time: number, value: number) => void) => {
    for (let age = 0; age < size; age++) {
      const i = at(age);
      const time = times[i] ?? 0;
      if (time <= from) return;
      fn(time, values[i] ?? 0);
    }
  };
  return {
    add(time, value) {
      times[head] = time;
      values[head] = value;
      head = (head + 1) % capacity;
      size = Math.min(size + 1, capacity);
    },
    last: () => (size === 0 ? undefined : { time: times[at(0)] ?? 0, value: values[at(0)] ?? 0 }),
    buckets(from, to, count) {
      const sums = new Array<number>(count).fill(0);
      const counts = new Array<number>(count).fill(0);
      each(from, (time, value) => {
        if (time > to || !Number.isFinite(value)) return;
        const slot = Math.ceil(((time - from) / (to - from)) * count) - 1;
        sums[slot] = (sums[slot] ?? 0) + value;
        counts[slot] = (counts[slot] ?? 0) + 1;
      });
      return counts.map((n, i) => (n === 0 ? null : (sums[i] ?? 0) / n));
    },
    summary(from = -Infinity) {
      let minimum = Infinity;
      let maximum = -Infinity;
      let sum = 0;
      let count = 0;
      each(from, (_, value) => {
        if (!Number.isFinite(value)) return;
        minimum = Math.min(minimum, value);
        maximum = Math.max(maximum, value);
        sum += value;
        count++;
      });
      return count === 0 ? undefined : { minimum, maximum, mean: sum / count, count };
    },
  };
}
