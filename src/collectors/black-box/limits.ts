/** How much evidence is taken: a run that stalls again and again fills neither the disk nor the night. */
export interface Limits {
  /** Takes one more; a sentence where there were enough. */
  take(at: number): string | undefined;
}

const hourMs = 3_600_000;
const inHour = 4;
const inDay = 12;

/** Nothing was taken yet. */
export function createLimits(): Limits {
  let taken: readonly number[] = [];
  return {
    take(at) {
      // A clock that was set back must not count them for ever.
      taken = taken.filter((each) => at - each < 24 * hourMs && each <= at);
      const ofHour = taken.filter((each) => at - each < hourMs).length;
      if (taken.length >= inDay) return `${inDay} were taken in the last 24 hours, and no more are`;
      if (ofHour >= inHour) return `${inHour} were taken in the last hour, and no more are`;
      taken = [...taken, at];
      return undefined;
    },
  };
}
