import type { State } from '../../model/store.ts';
import { to, type Move } from '../move.ts';
import type { LogLook } from './log-look.ts';
import { cursorRow, logRows, type LogRow, type LogRows } from './log-rows.ts';
import { matchesOf } from './log-text.ts';
import type { PanelView } from './panel.ts';

/** Where a jump puts its line: what led to it is above, what came of it below. */
const jumpShare = 0.35;

/** The cursor goes by rows or to an end; on the last one the log follows again. */
export function movedLog(state: Pick<State, 'logs'>, view: PanelView, move: Move): PanelView {
  const rows = logRows(state.logs, view);
  const at = to(cursorRow(rows, view), { move, count: rows.shown.length });
  const row = rows.shown[at];
  if (!row || at === rows.shown.length - 1) return view.following ? view : followed(view);
  if (!view.following && view.log?.line === row.line) return view;
  // From the first line on the next page begins below the one that was read.
  const share = move === 'first' ? 0 : view.following ? undefined : view.log?.share;
  return { ...view, following: false, log: { ...view.log, line: row.line, share } };
}

/** The newest line is in view again, and stays. */
export function followed(view: PanelView): PanelView {
  return { ...view, following: true, log: { ...view.log, line: undefined, share: undefined } };
}

/** The same with another look at it. */
export function looked(view: PanelView, look: Partial<LogLook>): PanelView {
  return { ...view, log: { ...view.log, ...look } };
}

/** Rows of errors, and of lines that match; what stands above and below the cursor. */
export interface Stops {
  readonly count: number;
  /** Of the one under the cursor, from 1; undefined when it is on none. */
  readonly number: number | undefined;
  readonly before: number;
  readonly after: number;
}

/** The cursor on the next (1) or last (-1) row of those that `isStop`; undefined where there is none. */
export function jumped(init: {
  readonly state: Pick<State, 'logs'>;
  readonly view: PanelView;
  readonly step: 1 | -1;
  readonly isStop: (row: LogRow) => boolean;
  /** The row under the cursor counts too. */
  readonly fromHere?: boolean;
}): PanelView | undefined {
  const { state, view, step, isStop, fromHere = false } = init;
  const rows = logRows(state.logs, view);
  // A log that follows stands at its end, behind the newest line.
  const here = view.following && !fromHere ? rows.shown.length : cursorRow(rows, view);
  for (let i = here + (fromHere ? 0 : step); i >= 0 && i < rows.shown.length; i += step) {
    const row = rows.shown[i];
    if (row && isStop(row)) return at(view, row);
  }
  return undefined;
}

/** How many stops there are, and where the cursor stands among them. */
export function stopsOf(rows: LogRows, view: PanelView, isStop: (row: LogRow) => boolean): Stops {
  const cursor = view.following ? rows.shown.length : cursorRow(rows, view);
  let [before, after, isOn] = [0, 0, false];
  rows.shown.forEach((row, i) => {
    if (!isStop(row)) return;
    if (i < cursor) before++;
    else if (i > cursor) after++;
    else isOn = true;
  });
  return { count: before + after + (isOn ? 1 : 0), number: isOn ? before + 1 : undefined, before, after };
}

/** Whether a text is found in a line. */
export function finds(search: string): (row: LogRow) => boolean {
  return ({ line }) => matchesOf(line.text, search).length > 0;
}

function at(view: PanelView, { line }: LogRow): PanelView {
  return { ...view, following: false, log: { ...view.log, line, share: jumpShare } };
}
