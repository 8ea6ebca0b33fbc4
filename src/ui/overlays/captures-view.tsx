import type { ReactElement } from 'react';
import { commandText, isUnderWay, ofWhom, samplesText } from '../../model/capture-words.ts';
import type { State } from '../../model/store.ts';
import { stateSign } from '../captures/progress.ts';
import { captureRows, kindText, type CaptureRow } from '../captures/select.ts';
import { cursorList, withBelow } from '../parts/cursor-list.ts';
import { formatBytes, formatDuration } from '../parts/format.ts';
import { Frame, innerSize } from '../parts/frame.tsx';
import type { Line } from '../parts/line.ts';
import type { Column } from '../parts/table.ts';
import { dayOf, timeOfDay } from '../parts/times.ts';
import { fitText, plainText, wrapText } from '../parts/width.ts';
import { visibleRows } from '../panels/scroll.ts';
import type { Reading } from '../reading-state.ts';

interface CapturesProps {
  readonly state: State;
  readonly reading: Reading;
  readonly isLive: boolean;
  readonly width: number;
  readonly height: number;
}

/** All captures, one a row, the newest first; Enter reads the one under the cursor. */
export function CapturesView({ state, reading, isLive, width, height }: CapturesProps): ReactElement {
  const inner = innerSize({ width, height });
  const rows = captureRows(state, reading);
  const frame = { title: 'Captures', width, height, focused: true };
  if (rows.length === 0) {
    const text = isLive
      ? 'Nothing was captured yet. Of the process that is selected on the panels, d dumps the stacks, m takes many dumps, r records a flame, G asks who holds the GIL, and D dumps native frames too.'
      : 'No stacks had been taken by this moment.';
    return <Frame {...frame} rows={wrapText(text, inner.width).map((row): Line => [{ text: row, tone: 'dim' }])} />;
  }
  const cursor = Math.min(reading.listCursor, rows.length - 1);
  const said = saidOf(rows[cursor], inner.width).slice(0, Math.max(1, Math.floor(inner.height / 3)));
  const room = Math.max(1, inner.height - 2 - said.length);
  const visible = visibleRows({ count: rows.length, height: room, cursor });
  const list = cursorList({ columns: columnsOf(state, rows, reading), rows, visible, cursor, width: inner.width });
  const lines = withBelow(list, { rows: room + 1, width: inner.width, below: said });
  return <Frame {...frame} note={`${cursor + 1} of ${rows.length}`} rows={lines} />;
}

type Cell = Column<CaptureRow>;

function columnsOf(state: State, rows: readonly CaptureRow[], { marked }: Reading): readonly Cell[] {
  const days = new Set([dayOf(state.committedAt), ...rows.map(({ capture }) => dayOf(capture.startedAt))]);
  const time = days.size > 1 ? 14 : 8;
  const text = (title: string, width: number, priority: number, of: (row: CaptureRow) => string): Cell => ({
    title,
    width,
    priority,
    cell: (row, size) => ({ text: fitText(of(row), size), tone: row.saved ? 'dim' : 'plain' }),
  });
  const columns: readonly Cell[] = [
    {
      title: '',
      width: 2,
      priority: 0,
      cell: ({ capture }) => (capture.id === marked?.id ? { text: '= ', tone: 'focus' } : stateSign(capture)),
    },
    text('TIME', time, 0, ({ capture: { startedAt } }) =>
      days.size > 1 ? `${dayOf(startedAt).slice(5)} ${timeOfDay(startedAt)}` : timeOfDay(startedAt),
    ),
    text('KIND', 11, 0, ({ capture }) => kindText(capture)),
    text('OF', 20, 2, ({ capture }) => ofWhom(capture.pids, state.run?.run)),
    text('STATE', 9, 1, ({ capture }) => capture.state),
    { ...text('FOR', 7, 5, lastedText), align: 'right' },
    { ...text('SIZE', 13, 3, sizeText), align: 'right' },
    { ...text('RUN', 12, 4, ({ command }) => commandText(command)), maxWidth: 120 },
  ];
  return columns.map((column) => (column.align === 'right' ? rightAligned(column) : column));
}

function rightAligned(column: Cell): Cell {
  return {
    ...column,
    cell: (row, width) => {
      const drawn = column.cell(row, width);
      return 'text' in drawn ? { ...drawn, text: fitText(drawn.text.trim(), width, 'right') } : drawn;
    },
  };
}

function lastedText({ capture }: CaptureRow): string {
  const { startedAt, endedAt } = capture;
  if (endedAt === undefined) return '';
  const ms = endedAt - startedAt;
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)}s` : formatDuration(ms / 1000);
}

/** Samples say more than bytes. */
function sizeText({ capture, saved }: CaptureRow): string {
  return samplesText(capture) ?? (saved?.bytes === undefined ? '' : formatBytes(saved.bytes));
}

/** Of the one under the cursor: how it went, and where it is. */
function saidOf(row: CaptureRow | undefined, width: number): readonly Line[] {
  if (!row) return [];
  const { capture, command, saved } = row;
  const { failure, notes, errors, files } = capture;
  const path = saved?.folder ?? files[0];
  const said: readonly (readonly [string, Line[number]['tone']])[] = [
    ...(command === '' ? [] : [[plainText(command).slice(0, width * 2), 'dim'] as const]),
    ...(failure === undefined ? [] : [[failure, 'bad'] as const]),
    ...notes.map((note) => [note, 'warn'] as const),
    ...(errors ? [[`${errors} ${errors === 1 ? 'look' : 'looks'} could not be read.`, 'warn'] as const] : []),
    [path ?? (isUnderWay(capture) ? 'It is under way.' : 'It was not saved to a file.'), 'plain'],
  ];
  return said.flatMap(([text, tone]) =>
    wrapText(text, width).map((part): Line => [{ text: part, ...(tone && { tone }) }]),
  );
}
