/** Lets few things through, and counts the others, so that a flood of causes is no flood of events. */
export interface Limiter {
  /** Undefined: not now. Else how many were held back since the last that was let through. */
  pass(now: number): { readonly held: number } | undefined;
}

/** `burst` at once, then one each `everyMs`. */
export function createLimiter({ burst, everyMs }: { readonly burst: number; readonly everyMs: number }): Limiter {
  let left = burst;
  let countedAt = -Infinity;
  let held = 0;
  return {
    pass(now) {
      // Where the clock was set back nothing is earned.
      const earned = countedAt === -Infinity ? 0 : Math.max(0, (now - countedAt) / everyMs);
      countedAt = now;
      left = Math.min(burst, left + earned);
      if (left < 1) {
        held++;
        return undefined;
      }
      left--;
      const passed = { held };
      held = 0;
      return passed;
    },
  };
}

/** What a limiter held back, for the end of a sentence. */
export function heldText({ held }: { readonly held: number }, what: string): string {
  return held === 0 ? '' : ` (and ${held} ${what} before it)`;
}
