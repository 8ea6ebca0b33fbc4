import type { SignalTarget } from '../model/signals.ts';
import type { State } from '../model/store.ts';
import type { BoxPlace } from './black-box/box-view.tsx';
import { to, type Move, type Step } from './move.ts';
import type { Tone } from './parts/line.ts';
import type { PanelId, PanelView } from './panels/panel.ts';
import { initialReading, reduceReading, type Reading, type ReadingAction } from './reading-state.ts';

export type { Move } from './move.ts';

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
  /** First row of why the headline says so. */
  readonly whyTop: number;
  /** Of the evidence that was taken by itself. */
  readonly box: BoxPlace;
  readonly reading: Reading;
  /** Beyond the last one: always the newest. */
  readonly eventCursor: number;
  /** The filter of this panel is being typed. */
  readonly filtering: PanelId | undefined;
  /** What is sought in the log is being typed: how the log was looked at before. */
  readonly finding: PanelView | undefined;
  readonly paused: { readonly at: number; readonly state: State } | undefined;
  readonly intervalMs: number;
  readonly notice: Notice | undefined;
  readonly signals: SignalsView;
  /** The alarm under the cursor of their list; absent: the first. */
  readonly alarmAt: string | undefined;
  /** Processes left stopped that the user was told of and leaves so. */
  readonly stopsSeen: ReadonlySet<string>;
}

/** What the user laid over the panels. */
export type Overlay = 'help' | 'picker' | 'captures' | 'stacks' | 'events' | 'signals' | 'why' | 'box' | 'alarms';

/** The menu of signals. */
export interface SignalsView {
  readonly pid: number | undefined;
  /** Absent until the host has answered. */
  readonly target?: SignalTarget;
  /** Why it is not known what signals do. */
  readonly failure?: string;
  readonly cursor: number;
}

/** A sentence in the footer's place, for some seconds or while something is under way. */
export interface Notice {
  readonly text: string;
  readonly tone: Tone;
  /** Something runs: a sign turns before the text, and it stays until the next notice. */
  readonly busy?: boolean;
}

