/** Places for what may not run all at once. */
export interface Slots {
  /**
   * Waits for a place. Resolves with what gives it back, or with undefined when `signal` was aborted before there was one. What the user did
   * not ask for waits behind all else.
   */
  take(signal: AbortSignal, isLast?: boolean): Promise<(() => void) | undefined>;
}

/** As many places as `most` says each time. */
export function createSlots(most: () => number): Slots {
  let taken = 0;
  let waiting: { readonly isLast: boolean; readonly go: () => void }[] = [];

  function pump() {
    while (taken < most()) {
      const next = waiting.find(({ isLast }) => !isLast) ?? waiting[0];
      if (!next) return;
      waiting = waiting.filter((each) => each !== next);
      taken++;
      next.go();
    }
  }

  function giver() {
    let given = false;
    return () => {
      if (given) return;
      given = true;
      taken--;
      pump();
    };
  }

  return {
    take: (signal, isLast = false) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve(undefined);
        const leave = () => {
          waiting = waiting.filter((each) => each !== mine);
          resolve(undefined);
        };
        const mine = {
          isLast,
          go() {
            signal.removeEventListener('abort', leave);
            resolve(giver());
          },
        };
        signal.addEventListener('abort', leave, { once: true });
        waiting.push(mine);
        pump();
      }),
  };
}
