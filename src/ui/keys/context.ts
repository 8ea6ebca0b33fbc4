import type { State } from '../../model/store.ts';
import type { Controls, HandOver } from '../controls.ts';
import type { Layout } from '../layout.ts';
import type { Question, Questions } from '../overlays/questions.ts';
import type { Panel, PanelId } from '../panels/panel.ts';
import { notNow } from '../past.ts';
import type { UiAction, UiState } from '../ui-state.ts';

/** What the keys mean depends on what is on top of the screen. */
export type Mode =
  | 'main'
  | 'filter'
  | 'help'
  | 'picker'
  | 'captures'
  | 'stacks'
  | 'flame'
  | 'search'
  | 'find'
  | 'events'
  | 'signals'
  | 'why'
  | 'box'
  | 'alarms'
  | 'question'
  | 'form';

/** Everything a key can look at and do. */
export interface KeyContext {
  readonly ui: UiState;
  readonly dispatch: (action: UiAction) => void;
  /** What is shown: the frozen state while paused. */
  readonly state: State;
  readonly layout: Layout | undefined;
  readonly panels: readonly Panel[];
  readonly controls: Controls;
  /** The one on the screen, of those that it is from. */
  readonly question: Question | undefined;
  readonly questions: Questions;
  /** The screen's own: to ask for a time or a note. */
  readonly ownQuestions: Questions;
  /** How many of the help's rows can be at its top. */
  readonly helpStarts: number;
  /** The same of why the headline says so. */
  readonly whyStarts: number;
  readonly exit: () => void;
  readonly handOver: HandOver;
}

/** The key that was pressed: its name as in the key map (`Shift-Tab`, `PgUp`, `j`), and the text it types. */
export interface Press {
  readonly key: string;
  readonly text: string;
}

/** Headings of the help and of docs/keys.md. */
export type Group =
  | 'General'
  | 'Verdict'
  | 'Panels'
  | 'Rows'
  | 'Log'
  | 'Stacks'
  | 'Signals'
  | 'Alarms'
  | 'Recording'
  | 'Captures'
  | 'Evidence'
  | 'Stacks view'
  | 'Flame'
  | 'Search'
  | 'Events'
  | 'Filter'
  | 'Runs'
  | 'Help'
  | 'Questions';

/** When a key of the footer is of use there: `live` and `replay` as the screen is, of a run or of a recording; `past`: of a moment before now. */
export type FooterWhen = 'zoomed' | 'link down' | 'live' | 'has past' | 'replay' | 'past' | 'playing';

/** One entry of the key map: dispatch, footer, help and the docs come from it. */
export interface KeyEntry {
  readonly id: string;
  /** Key names; `text` stands for every key that types a character and has no entry of its own. */
  readonly keys: readonly string[];
  readonly modes: readonly Mode[];
  /** Only while this panel has the focus: it comes before an entry for all panels. */
  readonly panel?: PanelId;
  /** Of an entry for a panel: else the key means what it means everywhere. */
  readonly applies?: (context: KeyContext) => boolean;
  readonly group: Group;
  /** What it does, as a phrase for help and docs. */
  readonly text: string;
  /** In the footer: a word, and its rank (the lowest stays longest in a narrow footer); `when`: only then; `keys`: for a pair; `instead`: another word then. */
  readonly footer?: {
    readonly label: string;
    readonly instead?: { readonly when: FooterWhen; readonly label: string };
    readonly rank: number;
    readonly when?: FooterWhen;
    readonly keys?: readonly string[];
  };
  /** It does something on the host that can slow the run or change it. */
  readonly dangerous?: boolean;
  /** It stops the run's processes or changes them: with --read-only there is no such key. */
  readonly touches?: true;
  /** true, or a sentence that says why not. */
  readonly enabled?: (context: KeyContext) => true | string;
  readonly run: (context: KeyContext, press: Press) => void;
}

/** What is on top of the screen. */
export function modeOf({
  ui,
  state,
  question,
  controls,
}: Pick<KeyContext, 'ui' | 'state' | 'question' | 'controls'>): Mode {
  if (question) return question.kind === 'form' ? 'form' : 'question';
  if (ui.filtering) return 'filter';
  if (ui.finding) return 'find';
  if (ui.overlay === 'stacks')
    return ui.reading.searching ? 'search' : ui.reading.view === 'flame' ? 'flame' : 'stacks';
  if (ui.overlay) return ui.overlay;
  // Of the past nothing is chosen.
  return state.run?.phase === 'choosing' && !ui.pickerLeft && !controls.tape ? 'picker' : 'main';
}

/** The panel that the keys go to. */
export function focusedPanel({ ui, panels, layout }: KeyContext): Panel | undefined {
  const id: PanelId = layout?.zoomed ?? ui.focused;
  return panels.find((panel) => panel.id === id);
}

/** Rows that its cursor moves over; 0 when it has no cursor. */
export function rowCount(context: KeyContext, panel: Panel | undefined): number {
  if (!panel?.rowCount) return 0;
  return panel.rowCount(context.state, context.ui.views[panel.id], context.controls);
}

/** Rows of a page: what is inside of the focused panel's frame, less its heading and one row to read on from. */
export function pageRows({ layout, ui }: KeyContext): number {
  const rect = layout?.panels.find(({ id }) => id === (layout.zoomed ?? ui.focused))?.rect;
  return Math.max(1, (rect?.height ?? 5) - 4);
}

/** The process that actions are for: under the cursor of the focused panel, else of the threads, else the run's root. */
export function selectedPid(context: KeyContext): number | undefined {
  const { panels, state, ui, controls } = context;
  for (const panel of [focusedPanel(context), panels.find(({ id }) => id === 'threads')]) {
    const selected = panel?.selected?.(state, ui.views[panel.id], controls);
    if (selected) return selected.pid;
  }
  return state.run?.run?.rootPid;
}

/** What needs the host that is watched: a recording has none behind it, a moment of the past is not the host's now; both say so. */
export function liveOnly(
  enabled: (context: KeyContext) => true | string,
  why = 'This is a recording: there is no host behind it.',
): (context: KeyContext) => true | string {
  return (context) => {
    const { tape, past } = context.controls;
    if (!tape) return enabled(context);
    return past ? notNow(tape) : why;
  };
}
