import type { LogLine } from '../../model/samples.ts';
import type { LogTail, State } from '../../model/store.ts';
import { textFilter } from '../../model/text-filter.ts';
import { displayWidth, plainText } from '../parts/width.ts';

/** A line and the log that it is from. */
export interface LoggedLine {
  readonly line: LogLine;
  /** The path's last part; '' when there is one log only. */
  readonly label: string;
}

/** Rows of all logs together in the order of time. Nothing is copied before it is asked for: 4000 lines stand behind 10 rows. */
export interface LoggedLines {
  readonly count: number;
  /** Cells of the longest label; 0 when there is one log. */
  readonly labelWidth: number;
  /** Rows from `first` on, at most `count` of them. */
  slice(first: number, count: number): readonly LoggedLine[];
}

/** The lines that pass the filter. */
export function loggedLines(logs: State['logs'], filter: string): LoggedLines {
  const labels = labelsOf([...logs.keys()]);
  const labelWidth = Math.max(...labels.map((label) => displayWidth(plainText(label))), 0);
  const accepts = textFilter(filter);
  const [only] = logs.values();
  if (only && logs.size === 1 && !accepts) {
    return {
      count: only.lines.length,
      labelWidth,
      slice: (first, count) => only.lines.slice(first, first + count).map((line) => ({ line, label: '' })),
    };
  }
  const all = [...logs.values()].flatMap((log, i) => linesOf(log, labels[i] ?? '', accepts));
  // Sorting is stable: lines of one time stay in their log's order.
  if (logs.size > 1) all.sort((a, b) => a.line.time - b.line.time);
  return { count: all.length, labelWidth, slice: (first, count) => all.slice(first, first + count) };
}

function linesOf({ lines }: LogTail, label: string, accepts: ((text: string) => boolean) | undefined): LoggedLine[] {
  const kept = accepts ? lines.filter(({ text }) => accepts(text)) : lines;
  return kept.map((line) => ({ line, label }));
}

/** File names; where two are the same, with their folder. */
function labelsOf(paths: readonly string[]): readonly string[] {
  if (paths.length < 2) return [''];
  const names = paths.map((path) => path.split('/').at(-1) ?? path);
  return new Set(names).size === names.length ? names : paths.map((path) => path.split('/').slice(-2).join('/'));
}
