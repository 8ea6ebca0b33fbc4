import type { ReactElement } from 'react';
import { gilShares } from '../../model/classes/gil.ts';
import type { Folded } from '../../model/stacks/fold.ts';
import type { State } from '../../model/store.ts';
import { captureTitle, isUnderWay } from '../../model/capture-words.ts';
import { detailOf } from '../captures/detail.ts';
import { listLines } from '../captures/list-lines.ts';
import { markedCapture, rowsOf, shownView, type ReadingRow } from '../captures/rows.ts';
import { readCapture, type ReadCapture } from '../captures/select.ts';
import { groupingOf } from '../captures/view-rows.ts';
import { readingNote, readingTitle } from '../captures/words.ts';
import { Frame, innerSize } from '../parts/frame.tsx';
import type { Line } from '../parts/line.ts';
import { lineWidth } from '../parts/render-line.ts';
import { formatPercent } from '../parts/format.ts';
import { wrapText } from '../parts/width.ts';
import { visibleRows } from '../panels/scroll.ts';
import type { Reading } from '../reading-state.ts';

interface StacksProps {
  readonly state: State;
  readonly reading: Reading;
  readonly width: number;
  readonly height: number;
}

/** What a capture found: roles, threads or processes with their stacks, and the one under the cursor beside them. */
export function StacksView({ state, reading, width, height }: StacksProps): ReactElement {
  const inner = innerSize({ width, height });
  const read = readCapture(state, reading.capture, reading.saved);
  const frame = { width, height, focused: true };
  if (!read) return <Frame {...frame} title="Stacks" rows={[[{ text: 'The capture is under way …', tone: 'dim' }]]} />;
  return (
    <Frame
      {...frame}
      title={readingTitle(state, read, reading)}
      note={readingNote(state, read, reading)}
      rows={stacksLines({ state, read, reading, ...inner })}
    />
  );
}

interface Input {
  readonly state: State;
  readonly read: ReadCapture;
  readonly reading: Reading;
  readonly width: number;
  readonly height: number;
}

/** The rows inside of the frame: side by side from 90 cells, else the list over the stack. */
function stacksLines(input: Input): readonly Line[] {
  const { state, read, reading, width, height } = input;
  const { capture } = read;
  const head = headLines(input).slice(0, Math.max(1, Math.floor(height / 3)));
  const foot = footLines(input);
  const room = height - head.length - (height > 14 ? foot.length : 0);
  const rows = rowsOf(state, read, reading);
  if (rows.length === 0) {
    const text = isUnderWay(capture) ? 'It is under way: what it finds comes at its end …' : emptyText(read, reading);
    return [...head, ...wrapText(text, width).map((row): Line => [{ text: row, tone: 'dim' }])];
  }
  const cursor = Math.min(reading.cursor, rows.length - 1);
  const body =
    width >= 90
      ? sideBySide({ ...input, height: room }, rows, cursor)
      : above({ ...input, height: room }, rows, cursor);
  const filled = Array.from({ length: room }, (_, i) => body[i] ?? []);
  return [...head, ...filled, ...(height > 14 ? foot : [])];
}

function emptyText(read: ReadCapture, reading: Reading): string {
  const { capture, folded } = read;
  const { search } = reading;
  const view = shownView(read, reading);
  if (search !== '') return `No stack has "${search}" in a function, file, thread, role or class.`;
  if (view === 'difference') return 'The two do not differ by half a point or more anywhere.';
  if (view === 'gil') return 'In no look did a thread hold the GIL.';
  if (folded.processes.length === 0 && capture.failure === undefined) return 'It found nothing.';
  return '';
}

/** Why it failed, in whole; of GIL and difference, what the rows are shares of. */
function headLines({ state, read, reading, width }: Input): readonly Line[] {
  const { capture, folded } = read;
  const failures = [capture.failure, ...folded.processes.map(({ failure }) => failure)].flatMap((text) => text ?? []);
  const failed = [...new Set(failures)]
    .flatMap((text) => wrapText(text, width))
    .map((text): Line => [{ text, tone: 'bad' }]);
  const view = shownView(read, reading);
  if (view === 'gil') return [...failed, ...gilLines(folded), []];
  if (view !== 'difference') return failed;
  const before = markedCapture(state, reading);
  const what = before
    ? `Before: ${captureTitle(before.capture, state.run?.run)}. Shares are of each role; changes in points.`
    : 'The capture to compare with is gone.';
  return [...failed, ...wrapText(what, width).map((text): Line => [{ text, tone: 'dim' }]), []];
}

