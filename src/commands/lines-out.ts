import type { Writable } from 'node:stream';

/** More than this waits for no reader. */
const mostWaiting = 16 * 1024;

/**
 * Lines to a stream that may have a reader who reads no more: a pipe to a program that stands, a terminal after Ctrl-S. They are dropped then,
 * and counted in a line of their own when there is room again; nothing waits for it.
 */
export function createLinesOut(stream: Writable): (line: string) => void {
  // A terminal's writes wait for it otherwise (Node 20.20, 22); pipes and sockets do not, and files take all.
  (stream as { readonly _handle?: { setBlocking?(on: boolean): void } })._handle?.setBlocking?.(false);
  let dropped = 0;
  return (line) => {
    if (stream.writableLength + line.length > mostWaiting) return void dropped++;
    if (dropped > 0) stream.write(`(Nobody read here: ${dropped} lines before this one were left out.)\n`);
    dropped = 0;
    stream.write(line);
  };
}
