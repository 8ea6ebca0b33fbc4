import type { Line, Segment } from './line.ts';
import { lineWidth } from './render-line.ts';
import { cutText, plainText } from './width.ts';

/** A piece of a row that is left out whole where there is no room: the highest rank goes first, 0 stays. */
export interface Piece {
  readonly line: Line;
  readonly rank: number;
  /** Its last segment may be cut down to this many cells before pieces of rank 3 and less go. */
  readonly shortest?: number;
}

const divider: Segment = { text: ' · ', tone: 'dim' };

/** One row: pieces from the left with dots between, pieces at the right edge. What still does not fit is cut by the row's end. */
export function composeRow(init: {
  readonly left: readonly Piece[];
  readonly right: readonly Piece[];
  readonly width: number;
}): Line {
  const { width } = init;
  let { left, right } = init;
  left = left.filter(({ line }) => lineWidth(line) > 0);
  for (;;) {
    const excess = widthOf(left, right) - width;
    const last = leastImportant([...left, ...right]);
    if (excess > 0 && (last === undefined || last.rank <= 3)) left = shortened(left, excess);
    if (last === undefined || widthOf(left, right) <= width) return arranged(left, right, width);
    left = left.filter((piece) => piece !== last);
    right = right.filter((piece) => piece !== last);
  }
}

function widthOf(left: readonly Piece[], right: readonly Piece[]): number {
  const onRight = lineWidth(joined(right));
  return lineWidth(joined(left)) + onRight + (onRight > 0 ? 2 : 0);
}

function leastImportant(pieces: readonly Piece[]): Piece | undefined {
  const droppable = pieces.filter(({ rank }) => rank > 0);
  return droppable.reduce<Piece | undefined>((a, b) => (a && a.rank > b.rank ? a : b), undefined);
}

/** The pieces with the first one that can be cut cut by `excess` cells, if it stays long enough by that. */
function shortened(pieces: readonly Piece[], excess: number): readonly Piece[] {
  return pieces.map((piece) => {
    const last = piece.line.at(-1);
    if (piece.shortest === undefined || !last) return piece;
    const width = lineWidth([last]) - excess;
    if (width < piece.shortest) return piece;
    return { ...piece, line: [...piece.line.slice(0, -1), { ...last, text: cutText(plainText(last.text), width) }] };
  });
}

function arranged(left: readonly Piece[], right: readonly Piece[], width: number): Line {
  const [start, end] = [joined(left), joined(right)];
  if (end.length === 0) return start;
  return [...start, { text: ' '.repeat(Math.max(2, width - lineWidth(start) - lineWidth(end))) }, ...end];
}

function joined(pieces: readonly Piece[]): Line {
  return pieces.flatMap(({ line }, i) => (i === 0 ? line : [divider, ...line]));
}
