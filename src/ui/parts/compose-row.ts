import type { Line, Segment } from './line.ts';
import { lineWidth } from './render-line.ts';

/** A piece of a row that is left out whole where there is no room: the highest rank goes first, 0 stays. */
export interface Piece {
  readonly line: Line;
  readonly rank: number;
}

const divider: Segment = { text: ' · ', tone: 'dim' };

/** One row: pieces from the left with dots between, pieces at the right edge. Rank 0 is cut by the row's end when it must be. */
export function composeRow(init: {
  readonly left: readonly Piece[];
  readonly right: readonly Piece[];
  readonly width: number;
}): Line {
  const { width } = init;
  let pieces = [
    ...init.left.map((piece) => ({ piece, side: 'left' })),
    ...init.right.map((piece) => ({ piece, side: 'right' })),
  ];
  pieces = pieces.filter(({ piece }) => lineWidth(piece.line) > 0);
  for (;;) {
    const of = (wanted: string) => joined(pieces.filter(({ side }) => side === wanted).map(({ piece }) => piece.line));
    const [left, right] = [of('left'), of('right')];
    const [leftWidth, rightWidth] = [lineWidth(left), lineWidth(right)];
    const needed = leftWidth + rightWidth + (rightWidth > 0 ? 2 : 0);
    const last = pieces.reduce<(typeof pieces)[number] | undefined>(
      (a, b) => (b.piece.rank > 0 && b.piece.rank >= (a?.piece.rank ?? 1) ? b : a),
      undefined,
    );
    if (needed <= width || !last) {
      const gap = Math.max(2, width - leftWidth - rightWidth);
      return rightWidth > 0 ? [...left, { text: ' '.repeat(gap) }, ...right] : left;
    }
    pieces = pieces.filter((piece) => piece !== last);
  }
}

function joined(lines: readonly Line[]): Line {
  return lines.flatMap((line, i) => (i === 0 ? line : [divider, ...line]));
}
