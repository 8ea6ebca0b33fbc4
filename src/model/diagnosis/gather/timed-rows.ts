/** The newest rows of a table of figures, each with its time, in the order they came. NaN: absent. Kept as float32. */
export interface TimedRows {
  /** One value a column. A time before the newest one says that the clock was set back: what was kept is dropped. */
  add(time: number, values: readonly (number | null | undefined)[]): void;
  /** Rows from `from` to `to` (both inclusive, epoch ms), oldest first. */
  each(span: { readonly from: number; readonly to: number }, fn: (row: RowReader, time: number) => void): void;
  /** Time of the newest row. */
  lastAt(): number | undefined;
  clear(): void;
}

/** Value of a column of the row that is being read. */
export type RowReader = (column: number) => number;

interface Init {
  readonly columns: number;
  /** Rows that are kept at most. */
  readonly most: number;
  /** Rows that come sooner than this after the one before are left out, so that `most` is enough for a window, however often they come. */
  readonly leastGapMs?: number;
}

const firstCapacity = 32;

/** An empty one; it takes memory as rows come. */
export function createTimedRows({ columns, most, leastGapMs = 0 }: Init): TimedRows {
  let capacity = Math.min(most, firstCapacity);
  let times = new Float64Array(capacity);
  let values = new Float32Array(capacity * columns);
  let size = 0;
  let head = 0; // where the next row goes
  const place = (age: number) => (head - 1 - age + capacity) % capacity;
  const newest = () => (size === 0 ? undefined : times[place(0)]);

  function makeRoom() {
    if (capacity === most) {
      size--;
      return;
    }
    const larger = Math.min(most, capacity * 2);
    const [oldTimes, oldValues] = [times, values];
    times = new Float64Array(larger);
    values = new Float32Array(larger * columns);
    for (let age = size - 1, to = 0; age >= 0; age--, to++) {
      const from = place(age);
      times[to] = oldTimes[from] ?? 0;
      values.set(oldValues.subarray(from * columns, (from + 1) * columns), to * columns);
    }
    capacity = larger;
    head = size;
  }

  let reading = 0;
  const reader: RowReader = (column) => values[reading + column] ?? NaN;

  return {
    add(time, row) {
      const last = newest();
      if (last !== undefined && time < last) size = 0;
      else if (last !== undefined && time - last < leastGapMs) return;
      if (size === capacity) makeRoom();
      times[head] = time;
      for (let column = 0; column < columns; column++) values[head * columns + column] = row[column] ?? NaN;
      head = (head + 1) % capacity;
      size++;
    },
    each({ from, to }, fn) {
      let age = 0;
      while (age < size && (times[place(age)] ?? 0) >= from) age++;
      for (age--; age >= 0; age--) {
        const at = place(age);
        const time = times[at] ?? 0;
        if (time > to) return;
        reading = at * columns;
        fn(reader, time);
      }
    },
    lastAt: newest,
    clear: () => void (size = 0),
  };
}
