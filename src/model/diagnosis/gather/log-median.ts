/** The middle of some values; absent: there are none. */
export function median(values: readonly number[]): number | undefined {
  // Asked every tick for some hundred: numbers sort much faster so.
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  const [low, high] = [sorted[middle - 1], sorted[middle]];
  return high === undefined || sorted.length % 2 === 1 ? high : (high + (low ?? high)) / 2;
}

/** Some of all values that came, each as likely as any other, the newest a little more: a bounded memory of a run. */
export interface Reservoir {
  add(value: number): void;
  values(): readonly number[];
}

const size = 256;
/** So many count as all: what came later weighs as much as if the run had been as long. */
const longest = 8192;

/** Holds 256 of them (Vitter's algorithm R); chance is counted out, so that a replay says the same. */
export function createReservoir(): Reservoir {
  const kept: number[] = [];
  let count = 0;
  let random = 1;
  return {
    add(value) {
      count = Math.min(count + 1, longest);
      if (kept.length < size) {
        kept.push(value);
        return;
      }
      random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
      const at = Math.floor((random / 2 ** 32) * count);
      if (at < size) kept[at] = value;
    },
    values: () => kept,
  };
}
