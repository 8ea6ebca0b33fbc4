import type { TapeEvent } from '../model/tape.ts';
import type { SeriesRow } from '../model/series-rows.ts';

/** How rows, events and a list of series are written. Every text ends its line. */
export interface ExportText {
  /** Before all rows; '' where there is none. */
  head(series: readonly string[]): string;
  row(row: SeriesRow, series: readonly string[]): string;
  eventsHead: string;
  event(event: TapeEvent): string;
}

/** One column a series; what was not measured is an empty cell. As RFC 4180 has it, but that lines end as everywhere here. */
export const csv: ExportText = {
  head: (series) => lineOf(['time', 'epochSeconds', ...series.map(cellOf)]),
  row: ({ time, values }, series) => lineOf([...timesOf(time), ...series.map((name) => numberOf(values.get(name)))]),
  eventsHead: lineOf(['time', 'epochSeconds', 'kind', 'event', 'source', 'text']),
  event: (event) =>
    lineOf([...timesOf(event.time), ...[event.kind, nameOf(event) ?? '', event.source, event.text].map(cellOf)]),
};

/** One object a row; what was not measured is not in it. A number that JSON has not is its name. */
export const jsonl: ExportText = {
  head: () => '',
  row: ({ time, values }, series) =>
    objectOf({
      ...timed(time),
      ...Object.fromEntries(
        series.flatMap((name) => {
          const value = values.get(name);
          return value === undefined ? [] : [[name, Number.isFinite(value) ? value : String(value)]];
        }),
      ),
    }),
  eventsHead: '',
  event: (event) =>
    objectOf({
      ...timed(event.time),
      kind: event.kind,
      ...(event.kind !== 'mark' && { event: nameOf(event) }),
      source: event.source,
      text: event.text,
    }),
};

function timed(time: number) {
  return { time: new Date(time).toISOString(), epochSeconds: time / 1000 };
}

function timesOf(time: number): readonly [string, string] {
  return [new Date(time).toISOString(), String(time / 1000)];
}

/** As Python, R and C read it. */
function numberOf(value: number | undefined): string {
  if (value === undefined) return '';
  if (Number.isNaN(value)) return 'nan';
  return Number.isFinite(value) ? String(value) : value > 0 ? 'inf' : '-inf';
}

function lineOf(cells: readonly string[]): string {
  return `${cells.join(',')}\n`;
}

/**
 * A text that a spreadsheet would take for a formula begins with an apostrophe: it came from a host, whose log may hold
 * `=HYPERLINK(...)`.
 */
export function cellOf(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function objectOf(object: Record<string, unknown>): string {
  return `${JSON.stringify(object)}\n`;
}

/** Which event or alarm it is. */
function nameOf(event: TapeEvent): string | undefined {
  return event.kind === 'mark' ? undefined : event.kind === 'alarm' ? event.alarm : event.event;
}
