import { EventEmitter } from 'node:events';
import { drawOptions } from '../../src/ui/draw-options.ts';

/** How Ink draws where a test turns the clock: as the program has it, but for its throttle, which runs on the real clock. */
export const clockRenderOptions = { ...drawOptions, maxFps: 1000 } as const;

/** A terminal's two streams. */
export interface ScreenStreams {
  readonly stdout: NodeJS.WriteStream;
  readonly stdin: NodeJS.ReadStream;
  type(text: string): void;
  /** Pictures and bytes written so far. */
  figures(): { readonly frames: number; readonly bytes: number };
}

/** The streams of a terminal that is none, as far as Ink looks. */
export function createScreenStreams({
  columns,
  rows,
  onBytes,
}: {
  readonly columns: number;
  readonly rows: number;
  readonly onBytes?: ((text: string) => void) | undefined;
}): ScreenStreams {
  let frames = 0;
  let bytes = 0;
  const pending: string[] = [];
  const stdout = Object.assign(new EventEmitter(), {
    columns,
    rows,
    isTTY: true,
    writableLength: 0,
    write(text: string, ...rest: unknown[]) {
      // Ink puts each frame between two marks of synchronized output.
      if (text === '\x1b[?2026h') frames++;
      bytes += Buffer.byteLength(text);
      if (text) onBytes?.(text);
      const done = rest.at(-1);
      if (typeof done === 'function') queueMicrotask(done as () => void);
      return true;
    },
  });
  const stdin = Object.assign(new EventEmitter(), {
    isTTY: true,
    setRawMode: () => {},
    setEncoding: () => {},
    resume: () => {},
    pause: () => {},
    ref: () => {},
    unref: () => {},
    read: () => pending.shift() ?? null,
  });
  return {
    stdout: stdout as unknown as NodeJS.WriteStream,
    stdin: stdin as unknown as NodeJS.ReadStream,
    type(text: string) {
      pending.push(text);
      stdin.emit('readable');
    },
    figures: () => ({ frames, bytes }),
  };
}
