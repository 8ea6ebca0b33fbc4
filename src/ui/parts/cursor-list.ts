import type { Line } from './line.ts';
import { headerLine, inverted, placeColumns, rowLine, type Column, type PlacedColumn } from './table.ts';

interface CursorList<Row> {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Those to draw. */
  readonly visible: readonly number[];
  readonly cursor: number;
  readonly width: number;
  /** Of a row that has no columns, or another look under the cursor. */
  readonly draw?: (placed: readonly PlacedColumn<Row>[], row: Row, width: number) => Line;
  readonly drawHere?: (line: Line, width: number) => Line;
}

/** A heading, and rows of which the one under the cursor has a sign before it and is inverse. */
export function cursorList<Row>(list: CursorList<Row>): readonly Line[] {
  const { columns, rows, visible, cursor, draw = drawRow, drawHere = inverted } = list;
  const width = list.width - 2;
  const placed = placeColumns(columns, width);
  return [
    [{ text: '  ' }, ...headerLine(placed, width)],
    ...visible.map((i): Line => {
      const row = rows[i];
      if (!row) return [];
      const here = i === cursor;
      const line = draw(placed, row, width);
      return [{ text: here ? '▸ ' : '  ', tone: 'focus' }, ...(here ? drawHere(line, width) : line)];
    }),
  ];
}

function drawRow<Row>(placed: readonly PlacedColumn<Row>[], row: Row, width: number): Line {
  return rowLine(placed, row, { width });
}

/** `lines` on so many rows, and below a rule `below`. */
export function withBelow(
  lines: readonly Line[],
  { rows, width, below }: { readonly rows: number; readonly width: number; readonly below: readonly Line[] },
): readonly Line[] {
  return [
    ...Array.from({ length: rows }, (_, i) => lines[i] ?? []),
    [{ text: '─'.repeat(width), tone: 'dim' }],
    ...below,
  ];
}
