/** The times of a file one after the other: the tape does not run backwards, whatever clock was set. */
export interface Forwards {
  /** The time, or the latest before it. */
  place(time: number): number;
  /** A sentence on what was older than something before it, where there is any. */
  notes(): readonly string[];
}

/** Of a file of which nothing was read yet; times in any unit. What is `apart` at most from one before it is no news. */
export function createForwards(what = 'round', apart = 0): Forwards {
  let latest = -Infinity;
  let backwards = 0;
  return {
    place(time) {
      if (time < latest - apart) backwards++;
      latest = Math.max(latest, time);
      return latest;
    },
    notes: () =>
      backwards === 0
        ? []
        : [
            backwards === 1
              ? `1 ${what} is older than one before it (the clock was set?), and laid beside that`
              : `${backwards} ${what}s are older than one before them (the clock was set?), and laid beside that`,
          ],
  };
}
