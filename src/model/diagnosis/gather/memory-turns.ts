/** When memory in use turned from growing to falling or back. */
export interface MemoryTurns {
  add(time: number, bytes: number): void;
  /** Turns per 10 s from then on; NaN: it was looked at for too short a time. */
  per10s(from: number): number;
  clear(): void;
}

/** Less is what libraries and the driver take beside the allocator of the run. */
const leastBytes = 16 * 1024 * 1024;
/** Over less time turns are no rate. */
const leastMs = 3000;
/** Four a second over the longest window. */
const most = 240;

/** Nothing was seen. A warm-up only grows: that is no turn. */
export function createMemoryTurns(): MemoryTurns {
  let times: number[] = [];
  let first = NaN;
  let last = NaN;
  let peak = NaN; // the most, or the least, since the last turn
  let way = 0;

  function clear() {
    times = [];
    first = last = peak = NaN;
    way = 0;
  }

  return {
    add(time, bytes) {
      if (!Number.isFinite(bytes)) return;
      if (time < last) clear();
      if (Number.isNaN(first)) {
        first = time;
        peak = bytes;
      }
      last = time;
      const moved = bytes - peak;
      if (way !== 0 && Math.sign(moved) === way) peak = bytes;
      if (Math.sign(moved) === way || Math.abs(moved) < leastBytes) return;
      if (way !== 0) times.push(time);
      if (times.length > most) times.shift();
      way = Math.sign(moved);
      peak = bytes;
    },
    per10s(from) {
      const begin = Math.max(from, first);
      if (!(last - begin >= leastMs)) return NaN;
      return (times.reduce((count, time) => count + Number(time >= begin), 0) * 10_000) / (last - begin);
    },
    clear,
  };
}
