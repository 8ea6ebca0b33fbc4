import type { Group, KeyContext, KeyEntry, Mode } from './context.ts';
import { liveOnly } from './context.ts';
import { takeDump } from './capture-asks.ts';
import * as reading from './reading-actions.ts';
import { captureRows } from '../captures/select.ts';
import { readingRows } from '../captures/rows.ts';
import { bodyLength } from '../captures/detail.ts';
import type { FlameStep } from '../../model/stacks/flame-walk.ts';
import type { Move } from '../ui-state.ts';

const reader: readonly Mode[] = ['stacks', 'flame'];

/** Keys of the list of captures, of the stacks of one, and of its flame. */
export const readingKeys: readonly KeyEntry[] = [
  ...cursor('captures', 'Captures', (context, move) => {
    const count = captureRows(context.controls.store.getState(), context.ui.reading).length;
    context.dispatch({ type: 'captureRow', move, count });
  }),
  {
    id: 'readCapture',
    keys: ['Enter'],
    modes: ['captures'],
    group: 'Captures',
    text: 'read the capture under the cursor',
    footer: { label: 'read it', rank: 2 },
    enabled: (context) => reading.rowUnderCursor(context) !== undefined || 'There is no capture to read.',
    run: reading.readRow,
  },
  {
    id: 'leaveStacks',
    keys: ['Esc', 'q'],
    modes: ['stacks'],
    group: 'Stacks view',
    text: 'back: from a search, from GIL or difference, to the list or the screen',
    footer: { label: 'back', rank: 1 },
    run: ({ ui, dispatch }) => {
      const { search, view, fromList } = ui.reading;
      if (search !== '') dispatch({ type: 'search', text: '' });
      else if (view !== 'stacks') dispatch({ type: 'readingView', view: 'stacks' });
      else dispatch(fromList ? { type: 'captures' } : { type: 'close' });
    },
  },
  ...cursor('stacks', 'Stacks view', reading.moveRow),
  {
    id: 'stackUp',
    keys: ['PgUp'],
    modes: ['stacks'],
    group: 'Stacks view',
    text: 'the stack beside: up',
    run: (context) => scroll(context, -10),
  },
  {
    id: 'stackDown',
    keys: ['PgDn'],
    modes: ['stacks'],
    group: 'Stacks view',
    text: 'the stack beside: down',
    footer: { label: 'scroll', rank: 12 },
    run: (context) => scroll(context, 10),
  },
  {
    id: 'groupBy',
    keys: ['b'],
    modes: ['stacks'],
    group: 'Stacks view',
    text: 'by role, by thread, by process',
    footer: { label: 'group', rank: 4 },
    run: reading.groupNext,
  },
  {
    id: 'flame',
    keys: ['f'],
    modes: ['stacks'],
    group: 'Stacks view',
    text: 'the flame of it, for arrows and Enter',
    footer: { label: 'flame', rank: 3 },
    run: ({ dispatch }) => dispatch({ type: 'readingView', view: 'flame' }),
  },
  {
    id: 'gilView',
    keys: ['i'],
    modes: ['stacks'],
    group: 'Stacks view',
    text: 'who held the GIL, for what part of the time; and back',
    footer: { label: 'GIL', rank: 7 },
    enabled: (context) => {
      const isTold = reading.readNow(context)?.folded.stacks.some(({ gil }) => gil !== undefined);
      return isTold || 'py-spy did not tell who held the GIL in this capture: a dump, many dumps (m) and G do.';
    },
    run: ({ ui, dispatch }) => dispatch({ type: 'readingView', view: ui.reading.view === 'gil' ? 'stacks' : 'gil' }),
  },
  {
    id: 'turnStacks',
    keys: ['t'],
    modes: reader,
    group: 'Stacks view',
    text: 'turn it over: innermost or outermost frame first',
    footer: { label: 'turn', rank: 5 },
    run: ({ dispatch }) => dispatch({ type: 'turn' }),
  },
  {
    id: 'searchStacks',
    keys: ['/'],
    modes: ['stacks'],
    group: 'Stacks view',
    text: 'only stacks in which a text is found: in a function, file, thread, role or class',
    footer: { label: 'search', rank: 6 },
    run: ({ dispatch }) => dispatch({ type: 'searching', on: true }),
  },
  {
    id: 'compareStacks',
    keys: ['='],
    modes: reader,
    group: 'Stacks view',
    text: 'remember this capture; on another one: what differs between the two',
    footer: { label: 'compare', rank: 8 },
    run: reading.compare,
  },
  {
    id: 'pageStacks',
    keys: ['o'],
    modes: reader,
    group: 'Stacks view',
    text: 'as text in $PAGER',
    footer: { label: 'pager', rank: 9 },
    enabled: canUseFiles,
    run: reading.page,
  },
  {
    id: 'copyPath',
    keys: ['y'],
    modes: reader,
    group: 'Stacks view',
    text: 'copy its path to the clipboard (tmux, or OSC 52)',
    footer: { label: 'copy path', rank: 10 },
    enabled: canUseFiles,
    run: reading.copyPath,
  },
  {
    id: 'exportStacks',
    keys: ['e'],
    modes: reader,
    group: 'Stacks view',
    text: 'write Markdown for an issue report beside it',
    footer: { label: 'export', rank: 11 },
    enabled: canUseFiles,
    run: reading.exportMarkdown,
  },
  {
    id: 'dumpAgain',
    keys: ['d'],
    modes: ['stacks'],
    group: 'Stacks view',
    text: 'dump the same process again',
    footer: { label: 'dump again', rank: 13, when: 'live' },
    dangerous: true,
    enabled: liveOnly(({ controls }) => {
      return controls.store.getState().link?.state === 'up' || 'There is no connection to the host now.';
    }),
    run: (context) => takeDump(context, reading.readNow(context)?.capture.pids),
  },
  {
    id: 'listCaptures',
    keys: ['S'],
    modes: reader,
    group: 'Stacks view',
    text: 'the list of captures',
    footer: { label: 'captures', rank: 14 },
    run: reading.openList,
  },
  ...(['Up', 'Down', 'Left', 'Right'] as const).map((key): KeyEntry => ({
    id: `flame${key}`,
    keys: [key, { Up: 'k', Down: 'j', Left: 'h', Right: 'l' }[key]],
    modes: ['flame'],
    group: 'Flame',
    text: { Up: 'the caller', Down: 'the widest that is called', Left: 'the one before', Right: 'the next one' }[key],
    ...(key === 'Up' && { footer: { label: 'move', rank: 2, keys: ['←', 'Up', 'Down', '→'] } }),
    run: (context) => reading.moveFlame(context, key.toLowerCase() as FlameStep),
  })),
  {
    id: 'flameZoom',
    keys: ['Enter'],
    modes: ['flame'],
    group: 'Flame',
    text: 'the whole width for it',
    footer: { label: 'zoom', rank: 3 },
    run: reading.zoomFlame,
  },
  {
    id: 'flameOut',
    keys: ['Esc'],
    modes: ['flame'],
    group: 'Flame',
    text: 'out by one; from the root back to the stacks',
    footer: { label: 'out', rank: 1 },
    run: reading.leaveFlame,
  },
  {
    id: 'flameLeave',
    keys: ['q', 'f'],
    modes: ['flame'],
    group: 'Flame',
    text: 'back to the stacks',
    footer: { label: 'stacks', rank: 4 },
    run: ({ dispatch }) => dispatch({ type: 'readingView', view: 'stacks' }),
  },
  {
    id: 'searchKeep',
    keys: ['Enter'],
    modes: ['search'],
    group: 'Search',
    text: 'keep the search',
    footer: { label: 'keep', rank: 1 },
    run: ({ dispatch }) => dispatch({ type: 'searching', on: false }),
  },
  {
    id: 'searchClear',
    keys: ['Esc'],
    modes: ['search'],
    group: 'Search',
    text: 'clear the search',
    footer: { label: 'clear', rank: 2 },
    run: ({ dispatch }) => {
      dispatch({ type: 'search', text: '' });
      dispatch({ type: 'searching', on: false });
    },
  },
  {
    id: 'searchErase',
    keys: ['Backspace'],
    modes: ['search'],
    group: 'Search',
    text: 'take the last character away',
    run: ({ ui, dispatch }) => dispatch({ type: 'search', text: [...ui.reading.search].slice(0, -1).join('') }),
  },
  {
    id: 'searchType',
    keys: ['text'],
    modes: ['search'],
    group: 'Search',
    text: 'type what is sought',
    run: ({ ui, dispatch }, { text }) => dispatch({ type: 'search', text: (ui.reading.search + text).slice(0, 200) }),
  },
];

