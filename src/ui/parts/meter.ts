import { absent } from './format.ts';
import type { Line, Segment, Tone } from './line.ts';
import { fitText } from './width.ts';

/** A value with its name: `best 15.1K`. Its text is padded by the caller, so that changing digits do not move what follows. */
export function named(name: string, value: string, tone: Tone = 'plain'): Line {
  return [
    { text: `${name} `, tone: 'dim' },
    { text: value, tone: value.trim() === absent ? 'dim' : tone },
  ];
}

/** A cell with its text on the right; an absent value is dim. */
export function rightCell(text: string, width: number, tone: Tone = 'plain'): Segment {
  return { text: fitText(text, width, 'right'), tone: text === absent ? 'dim' : tone };
}

/** Pieces of a note with dim dots between them: `8 × H200 · mean 87%`. */
export function dotted(pieces: readonly Segment[]): Line {
  return pieces.flatMap((piece, i) => (i === 0 ? [piece] : [{ text: ' · ', tone: 'dim' } as const, piece]));
}
