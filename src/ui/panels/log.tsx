import type { Line } from '../parts/line.ts';
import { fitText } from '../parts/width.ts';
import { movedLog } from './log-moves.ts';
import { lastLineAge, logNote } from './log-note.ts';
import { placeItems } from './log-place.ts';
import { cursorRow, logRows, type LogRow } from './log-rows.ts';
import { lineRows } from './log-text.ts';
import { panelComponent } from './panel-component.tsx';
import type { Panel, PanelBody, PanelInput } from './panel.ts';

/** The newest lines while it follows, else those around the cursor; errors and warnings in their tones, numbers that were read in theirs. */
export function logLines(input: PanelInput): PanelBody {
  const { state, view, width, height, focused } = input;
  if (width < 1 || height < 1) return { lines: [] };
  const rows = logRows(state.logs, view);
  const { shown, labels } = rows;
  const cursor = cursorRow(rows, view);
  const { wraps = false, share = 1, search = '', left = 0, path } = view.log ?? {};
  const labelWidth = width >= 60 && path === undefined ? Math.min(16, rows.labelWidth) : 0;
  const draw = (index: number): readonly Line[] =>
    lineRows(shown[index] as LogRow, {
      width,
      label: labels.get((shown[index] as LogRow).path) ?? '',
      labelWidth,
      hasCursor: focused && !view.following && index === cursor,
      search,
      left: wraps ? 0 : left,
      mostRows: wraps ? height : undefined,
    });
  const drawn = new Map<number, readonly Line[]>();
  const rowsAt = (index: number) => {
    const lines = drawn.get(index) ?? draw(index);
    drawn.set(index, lines);
    return lines;
  };
  const placed = placeItems({
    count: shown.length,
    height,
    cursor,
    share: view.following ? 1 : share,
    rowsOf: (index) => (wraps ? rowsAt(index).length : 1),
  });
  const lines = placed.flatMap(({ index, skip, rows }) => rowsAt(index).slice(skip, skip + rows));
  if (lines.length === 0) lines.push([{ text: fitText(nothing(input, rows.all.length), width), tone: 'dim' }]);
  return { lines, note: logNote(input, rows) };
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
  rowCount: ({ logs }, view) => logRows(logs, view).shown.length,
  moved: movedLog,
};

function nothing({ view }: PanelInput, count: number): string {
  if (count === 0) return 'no line yet';
  if (view.filter !== '') return 'no line matches the filter';
  return `no line of ${view.log?.rank === undefined ? 'this log' : `rank ${view.log.rank}`} is kept`;
}