function cursor(mode: Mode, group: Group, run: (context: KeyContext, move: Move) => void): readonly KeyEntry[] {
  const entry = (name: string, keys: readonly string[], text: string, move: Move): KeyEntry => ({
    id: `${mode}${name}`,
    keys,
    modes: [mode],
    group,
    text,
    ...(name === 'Down' && { footer: { label: 'move', rank: mode === 'captures' ? 3 : 2 } }),
    run: (context) => run(context, move),
  });
  return [
    entry('Up', ['Up', 'k'], 'row up', -1),
    entry('Down', ['Down', 'j'], 'row down', 1),
    ...(mode === 'captures'
      ? [entry('PageUp', ['PgUp'], 'page up', -10), entry('PageDown', ['PgDn'], 'page down', 10)]
      : []),
    entry('First', ['Home', 'g'], 'first row', 'first'),
    entry('Last', ['End', 'G'], 'last row', 'last'),
  ];
}

function scroll({ controls, ui, dispatch }: KeyContext, move: number) {
  const state = controls.store.getState();
  const row = readingRows(state, ui.reading)[ui.reading.cursor];
  dispatch({ type: 'stackScroll', move, count: row ? bodyLength(row) : 0 });
}

function canUseFiles(context: KeyContext): true | string {
  if (!context.controls.files) return 'There is no place for files here.';
  return reading.readNow(context) !== undefined || 'There is nothing in this capture.';
}
