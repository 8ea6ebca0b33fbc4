/** Means of columns of figures over any window of the newest rows. Each costs two searches, however many rows are in it. */
export interface WindowMeans {
  /** One value a column; null, undefined and NaN: absent. A time before the newest row's says that the clock was set back: what was kept is dropped. */
  add(time: number, values: readonly (number | null | undefined)[]): void;
  /**
   * Of the rows from `from` to `to`, both inclusive, epoch ms. Of none, where the source has been silent for three of its periods at `to`.
   */
  over(span: Span): Means;
  /** Time of the newest row. */
  lastAt(): number | undefined;
  clear(): void;
}

/** Of one window. */
export interface Means {
  /** Values of a column that are no absent ones. */
  count(column: number): number;
  /** NaN where there are none. */
  mean(column: number): number;
  /** Times of the first and last of its rows; NaN where there are none. */
  readonly from: number;
  readonly to: number;
}

interface Span {
  readonly from: number;
  readonly to: number;
  /** Of the newest row, where no row is so young: a source may come more seldom than windows are long. */
  readonly orNewest?: boolean;
}

interface Init {
  readonly columns: number;
  /** Rows that come sooner than this after the one before are left out, so that what is kept is enough for a window, however often they come. */
  readonly leastGapMs?: number;
}

/** Ten a second over the longest window, and some. */
const most = 640;
const firstCapacity = 16;
/** So many of its own periods without a row are no chance. */
const silentPeriods = 3;
/** A source that is late once, or whose pace is not known yet, is waited for. */
const shortestSilenceMs = 6000;
const longestPeriodMs = 60_000;

/** An empty one; it takes memory as rows come. */
export function createWindowMeans({ columns, leastGapMs = 0 }: Init): WindowMeans {
  // Of each column what the values before a row add up to, and how many they are: a window is a difference of two rows.
  const width = 2 * columns;
  let capacity = firstCapacity;
  let times = new Float64Array(capacity);
  let sums = new Float64Array(capacity * width);
  let totals = new Float64Array(width);
  let size = 0;
  let head = 0; // where the next row goes
  let periodMs = 0;
  /** The place of a row, 0 for the oldest. */
  const place = (row: number) => (head - size + row + capacity) % capacity;
  const timeAt = (row: number) => times[place(row)] ?? NaN;

  function makeRoom() {
    if (capacity === most) {
      size--;
      return;
    }
    const larger = Math.min(most, capacity * 2);
    const [oldTimes, oldSums] = [times, sums];
    times = new Float64Array(larger);
    sums = new Float64Array(larger * width);
    for (let row = 0; row < size; row++) {
      const from = place(row);
      times[row] = oldTimes[from] ?? 0;
      sums.set(oldSums.subarray(from * width, (from + 1) * width), row * width);
    }
    capacity = larger;
    head = size;
  }

  function clear() {
    size = 0;
    periodMs = 0;
    totals = new Float64Array(width);
  }

  /** The first row that is at this time or later, or just later. */
  function rowFrom(time: number, isLater: boolean): number {
    let low = 0;
    let high = size;
    while (low < high) {
      const middle = (low + high) >> 1;
      const at = timeAt(middle);
      if (isLater ? at > time : at >= time) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  return {
    add(time, row) {
      const last = size === 0 ? time : timeAt(size - 1);
      if (time < last) clear();
      else if (size > 0 && time - last < leastGapMs) return;
      periodMs = Math.min(longestPeriodMs, Math.max(0, time - last));
      if (size === capacity) makeRoom();
      times[head] = time;
      sums.set(totals, head * width);
      for (let column = 0; column < columns; column++) {
        const value = row[column] ?? NaN;
        if (!Number.isFinite(value)) continue;
        totals[2 * column] = (totals[2 * column] ?? 0) + value;
        totals[2 * column + 1] = (totals[2 * column + 1] ?? 0) + 1;
      }
      head = (head + 1) % capacity;
      size++;
    },
    over({ from, to, orNewest = false }) {
      const newest = size === 0 ? NaN : timeAt(size - 1);
      const isSilent = !(to - newest <= Math.max(shortestSilenceMs, silentPeriods * periodMs));
      const first = isSilent ? size : rowFrom(orNewest ? Math.min(from, newest) : from, false);
      const end = isSilent ? size : rowFrom(to, true);
      const begin = place(first) * width;
      const after = end === size ? totals : sums.subarray(place(end) * width, (place(end) + 1) * width);
      const of = (at: number) => (first < end ? (after[at] ?? 0) - (sums[begin + at] ?? 0) : 0);
      return {
        count: (column) => of(2 * column + 1),
        mean: (column) => of(2 * column) / of(2 * column + 1),
        from: first < end ? timeAt(first) : NaN,
        to: first < end ? timeAt(end - 1) : NaN,
      };
    },
    lastAt: () => (size === 0 ? undefined : timeAt(size - 1)),
    clear,
  };
}