/** More processes than that are in the rows only. */
const mostTold = 4;

/** Of each process, how much of the time its GIL was held at all. */
function gilLines(folded: Folded): readonly Line[] {
  return gilShares(folded)
    .slice(0, mostTold)
    .map(({ pid, rank, share, looks, unread }): Line => [
      { text: `${rank === undefined ? `PID ${pid}` : `rank ${rank}`}: the GIL was held in ` },
      { text: formatPercent(share * 100), tone: 'strong' },
      { text: ` of ${looks} looks` },
      ...(unread > 0 ? [{ text: `; ${unread} could not be read`, tone: 'warn' as const }] : []),
    ]);
}

/** What was done otherwise than asked, and where it is saved. */
function footLines({ read, width }: Input): readonly Line[] {
  const { notes, files } = read.capture;
  const said = notes.flatMap((note) => wrapText(note, width)).map((text): Line => [{ text, tone: 'warn' }]);
  const saved: readonly Line[] =
    files[0] === undefined ? [] : [[{ text: 'saved to ', tone: 'dim' }, { text: files[0] }]];
  const all = [...said.slice(0, 3), ...saved];
  return all.length === 0 ? [] : [[{ text: '─'.repeat(width), tone: 'dim' }], ...all];
}

function sideBySide(input: Input, rows: readonly ReadingRow[], cursor: number): readonly Line[] {
  const { width, height } = input;
  const listWidth = Math.min(110, Math.max(44, Math.floor(width * 0.56)));
  const list = listOf(input, { rows, cursor, width: listWidth, height });
  const detail = detailLines(input, { row: rows[cursor], width: width - listWidth - 3, height });
  return Array.from({ length: height }, (_, i) => {
    const left = list[i] ?? [];
    const blanks = ' '.repeat(Math.max(0, listWidth - lineWidth(left)));
    return [...left, { text: blanks }, { text: ' │ ', tone: 'dim' as const }, ...(detail[i] ?? [])];
  });
}

function above(input: Input, rows: readonly ReadingRow[], cursor: number): readonly Line[] {
  const { width, height } = input;
  const listHeight = Math.max(2, Math.min(rows.length + 1, Math.ceil(height / 2)));
  const list = listOf(input, { rows, cursor, width, height: listHeight });
  const detail = detailLines(input, { row: rows[cursor], width, height: height - list.length - 1 });
  return [...list, [{ text: '─'.repeat(width), tone: 'dim' }], ...detail];
}

interface ListPlace {
  readonly rows: readonly ReadingRow[];
  readonly cursor: number;
  readonly width: number;
  readonly height: number;
}

function listOf({ state, read, reading }: Input, { rows, cursor, width, height }: ListPlace): readonly Line[] {
  const visible = visibleRows({ count: rows.length, height: height - 1, cursor });
  return listLines({ state, folded: read.folded, rows, visible, cursor, by: groupingOf(read, reading), width });
}

function detailLines(
  { reading }: Input,
  { row, width, height }: { readonly row: ReadingRow | undefined; readonly width: number; readonly height: number },
): readonly Line[] {
  if (!row) return [];
  const { head, body } = detailOf({ row, reading, width });
  // On a low screen the frames are worth more than what is said of them.
  const shown = head.length > height - 3 ? head.slice(-1) : head;
  const room = height - shown.length;
  const first = Math.max(0, Math.min(reading.top, body.length - room));
  const more = body.length - first - room;
  const rows = body.slice(first, first + room);
  if (more <= 0) return [...shown, ...rows];
  return [...shown, ...rows.slice(0, -1), [{ text: `  ${more + 1} more below`, tone: 'dim' }]];
}
