/** The times of a file one after the other: the tape does not run backwards, whatever clock was set. */
export interface Forwards {
  /** The time, or the latest before it. */
  place(time: number): number;
  /** A sentence on the rounds that were older than one before them, where there are any. */
  notes(): readonly string[];
}

/** Of a file of which nothing was read yet; times in any unit. */
export function createForwards(): Forwards {
  let latest = -Infinity;
  let backwards = 0;
  return {
    place(time) {
      if (time < latest) backwards++;
      latest = Math.max(latest, time);
      return latest;
    },
    notes: () =>
      backwards === 0
        ? []
        : [
            backwards === 1
              ? '1 round is older than one before it (the clock was set?), and laid beside that'
              : `${backwards} rounds are older than one before them (the clock was set?), and laid beside that`,
          ],
  };
}
