import type { Readable } from 'node:stream';

/** Kept for a listener that comes late; more is dropped. */
const heldBytes = 64 * 1024;

/**
 * Reads a stream from now on, whether anyone listens or not: unread output would hold up its sender, and keep `close`
 * from coming. What comes before the first listener is kept for it.
 */
export function tap(readable: Readable): (fn: (chunk: Buffer) => void) => void {
  const listeners: ((chunk: Buffer) => void)[] = [];
  let held: Buffer[] = [];
  let size = 0;
  readable.on('data', (chunk: Buffer) => {
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
