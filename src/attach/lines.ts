import { StringDecoder } from 'node:string_decoder';

/** Bytes in any chunks to lines. One that is longer than it may be is the end of it all: `push` gives undefined. */
export interface BoundedLines {
  push(chunk: Buffer): readonly string[] | undefined;
}

/** Lines of at most so many characters. */
export function createBoundedLines(longest: number): BoundedLines {
  const decoder = new StringDecoder('utf8');
  // A keyframe comes in hundreds of chunks: they are put together once.
  let pending: string[] = [];
  let size = 0;
  let isOver = false;
  return {
    push(chunk) {
      if (isOver) return undefined;
      const [first = '', ...rest] = decoder.write(chunk).split('\n');
      pending.push(first);
      size += first.length;
      if (size > longest || rest.some((line) => line.length > longest)) {
        isOver = true;
        pending = [];
        return undefined;
      }
      if (rest.length === 0) return [];
      const lines = [pending.join(''), ...rest.slice(0, -1)];
      const last = rest.at(-1) ?? '';
      pending = [last];
      size = last.length;
      return lines;
    },
  };
}
