import type { OpenedCapture, SavedCapture } from '../model/saved-capture.ts';
import type { FlameNode, FrameOrder } from '../model/stacks/flame.ts';
import type { Grouping } from '../model/stacks/group.ts';
import { to, type Move } from './move.ts';

/** How the user reads captures. */
export interface Reading {
  /** The one that is read: its id. */
  readonly capture: string | undefined;
  /** Its folder, when it is one that was saved and is in no State. */
  readonly saved: OpenedCapture | undefined;
  readonly view: ReadingView;
  /** Chosen by the user; absent: what suits the capture. */
  readonly by: Grouping | undefined;
  readonly order: FrameOrder;
  readonly search: string;
  readonly searching: boolean;
  /** Row under the cursor. */
  readonly cursor: number;
  /** First frame that is shown. */
  readonly top: number;
  readonly flame: FlamePlace;
  /** Row of the list of captures. */
  readonly listCursor: number;
  /** What is saved on this machine, as of the last look; absent: not looked at yet. */
  readonly list: readonly SavedCapture[] | undefined;
  /** To compare others with. */
  readonly marked: MarkedCapture | undefined;
  /** Esc goes back to the list of captures. */
  readonly fromList: boolean;
  /** A dump that is opened when it is over, unless the user went elsewhere. */
  readonly awaited: string | undefined;
  /** The newest capture whose end the user has seen. */
  readonly seen: ReadonlySet<string>;
}

/** What of a capture is shown. */
export type ReadingView = 'stacks' | 'flame' | 'difference' | 'gil';

/** Where one is in a flame; absent: at its root. */
export interface FlamePlace {
  readonly zoom?: FlameNode;
  readonly at?: FlameNode;
}

/** One half of a difference. */
export interface MarkedCapture {
  readonly id: string;
  readonly saved: OpenedCapture | undefined;
}

/** What keys do to the reading of captures. */
export type ReadingAction =
  | { readonly type: 'awaited'; readonly id: string }
  | { readonly type: 'captureOver'; readonly id: string }
  | { readonly type: 'read'; readonly id: string; readonly saved?: OpenedCapture; readonly fromList?: boolean }
  | { readonly type: 'captureSeen'; readonly id: string }
  | { readonly type: 'captures' }
  | { readonly type: 'captureList'; readonly list: readonly SavedCapture[] }
  | { readonly type: 'captureRow'; readonly move: Move; readonly count: number }
  | { readonly type: 'markCapture'; readonly marked: MarkedCapture | undefined }
  | { readonly type: 'readingView'; readonly view: ReadingView }
  | { readonly type: 'groupBy'; readonly by: Grouping }
  | { readonly type: 'turn' }
  | { readonly type: 'searching'; readonly on: boolean }
  | { readonly type: 'search'; readonly text: string }
  | { readonly type: 'stackRow'; readonly move: Move; readonly count: number }
  | { readonly type: 'stackScroll'; readonly move: Move; readonly count: number }
  | { readonly type: 'flame'; readonly place: FlamePlace };

/** Nothing is read yet. */
export const initialReading: Reading = {
  capture: undefined,
  saved: undefined,
  view: 'stacks',
  by: undefined,
  order: 'innermost',
  search: '',
  searching: false,
  cursor: 0,
  top: 0,
  flame: {},
  listCursor: 0,
  list: undefined,
  marked: undefined,
  fromList: false,
  awaited: undefined,
  seen: new Set(),
};

/** The next state of it. What lies over the screen is in UiState. */
export function reduceReading(reading: Reading, action: ReadingAction): Reading {
  switch (action.type) {
    case 'awaited':
      return { ...reading, awaited: action.id };
    case 'captureOver':
      if (reading.awaited !== action.id) return reading;
      return { ...opened(reading, action.id), fromList: false, awaited: undefined };
    case 'read':
      return { ...opened(reading, action.id, action.saved), fromList: action.fromList ?? false };
    case 'captureSeen':
      return { ...reading, seen: seen(reading, action.id) };
    case 'captures':
      return { ...reading, listCursor: 0, searching: false };
    case 'captureList':
      return { ...reading, list: action.list };
    case 'captureRow':
      return { ...reading, listCursor: to(reading.listCursor, action) };
    case 'markCapture':
      return { ...reading, marked: action.marked };
    case 'readingView':
      return { ...reading, view: action.view, cursor: 0, top: 0, flame: {} };
    case 'groupBy':
      return { ...reading, by: action.by, cursor: 0, top: 0 };
    case 'turn':
      return { ...reading, order: reading.order === 'innermost' ? 'outermost' : 'innermost', top: 0, flame: {} };
    case 'searching':
      return { ...reading, searching: action.on };
    case 'search':
      return { ...reading, search: action.text, cursor: 0, top: 0, flame: {} };
    case 'stackRow':
      return { ...reading, cursor: to(reading.cursor, action), top: 0 };
    case 'stackScroll':
      return { ...reading, top: to(reading.top, action) };
    case 'flame':
      return { ...reading, flame: action.place };
  }
}

/** Another capture begins at its top; what the user chose of the view stays. */
function opened(reading: Reading, id: string, saved?: OpenedCapture): Reading {
  const view = reading.view === 'difference' ? 'stacks' : reading.view;
  return {
    ...reading,
    capture: id,
    saved,
    view,
    top: 0,
    flame: {},
    search: '',
    searching: false,
    cursor: reading.capture === id ? reading.cursor : 0,
    seen: seen(reading, id),
  };
}

/** As many as a State has captures. */
const mostSeen = 50;

function seen({ seen }: Reading, id: string): ReadonlySet<string> {
  return new Set([...seen, id].slice(-mostSeen));
}
