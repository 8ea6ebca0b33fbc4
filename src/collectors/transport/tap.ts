import type { Readable } from 'node:stream';

/** Kept for a listener that comes late; more is dropped. */
const heldBytes = 64 * 1024;
/** So much is given at once: some milliseconds of a log that floods. Node reads 64 kB, and libuv (1.x) up to 32 times in a turn. */
const mostBytes = 16 * 1024;

/**
 * Reads a stream from now on, whether anyone listens or not: unread output would hold up its sender, and keep `close`
 * from coming. What comes before the first listener is kept for it. Everything else that has come, a key above all, has its turn
 * before the next part of a flood.
 */
export function tap(readable: Readable): (fn: (chunk: Buffer) => void) => void {
  const listeners: ((chunk: Buffer) => void)[] = [];
  let held: Buffer[] = [];
  let size = 0;
  readable.on('data', (whole: Buffer) => {
    const chunk = whole.subarray(0, mostBytes);
    if (whole.length >= mostBytes) {
      readable.pause();
      // Given back, it comes before `end` and `close`.
      if (whole.length > mostBytes) readable.unshift(whole.subarray(mostBytes));
      setImmediate(() => readable.resume());
    }
    for (const fn of listeners) fn(chunk);
    if (listeners.length > 0 || size + chunk.length > heldBytes) return;
    held.push(chunk);
    size += chunk.length;
  });
  return (fn) => {
    listeners.push(fn);
    const early = held;
    held = [];
    for (const chunk of early) fn(chunk);
  };
}
