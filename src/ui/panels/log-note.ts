import type { State } from '../../model/store.ts';
import { formatCount } from '../parts/format.ts';
import type { Line, Segment } from '../parts/line.ts';
import { logAge } from '../parts/log-age.ts';
import { dotted } from '../parts/meter.ts';
import { displayWidth } from '../parts/width.ts';
import { finds, stopsOf } from './log-moves.ts';
import { cursorRow, type LogRows } from './log-rows.ts';
import type { PanelInput } from './panel.ts';

/** Of the log that spoke last. */
export function lastLineAge(state: State): string | undefined {
  const [newest] = [...state.logs.values()].flatMap(({ pace }) => pace ?? []).sort((a, b) => b.lastAt - a.lastAt);
  return logAge(state, newest);
}

/** A piece of the note: the highest rank is left out first. */
type Piece = Segment & { readonly rank: number };

/** `train.log · megatron · 2 errors · rank 3 · &loss 12 · /nccl 3 of 17 · ↑ 120 lines from the end`. */
export function logNote({ state, view, width }: PanelInput, rows: LogRows): Line {
  const { path, rank, search = '', left = 0 } = view.log ?? {};
  const logs = [...state.logs.values()];
  const only = logs.length === 1 ? logs[0] : path === undefined ? undefined : state.logs.get(path);
  const pieces: Piece[] = [];
  if (only) {
    const name = rows.labels.get(only.path) || (only.path.split('/').at(-1) ?? only.path);
    pieces.push({ text: name, tone: path === undefined ? 'dim' : 'focus', rank: 2 });
    pieces.push({ text: only.format, tone: 'dim', rank: 6 });
  } else if (logs.length > 1) {
    pieces.push({ text: `${logs.length} logs`, tone: 'dim', rank: 2 });
    const formats = new Set(logs.map(({ format }) => format));
    if (formats.size === 1) pieces.push({ text: [...formats].join(''), tone: 'dim', rank: 6 });
  }
  const unread = logs.reduce((sum, log) => sum + log.unread, 0);
  if (unread > 0)
    pieces.push({ text: `values of ${formatCount(unread)} lines not read: too fast`, tone: 'warn', rank: 3 });
  const age = lastLineAge(state);
  if (age !== undefined) pieces.push({ text: `last line ${age}`, rank: 1 });
  if (rows.errors > 0)
    pieces.push({ text: `${rows.errors} ${rows.errors === 1 ? 'error' : 'errors'}`, tone: 'bad', rank: 5 });
  if (rank !== undefined) pieces.push({ text: `rank ${rank}`, tone: 'focus', rank: 1 });
  if (view.filter !== '')
    pieces.push({ text: `&${view.filter} ${formatCount(rows.shown.length)}`, tone: 'focus', rank: 1 });
  if (search !== '') pieces.push({ ...found(rows, { ...view, search }), rank: 1 });
  if (left > 0) pieces.push({ text: `→ ${left}`, tone: 'dim', rank: 4 });
  if (!view.following) {
    const fromEnd = rows.shown.length - 1 - cursorRow(rows, view);
    const text = fromEnd === 0 ? 'does not follow' : `↑ ${fromEnd} ${fromEnd === 1 ? 'line' : 'lines'} from the end`;
    pieces.push({ text, tone: 'warn', rank: 0 });
  }
  // The title and its edges take some of the room.
  return dotted(fitting(pieces, width - 10));
}

function found(rows: LogRows, view: PanelInput['view'] & { readonly search: string }): Segment {
  const { count, number } = stopsOf(rows, view, finds(view.search));
  const how = count === 0 ? 'not found' : number === undefined ? formatCount(count) : `${number} of ${count}`;
  return { text: `/${view.search} ${how}`, tone: count === 0 ? 'warn' : 'focus' };
}

function fitting(pieces: readonly Piece[], room: number): readonly Piece[] {
  const needed = pieces.reduce((sum, { text }) => sum + displayWidth(text) + 3, -3);
  if (needed <= room || pieces.length < 2) return pieces;
  const least = pieces.reduce((a, b) => (b.rank > a.rank ? b : a));
  return fitting(
    pieces.filter((piece) => piece !== least),
    room,
  );
}
