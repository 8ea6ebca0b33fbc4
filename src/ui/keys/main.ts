import { changeInterval, openShell, togglePause } from './actions.ts';
import { focusedPanel, liveOnly, pageRows, rowCount, type KeyContext, type KeyEntry } from './context.ts';
import { panels } from '../panels/index.ts';
import { repaint } from '../repaint.ts';
import { divertKey } from '../screen-input.ts';
import type { Move } from '../ui-state.ts';

const main = ['main'] as const;
const fixedInterval = 'This is a recording: it has the interval that it was made with; < and > change its speed.';

/** Keys of the screen itself, in the order of the help. */
export const mainKeys: readonly KeyEntry[] = [
  {
    id: 'quit',
    keys: ['q', 'Ctrl-C'],
    modes: main,
    group: 'General',
    text: 'quit; nothing stays on the host',
    footer: { label: 'quit', rank: 1 },
    run: ({ exit }) => exit(),
  },
  {
    id: 'help',
    keys: ['?'],
    modes: main,
    group: 'General',
    text: 'this help',
    footer: { label: 'help', rank: 20 },
    run: ({ dispatch }) => dispatch({ type: 'open', overlay: 'help' }),
  },
  {
    id: 'redraw',
    keys: ['Ctrl-L'],
    modes: main,
    group: 'General',
    text: 'draw the screen anew',
    run: repaint,
  },
  {
    id: 'pause',
    keys: ['p'],
    modes: main,
    group: 'General',
    text: 'hold the screen still, and go on; data is still taken in (a recording stands, as by Space)',
    footer: { label: 'pause', rank: 27, when: 'live' },
    run: togglePause,
  },
  {
    id: 'connect',
    keys: ['R'],
    modes: main,
    group: 'General',
    text: 'connect to the host now, while the link is lost or was given up',
    footer: { label: 'connect now', rank: 10, when: 'link down' },
    enabled: liveOnly(
      ({ controls }) => controls.store.getState().link?.state !== 'up' || 'The link to the host is up.',
    ),
    run: ({ controls }) => controls.connectNow(),
  },
  {
    id: 'slower',
    keys: ['+'],
    modes: main,
    group: 'General',
    text: 'longer interval, up to 60 s',
    footer: { label: 'slower', rank: 32, when: 'live' },
    enabled: liveOnly(({ ui }) => ui.intervalMs < 60_000 || '60 s is the longest interval.', fixedInterval),
    run: (context) => changeInterval(context, 1),
  },
  {
    id: 'faster',
    keys: ['-'],
    modes: main,
    group: 'General',
    text: 'shorter interval, down to 500 ms',
    footer: { label: 'faster', rank: 33, when: 'live' },
    enabled: liveOnly(
      ({ ui }) => ui.intervalMs > 500 || '500 ms is the shortest interval: faster would cost the host too much.',
      fixedInterval,
    ),
    run: (context) => changeInterval(context, -1),
  },
  {
    id: 'choose',
    keys: ['c'],
    modes: main,
    group: 'General',
    text: 'choose another run on the host',
    footer: { label: 'runs', rank: 31, when: 'live' },
    enabled: liveOnly(
      ({ state }) => (state.run?.candidates.length ?? 0) > 0 || 'No training run was found on the host yet.',
    ),
    run({ dispatch, controls }) {
      controls.lookForRuns();
      dispatch({ type: 'open', overlay: 'picker' });
    },
  },
  {
    id: 'shell',
    keys: [divertKey],
    modes: main,
    group: 'General',
    text: 'a shell on the host, through the wrapper; its end (exit, Ctrl-D) or Enter ~ . comes back',
    footer: { label: 'shell', rank: 30, when: 'live' },
    enabled: liveOnly(({ controls }) => {
      if (controls.watch)
        return `There is no shell through a watch: traintop shell ${controls.target}, where that runs.`;
      if (!controls.openShell) return 'The host of the demo is simulated: there is no shell on it.';
      return controls.store.getState().link?.state === 'up' || 'There is no connection to the host now.';
    }),
    run: openShell,
  },
  {
    id: 'next',
    keys: ['Tab'],
    modes: main,
    group: 'Panels',
    text: 'next panel',
    footer: { label: 'panel', rank: 22 },
    run: (context) => focusNext(context, 1),
  },
  {
    id: 'previous',
    keys: ['Shift-Tab'],
    modes: main,
    group: 'Panels',
    text: 'panel before',
    run: (context) => focusNext(context, -1),
  },
  {
    id: 'panel',
    keys: panels.map(({ digit }) => digit),
    modes: ['main', 'why'],
    group: 'Panels',
    text: `${panels.map(({ digit, title }) => `${digit} ${title}`).join('  ')}; again: the whole screen for it`,
    run: (context, { key }) => focusDigit(context, key),
  },
  {
    id: 'zoom',
    keys: ['Enter', 'z'],
    modes: main,
    group: 'Panels',
    text: 'the whole screen for the focused panel, and back; Enter on a group of threads opens it, and closes it',
    footer: { label: 'zoom', rank: 28 },
    run: (context, { key }) => {
      const { layout, ui, dispatch } = context;
      const group = key === 'Enter' ? groupUnderCursor(context) : undefined;
      if (group !== undefined) dispatch({ type: 'toggled', key: group });
      else if (layout?.zoomed !== undefined) unzoom(context);
      else dispatch({ type: 'zoom', panel: ui.focused });
    },
  },
  {
    id: 'back',
    keys: ['Esc'],
    modes: main,
    group: 'Panels',
    text: 'back: from the zoomed panel, then from its filter',
    footer: { label: 'back', rank: 0, when: 'zoomed' },
    run: (context) => {
      const { ui, layout, dispatch } = context;
      const panel = focusedPanel(context);
      if (ui.notice) dispatch({ type: 'notice', notice: undefined });
      if (layout?.zoomed !== undefined) unzoom(context);
      else if (panel && ui.views[panel.id].filter !== '') dispatch({ type: 'filterCleared', panel: panel.id });
    },
  },
  rows('up', ['Up', 'k'], 'row up', () => -1),
  rows('down', ['Down', 'j'], 'row down', () => 1),
  rows('pageUp', ['PgUp'], 'page up', (context) => -pageRows(context)),
  rows('pageDown', ['PgDn'], 'page down', pageRows),
  rows('first', ['Home'], 'first row', () => 'first'),
  rows('last', ['End'], 'last row; a log follows again', () => 'last'),
  {
    id: 'filter',
    keys: ['/'],
    modes: main,
    group: 'Rows',
    text: 'filter the rows: plain text, not a pattern; !text = without it; Enter keeps it, Esc clears it',
    footer: { label: 'filter', rank: 23 },
    enabled: (context) => {
      const panel = focusedPanel(context);
      if (panel?.filters ?? panel?.rowCount !== undefined) return true;
      return `${panel?.title ?? 'This panel'} has no rows to filter.`;
    },
    run: (context) => {
      const panel = focusedPanel(context);
      if (panel) context.dispatch({ type: 'filter', panel: panel.id });
    },
  },
  {
    id: 'sort',
    keys: ['s'],
    modes: main,
    group: 'Rows',
    text: 'next order of the rows',
    footer: { label: 'sort', rank: 24 },
    enabled: (context) => {
      const panel = focusedPanel(context);
      return panel?.sorts !== undefined || `${panel?.title ?? 'This panel'} has one order only.`;
    },
    run: (context) => {
      const panel = focusedPanel(context);
      if (panel?.sorts) context.dispatch({ type: 'sort', panel: panel.id, sorts: panel.sorts });
    },
  },
  {
    id: 'idle',
    keys: ['H'],
    modes: main,
    group: 'Rows',
    text: 'idle threads: each a row, or all one count',
    footer: { label: 'idle', rank: 35 },
    run: ({ dispatch }) => dispatch({ type: 'idle' }),
  },
  {
    id: 'grouping',
    keys: ['g'],
    modes: main,
    group: 'Rows',
    text: 'threads: each a row, by role with sums, by process',
    footer: { label: 'group', rank: 25 },
    run: ({ dispatch }) => dispatch({ type: 'grouping' }),
  },
  {
    id: 'logarithmic',
    keys: ['y'],
    modes: main,
    group: 'Panels',
    text: 'throughput: loss and gradient norm on a logarithmic scale, and back',
    run: ({ dispatch }) => dispatch({ type: 'logarithmic' }),
  },
];

