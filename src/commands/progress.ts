import { systemClock } from '../clock.ts';
import { safeText } from '../model/text.ts';

/** Says on a terminal how far something is that takes some seconds. */
export interface Progress {
  /** From 0 to 1. */
  at(share: number): void;
  /** Takes the line away. */
  end(): void;
}

/** Nothing is shown before this: most recordings are read sooner. */
const quietMs = 1000;
const everyMs = 250;

/** On standard error where that is a terminal, else nowhere. What is printed meanwhile must not go to the same terminal. */
export function createProgress(doing: string): Progress {
  const { stderr } = process;
  if (!stderr.isTTY) return { at: () => {}, end: () => {} };
  let due = systemClock.now() + quietMs;
  let shown = 0;
  return {
    at(share) {
      const now = systemClock.now();
      if (now < due) return;
      due = now + everyMs;
      const text = `${safeText(doing)}: ${Math.floor(100 * Math.min(1, Math.max(0, share)))} %`;
      shown = text.length;
      stderr.write(`\r${text}`);
    },
    end() {
      if (shown > 0) stderr.write(`\r${' '.repeat(shown)}\r`);
      shown = 0;
    },
  };
}
