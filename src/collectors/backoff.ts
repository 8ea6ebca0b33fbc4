import type { Clock } from '../clock.ts';

/** Waits between attempts that double from 1 to 30 s, until what was tried held for a while. */
export interface Backoff {
  /** How long to wait now, in ms. */
  next(): number;
  /** The attempt succeeded. What goes again at once is waited for longer yet: an sshd that accepts and closes is not hammered. */
  succeeded(): void;
  /** It went. */
  failed(): void;
}

const longestMs = 30_000;

/** `jitter`: the share of a wait that is added by chance, so that many monitors do not come back as one. */
export function createBackoff(init: {
  readonly clock: Clock;
  readonly holdMs: number;
  readonly jitter?: number;
}): Backoff {
  const { clock, holdMs, jitter = 0 } = init;
  let attempts = 0;
  let cancelHold = () => {};
  return {
    next: () => Math.min(longestMs / (1 + jitter), 1000 * 2 ** attempts++) * (1 + jitter * Math.random()),
    succeeded() {
      cancelHold();
      cancelHold = clock.after(holdMs, () => (attempts = 0));
    },
    failed: () => cancelHold(),
  };
}