function rows(id: string, keys: readonly string[], text: string, move: (context: KeyContext) => Move): KeyEntry {
  return {
    id,
    keys,
    modes: main,
    group: 'Rows',
    text,
    enabled: (context) => {
      const panel = focusedPanel(context);
      return panel?.rowCount !== undefined || `${panel?.title ?? 'This panel'} has no rows to move over.`;
    },
    run: (context) => {
      const panel = focusedPanel(context);
      if (!panel) return;
      const view = panel.moved?.(context.state, context.ui.views[panel.id], move(context));
      if (view) context.dispatch({ type: 'view', panel: panel.id, view });
      else context.dispatch({ type: 'move', panel: panel.id, move: move(context), count: rowCount(context, panel) });
    },
  };
}

function groupUnderCursor(context: KeyContext): string | undefined {
  const panel = focusedPanel(context);
  return panel?.groupKey?.(context.state, context.ui.views[panel.id], context.controls);
}

function focusNext({ layout, panels, ui, dispatch }: KeyContext, step: number): void {
  // A zoomed screen shows them all in turn, one that is not those that have a place.
  const places = layout?.zoomed === undefined ? layout?.fitting : undefined;
  const ids = panels.map(({ id }) => id).filter((id) => places?.includes(id) ?? true);
  const at = ids.indexOf(layout?.zoomed ?? ui.focused);
  const next = ids[(at + step + ids.length) % ids.length];
  if (next) dispatch({ type: 'focus', panel: next });
}

function focusDigit({ layout, panels, ui, dispatch }: KeyContext, digit: string): void {
  const panel = panels.find((panel) => panel.digit === digit);
  if (!panel) return;
  if (ui.overlay === 'why') {
    dispatch({ type: 'close' });
    return dispatch({ type: 'focus', panel: panel.id });
  }
  const again = layout?.zoomed === undefined && ui.focused === panel.id;
  dispatch(again ? { type: 'zoom', panel: panel.id } : { type: 'focus', panel: panel.id });
}

function unzoom({ ui, layout, dispatch }: KeyContext): void {
  if (ui.zoomed !== undefined) dispatch({ type: 'zoom', panel: undefined });
  // A panel without a place of its own would be zoomed again at once.
  const first = layout?.fitting.includes('threads') ? 'threads' : layout?.fitting[0];
  if (first && !layout?.fitting.includes(ui.focused)) dispatch({ type: 'focus', panel: first });
}
