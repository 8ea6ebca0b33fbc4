import { cellOf } from './export-text.ts';

/** What is in a series. Of finite values; `count` is of all. */
export interface SeriesTotal {
  count: number;
  min: number;
  max: number;
}

interface Init {
  readonly totals: ReadonlyMap<string, SeriesTotal>;
  readonly about: (series: string) => string | undefined;
  /** Absent: a table for people. */
  readonly format?: 'csv' | 'jsonl' | undefined;
}

const heads = ['series', 'values', 'minimum', 'maximum', 'about'] as const;

/** The names of series with the number of their values and their range. */
export function listSeries({ totals, about, format }: Init): string {
  const rows = [...totals].map(([series, { count, min, max }]) => ({
    series,
    values: count,
    ...(!Number.isNaN(min) && { minimum: min, maximum: max }),
    ...(about(series) !== undefined && { about: about(series) }),
  }));
  if (format === 'jsonl') return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  const cells = rows.map((row: Readonly<Partial<Record<string, unknown>>>) =>
    heads.map((head) => (row[head] === undefined ? '' : String(row[head]))),
  );
  const all = [[...heads], ...cells];
  if (format === 'csv')
    return all.map((row) => `${row.map((cell, at) => (isNumber(at) ? cell : cellOf(cell))).join(',')}\n`).join('');
  const widths = heads.map((_, at) => Math.max(...all.map((row) => row[at]?.length ?? 0)));
  const padded = (cell: string, at: number) =>
    isNumber(at) ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0);
  return all.map((row) => `${row.map(padded).join('  ').trimEnd()}\n`).join('');
}

const isNumber = (column: number) => column > 0 && column < 4;
