import { frameSearch } from '../../model/stacks/search.ts';
import type { StackFrame } from '../../model/stacks.ts';
import type { FrameOrder } from '../../model/stacks/flame.ts';
import type { Line } from '../parts/line.ts';
import { lineWidth } from '../parts/render-line.ts';
import { cutText, fitText, plainText } from '../parts/width.ts';

/** The frames of a stack, one a row: function, then where it stands. `teller`: the index of the frame that told its class. */
export function frameLines(init: {
  readonly frames: readonly StackFrame[];
  readonly order: FrameOrder;
  readonly search: string;
  readonly width: number;
  readonly teller?: number | undefined;
}): readonly Line[] {
  const { frames, order, search, width, teller } = init;
  const isFound = frameSearch(search);
  const longest = frames.reduce((most, frame) => Math.max(most, lineWidth([{ text: nameOf(frame) }])), 0);
  const forName = Math.max(8, Math.min(longest, Math.floor(width * 0.55)));
  const lines = frames.map((frame, i): Line => {
    const place = frame.line === undefined ? frame.file : `${frame.file}:${frame.line}`;
    const found = isFound?.(frame) ?? false;
    return [
      { text: i === teller ? '◂ ' : '  ', tone: 'warn' },
      {
        text: fitText(nameOf(frame), forName),
        tone: found ? 'focus' : frame.native ? 'dim' : i === 0 ? 'strong' : 'plain',
        inverse: found,
      },
      { text: `  ${endOf(place, width - forName - 4)}`, tone: 'dim' },
    ];
  });
  return order === 'innermost' ? lines : lines.reverse();
}

/** A frame in few words: `wait  threading.py:327`. */
export function shortPlace({ file, line, native }: StackFrame): string {
  const name = file.slice(file.lastIndexOf('/') + 1);
  return native || line === undefined ? name : `${name}:${line}`;
}

/** What a stack is doing, in one function: the innermost, or what of Python called it. */
export function topName(frames: readonly StackFrame[]): string {
  const [frame] = frames;
  if (!frame) return 'no Python frame';
  return plainText(frame.function);
}

/** The end of a path says more than its beginning. */
function endOf(place: string, width: number): string {
  const text = plainText(place);
  if (lineWidth([{ text }]) <= width) return text;
  return width > 1 ? `…${[...text].slice(-(width - 1)).join('')}` : '';
}

/** Symbols of C++ have no end. */
function nameOf({ function: name }: StackFrame): string {
  return cutText(plainText(name), 300);
}
