import type { BlackBoxPart } from '../../model/black-box-samples.ts';
import { safeText } from '../../model/text.ts';

/** A part, and its text as the folder on this machine has it: longer than what is told. */
export interface Evidence {
  readonly part: BlackBoxPart;
  readonly whole: readonly string[];
}

/** Characters of a part that are told, and of one that is kept in a file. */
const mostTold = 64 * 1024;
const mostKept = 1024 * 1024;
/** A longer line is cut: what is behind it is data. */
const longestLine = 400;

/** A part of these lines: made safe and cut to its bounds, from its beginning or, of a log, from its end. */
export function evidence(init: {
  readonly name: BlackBoxPart['name'];
  readonly takenAt: number;
  readonly lines?: readonly string[];
  readonly failure?: string;
  /** What is newest matters most. */
  readonly keepEnd?: boolean;
}): Evidence {
  const { name, takenAt, failure, keepEnd = false } = init;
  const all = (init.lines ?? []).map((line) => safeText(line).slice(0, longestLine));
  const whole = within(all, mostKept, keepEnd);
  const lines = within(whole, mostTold, keepEnd);
  const cut = lines.length < all.length;
  return {
    whole,
    part: {
      ...{ name, takenAt },
      ...(lines.length > 0 && { lines }),
      ...(cut && { cut: true as const }),
      ...(failure !== undefined && { failure: safeText(failure) }),
    },
  };
}

/** Of a box as a whole. */
const mostOfBox = 256 * 1024;

/** The part as far as there is room beside the others. */
export function fitted(part: BlackBoxPart, others: readonly BlackBoxPart[]): BlackBoxPart {
  const used = others.reduce((sum, { lines = [] }) => sum + sizeOf(lines), 0);
  if (!part.lines || used + sizeOf(part.lines) <= mostOfBox) return part;
  const lines = within(part.lines, Math.max(0, mostOfBox - used), part.name === 'log');
  const { lines: _, ...rest } = part;
  return { ...rest, ...(lines.length > 0 && { lines }), cut: true };
}

function within(lines: readonly string[], most: number, keepEnd: boolean): readonly string[] {
  let room = most;
  let count = 0;
  while (count < lines.length) {
    room -= (lines[keepEnd ? lines.length - 1 - count : count]?.length ?? 0) + 1;
    if (room < 0) break;
    count++;
  }
  if (count === lines.length) return lines;
  return keepEnd ? lines.slice(lines.length - count) : lines.slice(0, count);
}

const sizeOf = (lines: readonly string[]) => lines.reduce((sum, line) => sum + line.length + 1, 0);
