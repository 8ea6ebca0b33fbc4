/** Deterministic randomness: the same seed and place give the same value in [0, 1). */
export function hash(seed: number, ...place: readonly number[]): number {
  let h = seed ^ 0x9e3779b9;
  for (const value of place) {
    h = Math.imul(h ^ Math.trunc(value), 0x85ebca6b);
    h ^= h >>> 13;
    h = Math.imul(h, 0xc2b2ae35);
    h ^= h >>> 16;
  }
  return (h >>> 0) / 2 ** 32;
}

/** Smooth noise in [-1, 1] over time: random values every `period` seconds, eased between. */
export function drift(seed: number, channel: number, time: number, period: number): number {
  const slot = Math.floor(time / period);
  const part = time / period - slot;
  const eased = part * part * (3 - 2 * part);
  const from = hash(seed, channel, slot);
  const to = hash(seed, channel, slot + 1);
  return (from + (to - from) * eased) * 2 - 1;
}
