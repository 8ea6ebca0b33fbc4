/** The newest values of a series as they came, in the order of their times. Values are kept as float32. */
export interface Ring {
  add(time: number, value: number): void;
  /** The newest. */
  last(): Reading | undefined;
  /** From the newest on, as long as they are later than `from`. */
  each(from: number, fn: (time: number, value: number) => void): void;
  /** Everything later than this that was ever added is here. */
  completeAfter(): number;
  /** Up to this time something may be missing, whatever is here. */
  miss(time: number): void;
  /** Drops what is later: the clock was set back. */
  forgetAfter(time: number): void;
}

/** A value and its time. */
export interface Reading {
  readonly time: number;
  readonly value: number;
}

const firstCapacity = 32;

/** A Ring of the newest `most` values; it takes memory as they come. */
export function createRing(most: number): Ring {
  let capacity = Math.min(most, firstCapacity);
  let times = new Float64Array(capacity);
  let values = new Float32Array(capacity);
  let size = 0;
  let head = 0; // where the next entry goes
  let missing = -Infinity;
  const at = (age: number) => (head - 1 - age + capacity * 2) % capacity;
  const timeAt = (age: number) => times[at(age)] ?? 0;

  function makeRoom() {
    if (capacity === most) {
      missing = Math.max(missing, timeAt(size - 1));
      size--;
      return;
    }
    const order = Array.from({ length: size }, (_, i) => at(size - 1 - i));
    capacity = Math.min(most, capacity * 2);
    const [oldTimes, oldValues] = [times, values];
    times = new Float64Array(capacity);
    values = new Float32Array(capacity);
    order.forEach((from, to) => {
      times[to] = oldTimes[from] ?? 0;
      values[to] = oldValues[from] ?? 0;
    });
    head = size;
  }

  return {
    add(time, value) {
      if (size === most && time < timeAt(size - 1)) {
        missing = Math.max(missing, time);
        return;
      }
      if (size === capacity) makeRoom();
      // One that came late goes to its place, so that a reader who walks back may stop at the first that is too old.
      let to = head;
      for (let age = 0; age < size && timeAt(age) > time; age++) {
        const from = at(age);
        times[to] = times[from] ?? 0;
        values[to] = values[from] ?? 0;
        to = from;
      }
      times[to] = time;
      values[to] = value;
      head = (head + 1) % capacity;
      size++;
    },
    last: () => (size === 0 ? undefined : { time: timeAt(0), value: values[at(0)] ?? 0 }),
    each(from, fn) {
      for (let age = 0; age < size; age++) {
        const i = at(age);
        const time = times[i] ?? 0;
        if (time <= from) return;
        fn(time, values[i] ?? 0);
      }
    },
    completeAfter: () => missing,
    miss: (time) => void (missing = Math.max(missing, time)),
    forgetAfter(time) {
      while (size > 0 && timeAt(0) > time) {
        head = at(0);
        size--;
      }
    },
  };
}
