import type { TerminalChannel, Exit, TerminalSize } from '../../collectors/transport/transport.ts';
import { createEscape } from './escape.ts';
import { rawOutput } from './raw-output.ts';
import { resetModes } from './reset.ts';
import type { TypeAhead } from './type-ahead.ts';

/** How the user's time in a shell ended: the shell did, the user left it by `~.`, or traintop ends. */
export type BridgeEnd =
  | { readonly kind: 'exit'; readonly exit: Exit; readonly said: string }
  | { readonly kind: 'left' }
  | { readonly kind: 'ended' };

interface Init {
  readonly channel: TerminalChannel;
  readonly typed: TypeAhead;
  readonly output: NodeJS.WriteStream;
  /** When it settles, the shell is hung up. */
  readonly ended: Promise<unknown>;
}

/** So much of the last output is kept, for a sentence about a shell that ended at once. */
const saidBytes = 400;

/** Joins the user's terminal and the shell's until one of them is done with; then the terminal's modes are as they were. */
export async function bridge({ channel, typed, output, ended }: Init): Promise<BridgeEnd> {
  const escape = createEscape();
  let said = Buffer.alloc(0);
  let isOver = false;
  const resume = () => channel.resume();
  const resize = () => channel.resize(sizeOf(output));
  let tellLeft = (_end: BridgeEnd) => {};
  const left = new Promise<BridgeEnd>((resolve) => (tellLeft = resolve));
  typed.connect((bytes) => {
    const { bytes: passed, leaves, rest } = escape(bytes);
    if (passed.length > 0) channel.write(passed);
    if (!leaves) return;
    tellLeft({ kind: 'left' });
    typed.disconnect();
    if (rest.length > 0) typed.push(rest);
  });
  const endRaw = rawOutput();
  channel.onOutput((chunk) => {
    if (isOver) return;
    said = Buffer.concat([said, chunk.subarray(-saidBytes)]).subarray(-saidBytes);
    // A shell that prints without end waits for the terminal, and its bytes for none of our memory.
    if (output.write(chunk)) return;
    channel.pause();
    output.once('drain', resume);
  });
  output.on('resize', resize);
  resize();
  try {
    return await Promise.race<BridgeEnd>([
      channel.exit.then((exit) => ({ kind: 'exit', exit, said: said.toString('utf8') })),
      left,
      ended.then(() => ({ kind: 'ended' })),
    ]);
  } finally {
    isOver = true;
    typed.disconnect();
    output.off('resize', resize);
    output.off('drain', resume);
    channel.end();
    output.write(resetModes);
    endRaw();
  }
}

/** The terminal's size; one that tells none is taken for the usual one. */
export function sizeOf({ columns, rows }: NodeJS.WriteStream): TerminalSize {
  return { columns: columns || 80, rows: rows || 24 };
}
