import type { State } from '../model/store.ts';
import type { Tone } from './parts/line.ts';
import type { PanelId, PanelView } from './panels/panel.ts';

/** What the user has done to the screen. Data is in the store; this is everything else. */
export interface UiState {
  readonly focused: PanelId;
  readonly zoomed: PanelId | undefined;
  readonly views: Readonly<Record<PanelId, PanelView>>;
  readonly overlay: Overlay | undefined;
  /** The picker comes by itself when there is a choice; not again after it was left. */
  readonly pickerLeft: boolean;
  readonly pickerCursor: number;
  /** First row of the help. */
  readonly helpTop: number;
  readonly stacks: StacksView;
  /** Beyond the last one: always the newest. */
  readonly eventCursor: number;
  /** The filter of this panel is being typed. */
  readonly filtering: PanelId | undefined;
  readonly paused: { readonly at: number; readonly state: State } | undefined;
  readonly intervalMs: number;
  readonly notice: Notice | undefined;
  /** A dump of this process is under way. */
  readonly dumping: number | undefined;
}

/** What the user laid over the panels. */
export type Overlay = 'help' | 'picker' | 'stacks' | 'events';

/** How the user looks at a dump. */
export interface StacksView {
  readonly pid: number | undefined;
  /** Row of the chosen thread. */
  readonly thread: number;
  /** First frame that is shown. */
  readonly top: number;
}

/** A sentence in the footer's place, for some seconds or while something is under way. */
export interface Notice {
  readonly text: string;
  readonly tone: Tone;
  /** Something runs: a sign turns before the text, and it stays until the next notice. */
  readonly busy?: boolean;
}

/** Where a cursor goes: by rows, or to an end. */
export type Move = number | 'first' | 'last';

/** All that the keys can do to the screen. */
export type UiAction =
  | { readonly type: 'focus'; readonly panel: PanelId }
  | { readonly type: 'zoom'; readonly panel: PanelId | undefined }
  | {
      readonly type: 'move';
      readonly panel: PanelId;
      readonly move: Move;
      readonly count: number;
      readonly from?: number;
    }
  | { readonly type: 'sort'; readonly panel: PanelId; readonly sorts: readonly string[] }
  | { readonly type: 'idle' }
  | { readonly type: 'filter'; readonly panel: PanelId }
  | { readonly type: 'filterText'; readonly text: string }
  | { readonly type: 'filterKept' }
  | { readonly type: 'filterCleared'; readonly panel: PanelId }
  | { readonly type: 'paused'; readonly at: number; readonly state: State }
  | { readonly type: 'resumed' }
  | { readonly type: 'interval'; readonly ms: number }
  | { readonly type: 'notice'; readonly notice: Notice | undefined }
  | { readonly type: 'noticeOver'; readonly notice: Notice }
  | { readonly type: 'dumping'; readonly pid: number }
  | { readonly type: 'dumped'; readonly pid: number }
  | { readonly type: 'open'; readonly overlay: Exclude<Overlay, 'events'>; readonly pid?: number }
  | { readonly type: 'events'; readonly cursor: number }
  | { readonly type: 'event'; readonly move: Move; readonly count: number }
  | { readonly type: 'close' }
  | { readonly type: 'pick'; readonly move: Move; readonly count: number }
  | { readonly type: 'help'; readonly move: Move; readonly count: number }
  | { readonly type: 'stackThread'; readonly move: Move; readonly count: number }
  | { readonly type: 'stackScroll'; readonly move: Move; readonly count: number };

/** The screen as it starts: threads in focus, the logs following. In a recording no picker of runs comes by itself. */
export function initialUi(intervalMs: number, isReplay = false): UiState {
  const view: PanelView = { cursor: 0, filter: '', sort: undefined, showIdle: false, following: false };
  return {
    focused: 'threads',
    zoomed: undefined,
    views: {
      gpus: view,
      throughput: view,
      queues: view,
      threads: view,
      log: { ...view, following: true },
      host: view,
    },
    overlay: undefined,
    pickerLeft: isReplay,
    pickerCursor: 0,
    helpTop: 0,
    stacks: { pid: undefined, thread: 0, top: 0 },
    eventCursor: 0,
    filtering: undefined,
    paused: undefined,
    intervalMs,
    notice: undefined,
    dumping: undefined,
  };
}

