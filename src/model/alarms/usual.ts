/** Means of what came of late. */
export interface Mean {
  /** What is no number is left out. */
  add(time: number, value: number): void;
  /** Over the time before; NaN: nothing came. */
  over(now: number): number;
  /** How much of the time before has values, 0 to 1. */
  covered(now: number): number;
  last(): number;
  /** When the last came; -Infinity: none did. */
  at(): number;
}

/** Of one a second; what comes more often is left out. */
const leastGapMs = 900;

/** Over the last so many ms. */
export function createMean(forMs: number): Mean {
  let times: number[] = [];
  let values: number[] = [];
  let last = -Infinity;
  return {
    add(time, value) {
      if (Number.isNaN(value)) return;
      // A clock that was set back begins anew.
      if (time < last) [times, values] = [[], []];
      else if (time - last < leastGapMs) return;
      last = time;
      times.push(time);
      values.push(value);
      let old = 0;
      while ((times[old] ?? time) < time - forMs) old++;
      if (old === 0) return;
      times.splice(0, old);
      values.splice(0, old);
    },
    over(now) {
      let [sum, count] = [0, 0];
      for (let i = values.length - 1; i >= 0 && (times[i] ?? 0) >= now - forMs; i--) {
        sum += values[i] ?? 0;
        count++;
      }
      return count === 0 ? NaN : sum / count;
    },
    covered: (now) => (times[0] === undefined ? 0 : Math.min(1, (now - times[0]) / (forMs * 0.9))),
    last: () => values.at(-1) ?? NaN,
    at: () => last,
  };
}

/** What is usual: a mean that follows slowly. */
export interface Usual {
  add(value: number): void;
  /** NaN: nothing is known. */
  value(): number;
}

/** So many seconds of steps make it, at most. */
const longest = 300;

/** Of one value a second. */
export function createUsual(): Usual {
  let count = 0;
  let mean = NaN;
  return {
    add(value) {
      if (Number.isNaN(value)) return;
      count = Math.min(count + 1, longest);
      mean = count === 1 ? value : mean + (value - mean) / count;
    },
    value: () => mean,
  };
}
