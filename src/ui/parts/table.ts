import type { Line, Segment } from './line.ts';
import { displayWidth, fitText, plainText } from './width.ts';

/** A column of a table of text rows. */
export interface Column<Row> {
  readonly title: string;
  /** Cells; with `maxWidth` it takes what is left, up to that. */
  readonly width: number;
  readonly maxWidth?: number;
  /** Where the title stands; the cell aligns its own text. */
  readonly align?: 'left' | 'right';
  /** The highest number is dropped first when the room is narrow; 0 stays. */
  readonly priority: number;
  /** Columns with the same word stand together or not at all. */
  readonly pair?: string;
  /** Draws exactly `width` cells. */
  readonly cell: (row: Row, width: number) => Line | Segment;
}

/** A column with the width it has now. */
export interface PlacedColumn<Row> {
  readonly column: Column<Row>;
  readonly width: number;
}

const gap = 1;

/** The columns that fit into `width`, with their widths: a change of values never moves them. */
export function placeColumns<Row>(columns: readonly Column<Row>[], width: number): readonly PlacedColumn<Row>[] {
  const kept = [...columns];
  const needed = () => kept.reduce((sum, column) => sum + column.width, 0) + gap * (kept.length - 1);
  while (kept.length > 1 && needed() > width) {
    const last = kept.reduce((a, b) => (b.priority >= a.priority ? b : a));
    if (last.priority === 0) break;
    kept.splice(kept.indexOf(last), 1);
    const other = last.pair === undefined ? -1 : kept.findIndex(({ pair }) => pair === last.pair);
    if (other >= 0) kept.splice(other, 1);
  }
  let spare = width - needed();
  const placed = kept.map((column) => ({ column, width: column.width }));
  // What is left goes round in turn, so that two growing columns grow alike.
  for (let grew = true; spare > 0 && grew;) {
    grew = false;
    for (const place of placed) {
      if (spare <= 0 || place.width >= (place.column.maxWidth ?? place.column.width)) continue;
      place.width++;
      spare--;
      grew = true;
    }
  }
  return placed;
}

/** The titles; the sorted column's stands out. */
export function headerLine<Row>(placed: readonly PlacedColumn<Row>[], width: number, sorted?: string): Line {
  const segments = placed.map(({ column, width: size }, i): Segment => {
    const text = fitText(column.title.slice(0, size), size, column.align);
    return { text: i < placed.length - 1 ? text + ' ' : text, tone: column.title === sorted ? 'title' : 'dim' };
  });
  return widthOf(placed) > width ? clip(segments, width) : segments;
}

/** One row; the one under the cursor is drawn inverse as a whole. */
export function rowLine<Row>(
  placed: readonly PlacedColumn<Row>[],
  row: Row,
  options: { readonly width: number; readonly inverse?: boolean },
): Line {
  const segments: Segment[] = [];
  placed.forEach(({ column, width }, i) => {
    const drawn = column.cell(row, width);
    if ('text' in drawn) segments.push(drawn);
    else segments.push(...drawn);
    if (i < placed.length - 1) segments.push({ text: ' ' });
  });
  const line = widthOf(placed) > options.width ? clip(segments, options.width) : segments;
  return options.inverse ? inverted(line, options.width) : line;
}

/** The whole row in one inverse segment, as wide as the room: tones would be patches of colour there. */
export function inverted(line: Line, width: number): Line {
  return [{ text: fitText(line.map(({ text }) => text).join(''), width), inverse: true }];
}

/** A line cut to `width` cells. */
export function clip(line: Line, width: number): Line {
  let left = width;
  const kept: Segment[] = [];
  for (const segment of line) {
    if (left <= 0) break;
    const size = displayWidth(plainText(segment.text));
    kept.push(size <= left ? segment : { ...segment, text: fitText(segment.text, left) });
    left -= size;
  }
  return kept;
}

/** Pieces side by side, two blanks apart, as many as fit whole; those with text `''` are left out. */
export function flow(pieces: readonly Line[], width: number): Line {
  const out: Segment[] = [];
  let left = width;
  for (const piece of pieces) {
    const size = piece.reduce((sum, { text }) => sum + displayWidth(plainText(text)), 0);
    if (size === 0) continue;
    const gapSize = out.length === 0 ? 0 : 2;
    if (size + gapSize > left) {
      if (out.length === 0) return clip(piece, width);
      break;
    }
    if (gapSize > 0) out.push({ text: '  ' });
    out.push(...piece);
    left -= size + gapSize;
  }
  return out;
}

function widthOf<Row>(placed: readonly PlacedColumn<Row>[]): number {
  return placed.reduce((sum, { width }) => sum + width, 0) + gap * (placed.length - 1);
}
