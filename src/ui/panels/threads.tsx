import type { History } from '../../model/history.ts';
import type { State } from '../../model/store.ts';
import { threadRows, threadSorts, type ThreadRows } from '../../model/thread-rows.ts';
import { formatFixed } from '../parts/format.ts';
import type { Line, Segment } from '../parts/line.ts';
import { dotted } from '../parts/meter.ts';
import { headerLine, placeColumns, rowLine } from '../parts/table.ts';
import { fitText } from '../parts/width.ts';
import { panelComponent } from './panel-component.tsx';
import type { Panel, PanelBody, PanelInput, PanelView } from './panel.ts';
import { visibleRows } from './scroll.ts';
import { sortTitles, tellsMore, threadColumns, type ThreadTraits } from './thread-columns.ts';

/** The threads of the run that did something in the last minute; the others are one line, unless `showIdle`. */
export function threadLines(input: PanelInput): PanelBody {
  const { state, history, view, width, height, focused } = input;
  if (width < 1 || height < 1 || !state.threads) return { lines: [] };
  const all = rowsOf(state, view, history);
  const { rows, idle } = all;
  const placed = placeColumns(threadColumns(input, traitsOf(state, rows)), width);
  const sort = threadSorts.find((known) => known === view.sort) ?? 'cpu';
  const header = height > 1 ? [headerLine(placed, width, sortTitles[sort])] : [];
  const folded = idle > 0 && height > 2 ? [foldedLine(idle, width)] : [];
  const cursor = Math.min(view.cursor, rows.length - 1);
  const room = height - header.length - folded.length;
  const body = visibleRows({ count: rows.length, height: room, cursor: Math.max(0, cursor) }).map((i) => {
    const row = rows[i];
    return row ? rowLine(placed, row, { width, inverse: focused && i === cursor }) : [];
  });
  const empty: Line[] =
    rows.length + idle === 0 && room > 0
      ? [
          [
            {
              text: fitText(view.filter === '' ? 'no thread is left' : 'no thread matches the filter', width),
              tone: 'dim',
            },
          ],
        ]
      : [];
  return { lines: [...header, ...body, ...empty, ...folded], note: noteOf(all, view) };
}

/** The threads' panel. */
export const threadsPanel: Panel = {
  id: 'threads',
  digit: '4',
  title: 'Threads',
  Component: panelComponent({
    title: 'Threads',
    digit: '4',
    slices: ['threads', 'threadNames', 'run'],
    sources: ['threads'],
    body: threadLines,
    hasData: ({ threads }) => threads !== undefined,
  }),
  sorts: threadSorts,
  rowCount: (state, view, { store }) => rowsOf(state, view, store.history).rows.length,
  selected(state, view, { store }) {
    const { rows } = rowsOf(state, view, store.history);
    const row = rows[Math.min(view.cursor, rows.length - 1)];
    return row && { pid: row.pid, tid: row.tid };
  },
};

/** The rows of one frame are asked for by the panel, its cursor and the keys: computed once. */
let lastRows:
  { readonly state: State; readonly key: string; readonly history: History; readonly result: ThreadRows } | undefined;

function rowsOf(state: State, view: PanelView, history: History): ThreadRows {
  const key = `${view.sort} ${view.showIdle} ${view.filter}`;
  const same =
    lastRows &&
    lastRows.key === key &&
    lastRows.history === history &&
    lastRows.state.threads === state.threads &&
    lastRows.state.threadNames === state.threadNames &&
    lastRows.state.run === state.run;
  if (lastRows && same) return lastRows.result;
  const { threads, threadNames: names, run } = state;
  const { filter, sort, showIdle } = view;
  const result = threadRows({ threads, names, run: run?.run, history, filter, sort, showIdle });
  lastRows = { state, key, history, result };
  return result;
}

function traitsOf({ threads, run, threadNames }: State, rows: ThreadRows['rows']): ThreadTraits {
  const mainComms = new Map<number, string>();
  if (threadNames.size > 0)
    threads?.tid.forEach((tid, i) => {
      if (threads.pid[i] === tid) mainComms.set(tid, threads.comm[i] ?? '');
    });
  return {
    severalProcesses: new Set(threads?.pid).size > 1,
    ranks: run?.run?.processes.some(({ rank }) => rank !== undefined) ?? false,
    comms: threadNames.size > 0 && rows.some((row) => tellsMore(row, mainComms)),
    mainComms,
  };
}

function foldedLine(idle: number, width: number): Line {
  return [{ text: fitText(`… ${idle} idle ${idle === 1 ? 'thread' : 'threads'} (H shows them)`, width), tone: 'dim' }];
}

/** `8.1 cores · 57 of 300 · by cpu · /loader`. */
function noteOf({ rows, total, cpuPercent }: ThreadRows, { filter, sort }: PanelView): Line {
  const pieces: Segment[] = [
    { text: `${formatFixed(cpuPercent / 100, 1)} cores`, tone: 'dim' },
    { text: `${rows.length} of ${total}`, tone: 'dim' },
    { text: `by ${sort ?? threadSorts[0]}`, tone: 'dim' },
  ];
  if (filter !== '') pieces.push({ text: `/${filter}`, tone: 'focus' });
  return dotted(pieces);
}
