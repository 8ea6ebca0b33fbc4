import { StringDecoder } from 'node:string_decoder';

/** A line longer than this many bytes is given in parts, so that a stream without line ends cannot fill the memory. */
const longest = 64 * 1024;

/** One line without its end. */
export interface Line {
  readonly text: string;
  /** Bytes on the host, line end included. */
  readonly bytes: number;
  /** Absent: it has none, and goes on in the next one (or is the file's last). */
  readonly end?: 'lf' | 'cr';
}

/**
 * Whether it is a part of a longer line, and not its last one. A line beyond ASCII that is just as long with its end is taken for one too.
 */
export const isUnended = ({ text, bytes }: Line): boolean =>
  bytes === longest && (text.length === longest || Buffer.byteLength(text) !== text.length);

/** Bytes in any chunks to UTF-8 lines: the same lines however the bytes are cut. */
export interface LineSplitter {
  push(chunk: Buffer): readonly Line[];
  /** What stands after the last line end. */
  rest(): string;
}

/** A LineSplitter; with `carriageReturns`, progress bars that redraw themselves are lines too (CRLF stays one end). */
export function createLineSplitter(carriageReturns = false): LineSplitter {
  const decoder = new StringDecoder('utf8');
  let pending = '';
  let pendingBytes = 0;
  let sawReturn = false;
  return {
    push(chunk) {
      const lines: Line[] = [];
      let start = 0;
      const take = (end: number) => {
        const bytes = pendingBytes + end - start;
        const text = pending + decoder.write(chunk.subarray(start, end));
        start = end;
        pending = '';
        pendingBytes = 0;
        return { text, bytes };
      };
      for (let at = 0; at < chunk.length; at++) {
        const byte = chunk[at];
        if (byte !== 10 && !(carriageReturns && byte === 13)) {
          sawReturn = false;
          if (pendingBytes + at + 1 - start >= longest) lines.push(take(at + 1));
          continue;
        }
        const crlf = byte === 10 && sawReturn && at === start && pending === '';
        sawReturn = carriageReturns && byte === 13;
        const { text, bytes } = take(at);
        start = at + 1;
        // CRLF: the line went out at the CR; the LF only counts.
        const whole = crlf ? '' : (text + decoder.end()).replace(carriageReturns ? '' : /\r$/, '');
        lines.push({ text: whole, bytes: bytes + 1, end: byte === 10 ? 'lf' : 'cr' });
      }
      pending += decoder.write(chunk.subarray(start));
      pendingBytes += chunk.length - start;
      return lines;
    },
    rest: () => pending,
  };
}
