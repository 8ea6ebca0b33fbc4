/**
 * The past of a series in slots of equal length, the newest `most` of them. A slot is (end - slotMs, end]; a value that comes late
 * goes to the slot of its time. Values are kept as float32.
 */
export interface Tier {
  readonly slotMs: number;
  /** False: it is older than anything that is kept. */
  add(time: number, value: number): boolean;
  /** What is in a slot instead of what was. */
  set(end: number, slot: Slot): void;
  get(end: number): Slot | undefined;
  /** Slots with a value whose end is in (from, to], oldest first. */
  each(from: number, to: number, fn: (end: number, slot: Slot) => void): void;
  /** Everything later than this that was ever added is here; the end of a slot. */
  completeAfter(): number;
  /** Up to this time something may be missing, whatever is here. */
  miss(time: number): void;
  /** Drops the slots that begin later: the clock was set back. */
  forgetAfter(time: number): void;
}

/** What a stretch of time came to. The first three are of finite values, and NaN where `count` is 0. */
export interface Slot {
  readonly minimum: number;
  readonly mean: number;
  readonly maximum: number;
  readonly count: number;
  /** Values that were not finite. */
  readonly nonFinite: number;
}

const firstCapacity = 30;
/** A count stays there (its mean goes on as that of so many). */
const mostCount = 65_535;

/** An empty Tier; it takes memory as time goes on. */
export function createTier(slotMs: number, most: number): Tier {
  let capacity = 0;
  let stats = new Float32Array(0); // minimum, mean, maximum of each
  let counts = new Uint16Array(0);
  /** Rare. */
  const nonFinite = new Map<number, number>();
  // Slots are numbered by their end; those held are oldest to newest.
  let newest = -Infinity;
  let oldest = Infinity;
  let missing = -Infinity;
  const numberOf = (time: number) => Math.ceil(time / slotMs);
  const place = (n: number) => ((n % capacity) + capacity) % capacity;

  function grow(needed: number) {
    const before = { capacity, stats, counts };
    capacity ||= firstCapacity;
    while (capacity < needed) capacity *= 2;
    capacity = Math.min(capacity, most);
    if (capacity === before.capacity) return;
    stats = new Float32Array(3 * capacity);
    counts = new Uint16Array(capacity);
    for (let n = oldest; n <= newest; n++) {
      const from = ((n % before.capacity) + before.capacity) % before.capacity;
      stats.set(before.stats.subarray(3 * from, 3 * from + 3), 3 * place(n));
      counts[place(n)] = before.counts[from] ?? 0;
    }
  }

  function clear(from: number, to: number) {
    for (let n = from; n <= to; n++) counts[place(n)] = 0;
  }

  /** Drops the oldest slots, so that `n` can be the newest. */
  function dropFor(n: number) {
    const last = n - most;
    if (last < oldest) return;
    missing = Math.max(missing, Math.min(last, newest) * slotMs);
    for (const each of nonFinite.keys()) if (each <= last) nonFinite.delete(each);
    oldest = last + 1;
  }

  /** The place of a slot, made if need be; undefined when it is too old. */
  function open(n: number): number | undefined {
    if (oldest > newest) {
      grow(1);
      clear(n, n);
      oldest = newest = n;
    } else if (n > newest) {
      dropFor(n);
      if (oldest > newest) return open(n);
      grow(n - oldest + 1);
      clear(newest + 1, n);
      newest = n;
    } else if (n < oldest) {
      if (n <= newest - most) return undefined;
      grow(newest - n + 1);
      clear(n, oldest - 1);
      oldest = n;
    }
    return place(n);
  }

  function slotAt(n: number): Slot | undefined {
    if (n < oldest || n > newest) return undefined;
    const i = place(n);
    const count = counts[i] ?? 0;
    const odd = nonFinite.get(n) ?? 0;
    if (count + odd === 0) return undefined;
    const [minimum = NaN, mean = NaN, maximum = NaN] = count === 0 ? [] : stats.subarray(3 * i, 3 * i + 3);
    return { minimum, mean, maximum, count, nonFinite: odd };
  }

  return {
    slotMs,
    add(time, given) {
      const n = numberOf(time);
      const i = open(n);
      if (i === undefined) {
        missing = Math.max(missing, n * slotMs);
        return false;
      }
      const value = Math.fround(given);
      if (!Number.isFinite(value)) {
        nonFinite.set(n, (nonFinite.get(n) ?? 0) + 1);
        return true;
      }
      const before = counts[i] ?? 0;
      const count = (counts[i] = Math.min(mostCount, before + 1));
      const at = 3 * i;
      const mean = before === 0 ? 0 : (stats[at + 1] ?? 0);
      if (before === 0 || value < (stats[at] ?? 0)) stats[at] = value;
      stats[at + 1] = mean + (value - mean) / count;
      if (before === 0 || value > (stats[at + 2] ?? 0)) stats[at + 2] = value;
      return true;
    },
    set(end, slot) {
      const n = numberOf(end);
      const i = open(n);
      if (i === undefined) return;
      stats.set([slot.minimum, slot.mean, slot.maximum], 3 * i);
      counts[i] = Math.min(mostCount, slot.count);
      if (slot.nonFinite > 0) nonFinite.set(n, slot.nonFinite);
      else nonFinite.delete(n);
    },
    get: (end) => slotAt(numberOf(end)),
    each(from, to, fn) {
      const last = Math.min(newest, Math.floor(to / slotMs));
      for (let n = Math.max(oldest, Math.floor(from / slotMs) + 1); n <= last; n++) {
        const slot = slotAt(n);
        if (slot) fn(n * slotMs, slot);
      }
    },
    completeAfter: () => missing,
    miss: (time) => void (missing = Math.max(missing, numberOf(time) * slotMs)),
    forgetAfter(time) {
      const last = numberOf(time);
      for (const n of nonFinite.keys()) if (n > last) nonFinite.delete(n);
      newest = Math.min(newest, last);
      if (oldest > newest) {
        newest = -Infinity;
        oldest = Infinity;
      }
    },
  };
}
