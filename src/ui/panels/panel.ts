import type { ReactElement } from 'react';
import type { History } from '../../model/history.ts';
import type { State } from '../../model/store.ts';
import type { ThreadGrouping } from '../../model/thread-rows.ts';
import type { Controls } from '../controls.ts';
import type { Move } from '../move.ts';
import type { Line } from '../parts/line.ts';
import type { LogLook } from './log-look.ts';

/** A box of the screen. A new panel is one file beside this and one line in index.ts. */
export interface Panel {
  readonly id: PanelId;
  /** The digit that focuses it. */
  readonly digit: string;
  readonly title: string;
  readonly Component: (props: PanelProps) => ReactElement;
  /** Names of the sort orders, the default first; absent = it is not sorted. */
  readonly sorts?: readonly string[];
  /** How many rows its cursor moves over (filter and idle folding applied); absent = it has no cursor. */
  readonly rowCount?: (state: State, view: PanelView, controls: Controls) => number;
  /** The view after a step of its cursor, where that is no number of a row (a log); absent = `cursor` counts the rows. */
  readonly moved?: (state: State, view: PanelView, move: Move) => PanelView;
  /** The group under the cursor, to open or close; undefined: there is none. */
  readonly groupKey?: (state: State, view: PanelView, controls: Controls) => string | undefined;
  /** `/` filters its rows; absent = it does when it has a cursor. */
  readonly filters?: boolean;
  /** The process and thread under the cursor, for actions. */
  readonly selected?: (
    state: State,
    view: PanelView,
    controls: Controls,
  ) => { readonly pid: number; readonly tid?: number } | undefined;
}

/** Every panel's id: a new panel adds its own. */
export type PanelId = 'gpus' | 'throughput' | 'queues' | 'threads' | 'log' | 'host';

/** How the user looks at a panel. */
export interface PanelView {
  /** Row under the cursor, from 0 at the top. May be past the end when rows have gone: clamp it. */
  readonly cursor: number;
  readonly filter: string;
  readonly sort: string | undefined;
  readonly showIdle: boolean;
  /** The throughput: loss and gradient norm are drawn by their logarithm. */
  readonly logarithmic?: boolean;
  /** The threads: what their rows are grouped by; absent: nothing. */
  readonly grouping?: ThreadGrouping | undefined;
  /** Keys of groups that the user opened or closed. */
  readonly toggled?: ReadonlySet<string> | undefined;
  /** A log: the newest line stays in view and is the one under the cursor. */
  readonly following: boolean;
  /** A log: how the user looks at it beside that; `cursor` says nothing there. */
  readonly log?: LogLook;
}

/** What the screen gives each panel. */
export interface PanelProps {
  readonly controls: Controls;
  readonly view: PanelView;
  /** Set while the screen is paused: shown instead of the store's state. */
  readonly frozen: State | undefined;
  /** Outer size in cells, borders included. */
  readonly width: number;
  readonly height: number;
  readonly focused: boolean;
  /** The pace now, when the user changed it; absent = controls.intervalMs. */
  readonly intervalMs?: number;
}

/** What a panel draws inside its frame: at most `innerSize` (parts/frame.tsx) of lines and cells. */
export interface PanelBody {
  readonly lines: readonly Line[];
  /** On the right of the upper edge; the frame leaves it out where it does not fit. */
  readonly note?: Line;
  /** The values are old, though their source lives. */
  readonly dimmed?: boolean;
  /** That of its lines which is never dimmed: it is of another source. */
  readonly upright?: Line;
}

/** What a panel's pure part draws from. `width` and `height` are the inside of the frame. */
export interface PanelInput {
  readonly state: State;
  readonly history: History;
  readonly view: PanelView;
  readonly width: number;
  readonly height: number;
  readonly focused: boolean;
  /** The pace of the collectors: the length of a graph's slot. */
  readonly intervalMs: number;
}
