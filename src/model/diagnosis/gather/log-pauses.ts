/** Pauses between lines with progress. */
export interface Pauses {
  /** A line came; several of one time are one. */
  take(time: number): void;
  /** The pause that runs now is no usual one. */
  excuse(): void;
  /** The longest usual one, ms; absent: there were too few. */
  usualMs(): number | undefined;
}

/** Stamps are of whole seconds in most logs: a pause is known to a second. */
const shortestMs = 1000;
const fewest = 3;
/** Many lines within the first seconds tell as much: their stamps are of whole seconds. */
const fewestOfMany = 2;
const manyLines = 8;
const newest = 32;
/** One stall among so many is not usual. */
const enoughToLeaveOne = 10;
/** What came three times within two hours is usual, however many lines are between: an evaluation or a save that the log does not name. */
const longest = 8;
const usualTimes = 3;
const keptMs = 2 * 3_600_000;

interface Pause {
  readonly at: number;
  readonly ms: number;
}

/** Before any line. */
export function createPauses(): Pauses {
  let last: number | undefined;
  let isExcused = false;
  let count = 0;
  let lines = 0;
  let recent: number[] = [];
  /** Where nothing else is known: a run that saves between all its lines. */
  let excused: number[] = [];
  /** Falling. */
  let long: Pause[] = [];
  /** As of the last line: it is asked each second. */
  let usual: { readonly ms: number | undefined } | undefined;

  function usualNow(): number | undefined {
    if (count < (lines >= manyLines ? fewestOfMany : fewest))
      return excused.length < fewest ? undefined : Math.max(shortestMs, ...excused, ...recent);
    const sorted = [...recent].sort((a, b) => b - a);
    const late = sorted[recent.length < enoughToLeaveOne ? 0 : 1] ?? 0;
    // The newest counts in full: steps that have just become slow are no silence.
    return Math.max(shortestMs, late, recent.at(-1) ?? 0, long[usualTimes - 1]?.ms ?? 0);
  }

  function add(at: number, ms: number) {
    count++;
    recent = [...recent.slice(1 - newest), ms];
    const isLong = long.length < longest || ms > (long.at(-1)?.ms ?? 0);
    if (!isLong && at - (long[0]?.at ?? at) <= keptMs) return;
    long = [...long.filter((pause) => at - pause.at <= keptMs), { at, ms }]
      .sort((a, b) => b.ms - a.ms)
      .slice(0, longest);
  }

  return {
    take(time) {
      const pause = last === undefined ? 0 : time - last;
      lines++;
      usual = undefined;
      if (last !== undefined && pause === 0) return;
      last = time;
      // A clock that was set back tells no pause.
      if (pause > 0 && isExcused) excused = [...excused.slice(1 - fewest), pause];
      else if (pause > 0) add(time, pause);
      isExcused = false;
    },
    excuse() {
      isExcused = true;
    },
    usualMs: () => (usual ??= { ms: usualNow() }).ms,
  };
}