/** All that the keys can do to the screen. */
export type UiAction =
  | { readonly type: 'focus'; readonly panel: PanelId }
  | { readonly type: 'zoom'; readonly panel: PanelId | undefined }
  | {
      readonly type: 'move';
      readonly panel: PanelId;
      readonly move: Move;
      readonly count: number;
    }
  | { readonly type: 'view'; readonly panel: PanelId; readonly view: PanelView }
  | { readonly type: 'finding'; readonly from: PanelView | undefined }
  | { readonly type: 'sort'; readonly panel: PanelId; readonly sorts: readonly string[] }
  | { readonly type: 'idle' }
  | { readonly type: 'logarithmic' }
  | { readonly type: 'grouping' }
  | { readonly type: 'toggled'; readonly key: string }
  | { readonly type: 'filter'; readonly panel: PanelId }
  | { readonly type: 'filterText'; readonly text: string }
  | { readonly type: 'filterKept' }
  | { readonly type: 'filterCleared'; readonly panel: PanelId }
  | { readonly type: 'paused'; readonly at: number; readonly state: State }
  | { readonly type: 'resumed' }
  | { readonly type: 'interval'; readonly ms: number }
  | { readonly type: 'notice'; readonly notice: Notice | undefined }
  | { readonly type: 'noticeOver'; readonly notice: Notice }
  | { readonly type: 'open'; readonly overlay: 'help' | 'picker' | 'why' }
  | { readonly type: 'box'; readonly place: BoxPlace }
  | { readonly type: 'events'; readonly cursor: number }
  | { readonly type: 'event'; readonly move: Move; readonly count: number }
  | { readonly type: 'alarms'; readonly at: string | undefined }
  | { readonly type: 'alarmAt'; readonly id: string | undefined }
  | { readonly type: 'close' }
  | { readonly type: 'signals'; readonly pid: number }
  | {
      readonly type: 'signalTarget';
      readonly pid: number;
      readonly found: SignalTarget | { readonly failure: string };
    }
  | { readonly type: 'signalRow'; readonly move: Move; readonly count: number }
  | { readonly type: 'stopSeen'; readonly key: string }
  | { readonly type: 'pick'; readonly move: Move; readonly count: number }
  | { readonly type: 'help'; readonly move: Move; readonly count: number }
  | { readonly type: 'why'; readonly move: Move; readonly count: number }
  | ReadingAction;

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
    whyTop: 0,
    box: { id: undefined, top: 0 },
    reading: initialReading,
    eventCursor: 0,
    filtering: undefined,
    finding: undefined,
    paused: undefined,
    intervalMs,
    notice: undefined,
    signals: { pid: undefined, cursor: 0 },
    alarmAt: undefined,
    stopsSeen: new Set(),
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
      return withView(ui, action.panel, (view) => moved(view, action));
    case 'view':
      return withView(ui, action.panel, () => action.view);
    case 'finding':
      return { ...ui, finding: action.from, notice: undefined };
    case 'sort':
      return withView(ui, action.panel, (view) => ({ ...view, sort: after(action.sorts, view.sort), cursor: 0 }));
    case 'idle':
      return withView(ui, 'threads', (view) => ({ ...view, showIdle: !view.showIdle }));
    case 'logarithmic':
      return withView(ui, 'throughput', (view) => ({ ...view, logarithmic: view.logarithmic !== true }));
    case 'grouping':
      return withView(ui, 'threads', (view) => ({ ...view, grouping: nextGrouping(view.grouping), cursor: 0 }));
    case 'toggled':
      return withView(ui, 'threads', (view) => ({ ...view, toggled: withToggled(view.toggled, action.key) }));
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
    case 'open':
      if (action.overlay === 'why') return { ...ui, overlay: 'why', whyTop: 0 };
      return action.overlay === 'help'
        ? { ...ui, overlay: 'help', helpTop: 0 }
        : { ...ui, overlay: 'picker', pickerCursor: 0, pickerLeft: false };
    case 'box':
      return { ...ui, overlay: 'box', box: action.place };
    case 'events':
      return { ...ui, overlay: 'events', eventCursor: action.cursor };
    case 'event':
      return { ...ui, eventCursor: to(ui.eventCursor, action) };
    case 'alarms':
      return { ...ui, overlay: 'alarms', alarmAt: action.at };
    case 'alarmAt':
      return { ...ui, alarmAt: action.id };
    case 'close':
      return { ...ui, overlay: undefined, pickerLeft: true };
    case 'signals':
      return { ...ui, overlay: 'signals', signals: { pid: action.pid, cursor: 0 } };
    case 'signalTarget': {
      // The menu may be another process's by now.
      if (ui.signals.pid !== action.pid) return ui;
      const { pid, cursor } = ui.signals;
      const found = 'failure' in action.found ? { failure: action.found.failure } : { target: action.found };
      return { ...ui, signals: { pid, cursor, ...found } };
    }
    case 'signalRow':
      return { ...ui, signals: { ...ui.signals, cursor: to(ui.signals.cursor, action) } };
    case 'stopSeen':
      return { ...ui, stopsSeen: new Set([...ui.stopsSeen, action.key].slice(-100)) };
    case 'pick':
      return { ...ui, pickerCursor: to(ui.pickerCursor, action) };
    case 'help':
      return { ...ui, helpTop: to(ui.helpTop, action) };
    case 'why':
      return { ...ui, whyTop: to(ui.whyTop, action) };
    default:
      return read(ui, action);
  }
}

/** What lies over the screen follows from what is read. */
function read(ui: UiState, action: ReadingAction): UiState {
  const reading = reduceReading(ui.reading, action);
  if (reading === ui.reading) return ui;
  const next = { ...ui, reading };
  if (action.type === 'captures') return { ...next, overlay: 'captures' };
  if (action.type === 'read') return { ...next, overlay: 'stacks' };
  // Who went elsewhere meanwhile stays there: the line below tells that it is over. Why is where one asks for it.
  if (action.type !== 'captureOver') return next;
  if (ui.overlay !== undefined && ui.overlay !== 'stacks' && ui.overlay !== 'why')
    return { ...ui, reading: { ...ui.reading, awaited: undefined } };
  return { ...next, overlay: 'stacks', notice: undefined };
}

function nextGrouping(grouping: PanelView['grouping']): PanelView['grouping'] {
  return grouping === undefined ? 'role' : grouping === 'role' ? 'process' : undefined;
}

/** A run that makes processes all the time leaves no trace of all of them. */
const mostToggled = 200;

function withToggled(toggled: PanelView['toggled'], key: string): PanelView['toggled'] {
  const next = new Set(toggled);
  if (!next.delete(key)) next.add(key);
  for (const oldest of next) {
    if (next.size <= mostToggled) break;
    next.delete(oldest);
  }
  return next;
}

function withView(ui: UiState, panel: PanelId, change: (view: PanelView) => PanelView): UiState {
  const view = change(ui.views[panel]);
  return view === ui.views[panel] ? ui : { ...ui, views: { ...ui.views, [panel]: view } };
}

function moved(view: PanelView, step: Step): PanelView {
  const cursor = to(view.cursor, step);
  return cursor === view.cursor ? view : { ...view, cursor };
}

function after(sorts: readonly string[], sort: string | undefined): string | undefined {
  const at = sort === undefined ? 0 : sorts.indexOf(sort);
  return sorts[(at + 1) % sorts.length];
}
