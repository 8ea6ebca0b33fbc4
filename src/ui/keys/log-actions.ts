import type { Move } from '../move.ts';
import { finds, followed, jumped, looked, movedLog, stopsOf } from '../panels/log-moves.ts';
import { cursorRow, logRows, type LogRow } from '../panels/log-rows.ts';
import type { PanelView } from '../panels/panel.ts';
import type { KeyContext } from './context.ts';

/** Begins to type what is sought. */
export function search(context: KeyContext): void {
  const view = viewOf(context);
  context.dispatch({ type: 'finding', from: view });
  put(context, looked(view, { search: '' }));
}

/** What is sought changes: the nearest found line from where the search began, first below, then above. */
export function typed(context: KeyContext, change: (text: string) => string): void {
  const { ui, state } = context;
  const { finding } = ui;
  if (!finding) return;
  const text = change(viewOf(context).log?.search ?? '');
  const view = looked(finding, { search: text });
  const isStop = finds(text);
  const found =
    text === ''
      ? undefined
      : (jumped({ state, view, step: 1, isStop, fromHere: true }) ?? jumped({ state, view, step: -1, isStop }));
  put(context, found ?? view);
}

/** The search stays; an empty one is the last one, one further. */
export function keepFound(context: KeyContext): void {
  const { ui, dispatch } = context;
  const before = ui.finding?.log?.search ?? '';
  const isEmpty = (viewOf(context).log?.search ?? '') === '';
  dispatch({ type: 'finding', from: undefined });
  if (!isEmpty || before === '') return;
  const view = looked(viewOf(context), { search: before });
  put(context, view);
  go(context, view, { step: 1, what: `"${before}"`, isStop: finds(before), keys: ['n', 'N'] });
}

/** Everything as it was before the search. */
export function giveUpSearch({ ui, dispatch }: KeyContext): void {
  if (ui.finding) dispatch({ type: 'view', panel: 'log', view: looked(ui.finding, { search: undefined }) });
  dispatch({ type: 'finding', from: undefined });
}

/** There is something to go on with. */
export function hasSearch(context: KeyContext): true | string {
  return (viewOf(context).log?.search ?? '') !== '' || 'Nothing is sought in the log: / begins a search.';
}

/** The next found line (1), or the one before (-1). */
export function toFound(context: KeyContext, step: 1 | -1): void {
  const view = viewOf(context);
  const { search: text = '' } = view.log ?? {};
  go(context, view, { step, what: `"${text}"`, isStop: finds(text), keys: ['n', 'N'] });
}

/** The next error (1), or the one before (-1). */
export function toError(context: KeyContext, step: 1 | -1): void {
  go(context, viewOf(context), { step, what: 'error', isStop: ({ isError }) => isError, keys: ['e', 'E'] });
}

/** Some line of the log was printed by a rank that is known. */
export function hasRanks(context: KeyContext): true | string {
  return ranksOf(context).length > 0 || 'No line of the log says which rank printed it.';
}

/** All lines, those of one rank, of the next, and all again. */
export function nextRank(context: KeyContext): void {
  const view = viewOf(context);
  const ranks = ranksOf(context);
  const { rank } = view.log ?? {};
  const here = rowHere(context)?.head.rank;
  put(context, looked(view, { rank: rank === undefined ? (here ?? ranks[0]) : ranks.find((each) => each > rank) }));
}

/** There are several. */
export function hasLogs({ state }: KeyContext): true | string {
  return state.logs.size > 1 || 'There is one log only.';
}

/** All logs, one, the next, and all again. */
export function nextLog(context: KeyContext): void {
  const view = viewOf(context);
  const paths = [...context.state.logs.keys()];
  const { path } = view.log ?? {};
  const at = path === undefined ? undefined : paths.indexOf(path);
  const next = at === undefined || at < 0 ? (rowHere(context)?.path ?? paths[0]) : paths[at + 1];
  put(context, looked(view, { path: path === undefined || (at ?? -1) >= 0 ? next : undefined }));
}

/** Cuts lines, or wraps them. */
export function wrap(context: KeyContext): void {
  const view = viewOf(context);
  put(context, looked(view, { wraps: !view.log?.wraps, left: undefined }));
}

/** The newest line stays in view. */
export function follow(context: KeyContext): void {
  put(context, followed(viewOf(context)));
}

/** The cursor by rows, or to an end. */
export function move(context: KeyContext, by: Move): void {
  put(context, movedLog(context.state, viewOf(context), by));
}

/** Lines that are wrapped have nothing at their right. */
export function isCut(context: KeyContext): true | string {
  return !viewOf(context).log?.wraps || 'Long lines are wrapped: W cuts them.';
}

/** Half of the panel to the right (1) or left (-1). */
export function aside(context: KeyContext, step: 1 | -1): void {
  const view = viewOf(context);
  const { layout } = context;
  const width = layout?.panels.find(({ id }) => id === 'log')?.rect.width ?? 80;
  const left = Math.max(0, Math.min(mostLeft, (view.log?.left ?? 0) + step * Math.floor(width / 2)));
  put(context, looked(view, { left: left === 0 ? undefined : left }));
}

/** Longer lines are not kept (collectors/log/line.ts). */
const mostLeft = 2000;

/** There is a search, a rank or a log to go back from; a rank and a log only after the zoom. */
export function isNarrowed(context: KeyContext): boolean {
  const { search: text = '', rank, path } = viewOf(context).log ?? {};
  const isZoomed = context.layout?.zoomed !== undefined;
  return context.ui.notice === undefined && (text !== '' || (!isZoomed && (rank !== undefined || path !== undefined)));
}

/** Back from the search, then to the lines of all ranks and logs. */
export function leave(context: KeyContext): void {
  const view = viewOf(context);
  if (view.log?.search) put(context, looked(view, { search: undefined }));
  else put(context, looked(view, { rank: undefined, path: undefined }));
}

interface Going {
  readonly step: 1 | -1;
  readonly what: string;
  readonly isStop: (row: LogRow) => boolean;
  /** Next, and before. */
  readonly keys: readonly [string, string];
}

/** There, or a sentence that says where there is something. */
function go(context: KeyContext, view: PanelView, { step, what, isStop, keys }: Going): void {
  const { state, dispatch } = context;
  const next = jumped({ state, view, step, isStop });
  if (next) return put(context, next);
  const { count, before, after } = stopsOf(logRows(state.logs, view), view, isStop);
  const others = step === 1 ? before : after;
  const way = step === 1 ? 'below' : 'above';
  const other = step === 1 ? `${keys[1]} goes up` : `${keys[0]} goes down`;
  const text =
    count === 0
      ? `No ${what} in the lines that are shown.`
      : others === 0
        ? `No other ${what}: it is the only one.`
        : `No ${what} further ${way}: ${other}, to ${others} more.`;
  dispatch({ type: 'notice', notice: { text, tone: 'plain' } });
}

function rowHere(context: KeyContext): LogRow | undefined {
  const view = viewOf(context);
  const rows = logRows(context.state.logs, view);
  return rows.shown[cursorRow(rows, view)];
}

function ranksOf({ state }: KeyContext): readonly number[] {
  const ranks = [...state.logs.values()].flatMap(({ lines }) => lines.flatMap(({ rank }) => rank ?? []));
  return [...new Set(ranks)].sort((a, b) => a - b);
}

function viewOf({ ui }: KeyContext): PanelView {
  return ui.views.log;
}

function put({ dispatch }: KeyContext, view: PanelView): void {
  dispatch({ type: 'view', panel: 'log', view });
}
