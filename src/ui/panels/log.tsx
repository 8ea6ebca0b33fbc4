import type { LogLine } from '../../model/samples.ts';
import type { State } from '../../model/store.ts';
import { formatCount } from '../parts/format.ts';
import type { Line, Segment, Tone } from '../parts/line.ts';
import { logAge } from '../parts/log-age.ts';
import { dotted } from '../parts/meter.ts';
import { inverted } from '../parts/table.ts';
import { displayWidth, fitText, plainText, cutText } from '../parts/width.ts';
import { loggedLines, type LoggedLine, type LoggedLines } from './log-lines.ts';
import { panelComponent } from './panel-component.tsx';
import type { Panel, PanelBody, PanelInput } from './panel.ts';

/** The newest lines while it follows, else those around the cursor; errors and warnings in their tones, numbers that were read in theirs. */
export function logLines(input: PanelInput): PanelBody {
  const { state, view, width, height, focused } = input;
  if (width < 1 || height < 1) return { lines: [] };
  const all = rowsOf(state.logs, view.filter);
  const from = firstRow(state.logs, view.filter);
  const cursor = view.following ? all.count - 1 : Math.max(0, Math.min(view.cursor - from, all.count - 1));
  // Scrolling keeps the cursor on the last row in view: what comes after it is what one scrolled away from.
  const first = Math.max(0, Math.min(all.count - height, cursor - height + 1));
  const labelWidth = width >= 60 ? Math.min(16, all.labelWidth) : 0;
  const shown = all.slice(first, height);
  const lines = shown.map((logged, i) => {
    const line = drawn(logged, width, labelWidth);
    return focused && !view.following && first + i === cursor ? inverted(line, width) : line;
  });
  if (lines.length === 0)
    lines.push([
      { text: fitText(view.filter === '' ? 'no line yet' : 'no line matches the filter', width), tone: 'dim' },
    ]);
  return { lines, note: noteOf(input, all.count, all.count - 1 - cursor) };
}

/** The logs' panel. */
export const logPanel: Panel = {
  id: 'log',
  digit: '5',
  title: 'Log',
  Component: panelComponent({
    title: 'Log',
    digit: '5',
    slices: ['logs'],
    sources: ['log'],
    body: logLines,
    also: lastLineAge,
    hasData: ({ logs }) => logs.size > 0,
  }),
  rowCount: ({ logs }, { filter }) => firstRow(logs, filter) + rowsOf(logs, filter).count,
  firstRow: ({ logs }, { filter }) => firstRow(logs, filter),
};

/** A scrolled log stands still while old lines go. With a filter they are not counted: which of them matched is not known. */
function firstRow(logs: State['logs'], filter: string): number {
  return filter === '' ? [...logs.values()].reduce((sum, log) => sum + log.dropped, 0) : 0;
}

/** The keys ask for the count of the rows that the panel draws: computed once. */
let last: { readonly logs: State['logs']; readonly filter: string; readonly rows: LoggedLines } | undefined;

function rowsOf(logs: State['logs'], filter: string): LoggedLines {
  if (last?.logs === logs && last.filter === filter) return last.rows;
  last = { logs, filter, rows: loggedLines(logs, filter) };
  return last.rows;
}

const marks: Readonly<Record<string, string>> = { error: 'E', warning: 'W' };
const tones: Readonly<Record<string, Tone>> = { error: 'bad', warning: 'warn' };

function drawn({ line, label }: LoggedLine, width: number, labelWidth: number): Line {
  const { level, text } = line;
  const head: Segment[] = [];
  if (labelWidth > 0) head.push({ text: fitText(label, labelWidth) + ' ', tone: 'dim' });
  // The letter says what the tone says: a traceback's lines have no word for it.
  if (width >= 60)
    head.push({ text: level ? `${marks[level]} ` : '  ', tone: level ? (tones[level] ?? 'plain') : 'dim' });
  const room = width - head.reduce((sum, segment) => sum + displayWidth(segment.text), 0);
  // Long lines are cut before anything measures them.
  const shown = cutText(plainText(text.length > room * 4 + 64 ? text.slice(0, room * 4 + 64) : text), room);
  return [...head, ...(level ? [{ text: shown, tone: tones[level] ?? 'plain' } as const] : valued(line, shown))];
}

/** A number or a range after a key, `=`, a bar or a bracket, with its unit; not a part of a time of day. */
const numbers =
  /(?<=[A-Za-z_\])][=:]?\s{0,3}|[=|[]\s{0,3})[-+]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?(?:[-/]\d+)?(?:[KMGT%]|ms|s|it\/s)?(?![\w:])/g;

/** The numbers of a line that values were read from stand out a little. */
function valued({ values }: LogLine, text: string): Line {
  if (!values) return [{ text }];
  const segments: Segment[] = [];
  let at = 0;
  for (const match of text.matchAll(numbers)) {
    if (match.index > at) segments.push({ text: text.slice(at, match.index) });
    segments.push({ text: match[0], tone: 'series5' });
    at = match.index + match[0].length;
  }
  if (at < text.length) segments.push({ text: text.slice(at) });
  return segments;
}

/** Of the log that spoke last. */
function lastLineAge(state: State): string | undefined {
  const [newest] = [...state.logs.values()].flatMap(({ pace }) => pace ?? []).sort((a, b) => b.lastAt - a.lastAt);
  return logAge(state, newest);
}

/** `train.log · generic · ↑ 120 lines from the end · /loss`. */
function noteOf({ state, view }: PanelInput, count: number, fromEnd: number): Line {
  const logs = [...state.logs.values()];
  const [only] = logs;
  const pieces: Segment[] = [];
  if (only && logs.length === 1) pieces.push({ text: only.path.split('/').at(-1) ?? only.path, tone: 'dim' });
  else if (logs.length > 1) pieces.push({ text: `${logs.length} logs`, tone: 'dim' });
  const unread = logs.reduce((sum, log) => sum + log.unread, 0);
  if (unread > 0) pieces.push({ text: `values of ${formatCount(unread)} lines not read: too fast`, tone: 'warn' });
  const age = lastLineAge(state);
  if (age !== undefined) pieces.push({ text: `last line ${age}` });
  if (view.filter !== '') pieces.push({ text: `/${view.filter} ${formatCount(count)}`, tone: 'focus' });
  if (!view.following)
    pieces.push({ text: `↑ ${fromEnd} ${fromEnd === 1 ? 'line' : 'lines'} from the end`, tone: 'warn' });
  return dotted(pieces);
}