/** The next state; the same object when nothing changes, so that nothing is drawn. */
export function reduceUi(ui: UiState, action: UiAction): UiState {
  switch (action.type) {
    case 'focus':
      return { ...ui, focused: action.panel, ...(ui.zoomed !== undefined && { zoomed: action.panel }) };
    case 'zoom':
      return { ...ui, zoomed: action.panel, ...(action.panel !== undefined && { focused: action.panel }) };
    case 'move':
      return withView(ui, action.panel, (view) => moved(view, action, action.panel === 'log'));
    case 'sort':
      return withView(ui, action.panel, (view) => ({ ...view, sort: after(action.sorts, view.sort), cursor: 0 }));
    case 'idle':
      return withView(ui, 'threads', (view) => ({ ...view, showIdle: !view.showIdle }));
    case 'filter':
      return { ...ui, filtering: action.panel, notice: undefined };
    case 'filterText':
      if (!ui.filtering) return ui;
      return withView(ui, ui.filtering, (view) => ({ ...view, filter: action.text, cursor: 0 }));
    case 'filterKept':
      return { ...ui, filtering: undefined };
    case 'filterCleared':
      return withView({ ...ui, filtering: undefined }, action.panel, (view) => ({ ...view, filter: '', cursor: 0 }));
    case 'paused':
      return { ...ui, paused: { at: action.at, state: action.state } };
    case 'resumed':
      return { ...ui, paused: undefined };
    case 'interval':
      return { ...ui, intervalMs: action.ms };
    case 'notice':
      return { ...ui, notice: action.notice };
    case 'noticeOver':
      return ui.notice === action.notice ? { ...ui, notice: undefined } : ui;
    case 'dumping':
      return { ...ui, dumping: action.pid };
    case 'dumped':
      return ui.dumping === action.pid
        ? opened({ ...ui, dumping: undefined, notice: undefined }, 'stacks', action.pid)
        : ui;
    case 'open':
      return opened(ui, action.overlay, action.pid);
    case 'events':
      return { ...ui, overlay: 'events', eventCursor: action.cursor };
    case 'event':
      return { ...ui, eventCursor: to(ui.eventCursor, action) };
    case 'close':
      return { ...ui, overlay: undefined, pickerLeft: true };
    case 'pick':
      return { ...ui, pickerCursor: to(ui.pickerCursor, action) };
    case 'help':
      return { ...ui, helpTop: to(ui.helpTop, action) };
    case 'stackThread':
      return { ...ui, stacks: { ...ui.stacks, thread: to(ui.stacks.thread, action), top: 0 } };
    case 'stackScroll':
      return { ...ui, stacks: { ...ui.stacks, top: to(ui.stacks.top, action) } };
  }
}

function opened(ui: UiState, overlay: Overlay, pid: number | undefined): UiState {
  if (overlay === 'help') return { ...ui, overlay, helpTop: 0 };
  if (overlay === 'picker') return { ...ui, overlay, pickerCursor: 0, pickerLeft: false };
  // The same process again keeps the chosen thread: one looks at the same stack a second later.
  const same = pid === undefined || pid === ui.stacks.pid;
  return { ...ui, overlay, stacks: same ? { ...ui.stacks, top: 0 } : { pid, thread: 0, top: 0 } };
}

function withView(ui: UiState, panel: PanelId, change: (view: PanelView) => PanelView): UiState {
  const view = change(ui.views[panel]);
  return view === ui.views[panel] ? ui : { ...ui, views: { ...ui.views, [panel]: view } };
}

interface Step {
  readonly move: Move;
  readonly count: number;
  /** The first row that is still there (0). */
  readonly from?: number;
}

function moved(view: PanelView, step: Step, follows: boolean): PanelView {
  const last = Math.max(0, step.count - 1);
  const cursor = to(view.following ? last : view.cursor, step);
  const following = follows && cursor >= last;
  const next = following ? 0 : cursor;
  return next === view.cursor && following === view.following ? view : { ...view, cursor: next, following };
}

function to(cursor: number, { move, count, from = 0 }: Step): number {
  const last = Math.max(from, count - 1);
  if (move === 'first') return from;
  if (move === 'last') return last;
  // Rows may have gone since the cursor was put there.
  return Math.min(last, Math.max(from, Math.min(Math.max(cursor, from), last) + move));
}

function after(sorts: readonly string[], sort: string | undefined): string | undefined {
  const at = sort === undefined ? 0 : sorts.indexOf(sort);
  return sorts[(at + 1) % sorts.length];
}
