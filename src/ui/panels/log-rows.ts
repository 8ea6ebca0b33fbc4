import { logNames } from '../../model/log-names.ts';
import type { LogLine } from '../../model/samples.ts';
import type { LogTail, State } from '../../model/store.ts';
import { textFilter } from '../../model/text-filter.ts';
import { displayWidth, plainText } from '../parts/width.ts';
import type { PanelView } from './panel.ts';

/** A line of a log, as the panel has it. */
export interface LogRow {
  readonly line: LogLine;
  /** The first line of its record; itself where it has no other. */
  readonly head: LogLine;
  readonly path: string;
  /** Its place among the lines of all logs: the time of its record, never before that of the record above it in its log. */
  readonly at: number;
  /** An error begins here: a traceback and its exception are one. */
  readonly isError: boolean;
  /** Another log has its text: it is shown where its log is asked for. */
  readonly isCopy?: true;
}

/** All logs together in the order of time: records whole, those of a log in its own order. */
export interface LogRows {
  readonly all: readonly LogRow[];
  /** Those that pass the filter, and are of the rank and log that are asked for. */
  readonly shown: readonly LogRow[];
  /** By path; '' when there is one log only. */
  readonly labels: ReadonlyMap<string, string>;
  /** Cells of the longest label; 0 when there is one log. */
  readonly labelWidth: number;
  readonly errors: number;
  readonly hasCopies: boolean;
}

/** What of a view decides which rows there are. */
export type RowsView = Pick<PanelView, 'filter' | 'log'>;

/** The rows of a view. What the keys ask for is what the panel draws: computed once. */
export function logRows(logs: State['logs'], { filter, log: { rank, path } = {} }: RowsView): LogRows {
  if (last?.logs === logs && last.filter === filter && last.rank === rank && last.path === path) return last.rows;
  const base = last?.logs === logs ? last.rows : merged(logs);
  const rows = { ...base, shown: chosen(base, { filter, rank, path }) };
  last = { logs, filter, rank, path, rows };
  return rows;
}

let last:
  | {
      readonly logs: State['logs'];
      readonly filter: string;
      readonly rank: number | undefined;
      readonly path: string | undefined;
      readonly rows: LogRows;
    }
  | undefined;

/** The row under the cursor: that of the view's line, or the nearest above it that is shown; -1 when there is none. */
export function cursorRow({ all, shown }: LogRows, { following, log }: Pick<PanelView, 'following' | 'log'>): number {
  if (following || !log?.line) return shown.length - 1;
  const place = placeOf(all, log.line);
  if (shown === all) return place;
  let row = -1;
  for (let i = 0; i <= place; i++) if (all[i] === shown[row + 1]) row++;
  return Math.max(row, Math.min(0, shown.length - 1));
}

/** A recording that was sought in has the same lines as other objects; of a line that is gone the time tells where it was. */
function placeOf(rows: readonly LogRow[], wanted: LogLine): number {
  const same = rows.findIndex(({ line }) => line === wanted);
  if (same >= 0) return same;
  const equal = rows.findIndex(({ line }) => line.time === wanted.time && line.text === wanted.text);
  if (equal >= 0) return equal;
  return Math.max(
    0,
    rows.findLastIndex(({ at }) => at <= wanted.time),
  );
}

function merged(logs: State['logs']): Omit<LogRows, 'shown'> {
  const tails = [...logs.values()];
  const labels = labelsOf([...logs.keys()]);
  const all = tails.flatMap((log) => (isWandbs(log) ? withCopies(rowsOf(log), tails) : rowsOf(log)));
  // Sorting is stable: what is of one time stays in its log's order.
  if (tails.length > 1) all.sort((a, b) => a.at - b.at);
  return {
    all,
    labels,
    labelWidth: Math.max(...[...labels.values()].map((label) => displayWidth(plainText(label))), 0),
    hasCopies: all.some(({ isCopy }) => isCopy),
    errors: all.reduce((sum, { isError, isCopy }) => sum + (isError && !isCopy ? 1 : 0), 0),
  };
}

/** wandb keeps there what its run prints, besides. */
const isWandbs = ({ path }: LogTail) => /(?:^|\/)wandb\/.*\/output\.log$/.test(path);

function withCopies(rows: readonly LogRow[], tails: readonly LogTail[]): readonly LogRow[] {
  const told = new Set(tails.flatMap((log) => (isWandbs(log) ? [] : log.lines.map(({ text }) => text))));
  return rows.map((row) => (told.has(row.head.text) ? { ...row, isCopy: true } : row));
}

/** A log that has said nothing new has the same rows. */
const kept = new WeakMap<LogTail, readonly LogRow[]>();

function rowsOf(log: LogTail): readonly LogRow[] {
  const before = kept.get(log);
  if (before) return before;
  const rows: LogRow[] = [];
  let head: LogLine | undefined;
  let left = 0;
  let at = -Infinity;
  let traceback: LogLine | undefined;
  for (const line of log.lines) {
    const begins = head === undefined || left === 0;
    if (begins) {
      // The exception of a traceback is a record of its own, and the same error.
      const isTold = traceback !== undefined && traceback.rank === line.rank;
      traceback = line.event?.kind === 'traceback' ? line : undefined;
      head = line;
      left = line.continued ?? 0;
      at = Math.max(at, line.time);
      rows.push({ line, head, path: log.path, at, isError: line.level === 'error' && !isTold });
    } else {
      left--;
      rows.push({ line, head: head ?? line, path: log.path, at, isError: false });
    }
  }
  kept.set(log, rows);
  return rows;
}

function chosen(
  { all, hasCopies }: Omit<LogRows, 'shown'>,
  wanted: { readonly filter: string; readonly rank: number | undefined; readonly path: string | undefined },
): readonly LogRow[] {
  const { filter, rank, path } = wanted;
  const accepts = textFilter(filter);
  if (!accepts && rank === undefined && path === undefined && !hasCopies) return all;
  const shown: LogRow[] = [];
  for (let i = 0; i < all.length;) {
    const first = all[i] as LogRow;
    let end = i + 1;
    while (all[end]?.head === first.head) end++;
    const isOf =
      (rank === undefined || first.head.rank === rank) && (path === undefined ? !first.isCopy : first.path === path);
    if (isOf && (!accepts || accepts(...all.slice(i, end).map(({ line }) => line.text))))
      for (; i < end; i++) shown.push(all[i] as LogRow);
    i = end;
  }
  return shown;
}

/** What tells the logs apart. */
function labelsOf(paths: readonly string[]): ReadonlyMap<string, string> {
  const [only] = paths;
  return paths.length < 2 ? new Map(only === undefined ? [] : [[only, '']]) : logNames(paths);
}
