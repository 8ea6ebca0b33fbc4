import { Box, Text } from 'ink';
import InkTable, { type CellProps } from 'ink-table';
import { createContext, useContext, useMemo } from 'react';
import type { ReactElement } from 'react';
import { displayWidth, fitText, plainText } from './width.ts';

/** A cell: its text, already safe for a terminal, and a colour if it has one. Absent draws blanks. */
export type TableCell = string | undefined | { readonly text: string; readonly color?: string; readonly dim?: boolean };

/** A column: which value of a row, its title, and its width in terminal cells (default: the widest cell of the moment). */
export interface TableColumn<Key extends string> {
  readonly key: Key;
  readonly title: string;
  readonly align?: 'left' | 'right';
  readonly width?: number;
}

/** What `Table` draws. `gap` is the number of blanks between columns (default 2). */
export interface TableProps<Key extends string> {
  readonly columns: readonly TableColumn<Key>[];
  readonly rows: readonly Readonly<Partial<Record<Key, TableCell>>>[];
  readonly gap?: number;
}

/**
 * A small, slow table (the picker of runs) drawn by ink-table 3.1.0, without its rules. The thread table is not
 * one: rows of text are cheaper there.
 *
 * ink-table measures with String.length, never cuts, and keys a row by a hash of its values, so that a changed value takes the
 * row off the screen and mounts a new one. So it is given row numbers for values, the same at every render, and the cell
 * component, which knows the column and reads the row number, draws the text cut and padded by display width.
 */
export function Table<Key extends string>({ columns, rows, gap = 2 }: TableProps<Key>): ReactElement {
  const keys = columns.map(({ key }) => key).join('\n');
  const addresses = useMemo(() => addressRows(keys.split('\n'), rows.length), [keys, rows.length]);
  const grid = useMemo(() => ({ columns, rows, gap, widths: widthsOf(columns, rows) }), [columns, rows, gap]);
  return (
    <Grid value={grid}>
      <InkTable data={addresses} columns={keys.split('\n')} header={HeaderCell} cell={BodyCell} skeleton={NoRule} />
    </Grid>
  );
}

interface GridValue {
  readonly columns: readonly TableColumn<string>[];
  readonly rows: readonly Readonly<Partial<Record<string, TableCell>>>[];
  readonly gap: number;
  readonly widths: readonly number[];
}

const Grid = createContext<GridValue>({ columns: [], rows: [], gap: 2, widths: [] });

function addressRows(keys: readonly string[], count: number): Record<string, number>[] {
  return Array.from({ length: count }, (_, row) => Object.fromEntries(keys.map((key) => [key, row])));
}

function widthsOf(columns: GridValue['columns'], rows: GridValue['rows']): number[] {
  return columns.map(({ key, title, width }) => {
    if (width !== undefined) return width;
    return rows.reduce((widest, row) => Math.max(widest, cells(textOf(row[key]))), cells(title));
  });
}

const cells = (text: string) => displayWidth(plainText(text));

function textOf(cell: TableCell): string {
  return typeof cell === 'string' ? cell : (cell?.text ?? '');
}

// ink-table calls the header component with the column's number too, though its types do not say so.
function HeaderCell(props: object): ReactElement {
  const { column } = props as CellProps;
  return (
    <Box flexShrink={0}>
      <Text bold>
        <Fitted column={column} />
      </Text>
    </Box>
  );
}

function BodyCell({ column, children }: CellProps): ReactElement {
  const grid = useContext(Grid);
  const cell = grid.rows[Number(children)]?.[grid.columns[column]?.key ?? ''];
  const { color, dim = false } = typeof cell === 'object' ? cell : {};
  return (
    <Box flexShrink={0}>
      <Text {...(color === undefined ? {} : { color })} dimColor={dim}>
        <Fitted column={column} text={textOf(cell)} />
      </Text>
    </Box>
  );
}

function Fitted({ column, text }: { readonly column: number; readonly text?: string }): ReactElement {
  const { columns, widths, gap } = useContext(Grid);
  const { title = '', align = 'left' } = columns[column] ?? {};
  const fitted = fitText(text ?? title, widths[column] ?? 0, align);
  return <>{column === columns.length - 1 ? fitted : fitted + ' '.repeat(gap)}</>;
}

function NoRule(): ReactElement | null {
  return null;
}
