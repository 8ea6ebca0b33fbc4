import type { History } from '../../model/history.ts';
import type { State } from '../../model/store.ts';
import { roleFinder } from '../../model/roles/finder.ts';
import { threadRows, threadSorts, type ThreadRow, type ThreadRows } from '../../model/thread-rows.ts';
import { formatFixed } from '../parts/format.ts';
import type { Line, Segment } from '../parts/line.ts';
import { dotted } from '../parts/meter.ts';
import { headerLine, placeColumns, rowLine } from '../parts/table.ts';
import { fitText } from '../parts/width.ts';
import { panelComponent } from './panel-component.tsx';
import type { Panel, PanelBody, PanelInput, PanelView } from './panel.ts';
import { visibleRows } from './scroll.ts';
import { sortTitles, tellsMore, threadColumns, type ThreadTraits } from './thread-columns.ts';
import { waitDetail } from './thread-waits.ts';

/** The threads of the run that did something in the last minute; the others are one line, unless `showIdle`. */
export function threadLines(input: PanelInput): PanelBody {
  const { state, history, view, width, height, focused } = input;
  if (width < 1 || height < 1 || !state.threads) return { lines: [] };
  const all = rowsOf(state, view, history);
  const { rows, idle } = all;
  const placed = placeColumns(threadColumns(input, traitsOf(state, rows, view)), width);
  const sort = threadSorts.find((known) => known === view.sort) ?? 'cpu';
  const header = height > 1 ? [headerLine(placed, width, sortTitles[sort])] : [];
  const folded = idle > 0 && height > 2 ? [foldedLine(idle, width)] : [];
  const cursor = Math.min(view.cursor, rows.length - 1);
  const chosen = focused ? rows[cursor] : undefined;
  const detail = chosen && state.waits && height > leastForDetail ? [waitDetail(state, chosen, width)] : [];
  const room = height - header.length - folded.length - detail.length;
  const body = visibleRows({ count: rows.length, height: room, cursor: Math.max(0, cursor) }).map((i) => {
    const row = rows[i];
    return row ? toned(rowLine(placed, row, { width, inverse: focused && i === cursor }), row) : [];
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
  return { lines: [...header, ...body, ...empty, ...folded, ...detail], note: noteOf(all, view, state) };
}

/** In fewer rows the threads themselves are worth more. */
const leastForDetail = 6;

/** The threads' panel. */
export const threadsPanel: Panel = {
  id: 'threads',
  digit: '4',
  title: 'Threads',
  Component: panelComponent({
    title: 'Threads',
    digit: '4',
    slices: ['threads', 'threadNames', 'threadRoles', 'threadLives', 'run', 'waits'],
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
  groupKey(state, view, { store }) {
    const { rows } = rowsOf(state, view, store.history);
    return rows[Math.min(view.cursor, rows.length - 1)]?.group?.key;
  },
};

/** The rows of one frame are asked for by the panel, its cursor and the keys: computed once. */
let lastRows:
  | {
      readonly state: State;
      readonly key: string;
      readonly toggled: PanelView['toggled'];
      readonly history: History;
      readonly result: ThreadRows;
    }
  | undefined;

function rowsOf(state: State, view: PanelView, history: History): ThreadRows {
  const { filter, sort, showIdle, grouping, toggled } = view;
  const key = `${sort} ${showIdle} ${grouping} ${filter}`;
  const same =
    lastRows &&
    lastRows.key === key &&
    lastRows.toggled === toggled &&
    lastRows.history === history &&
    lastRows.state.threads === state.threads &&
    lastRows.state.threadNames === state.threadNames &&
    lastRows.state.threadRoles === state.threadRoles &&
    lastRows.state.threadLives === state.threadLives &&
    lastRows.state.run === state.run;
  if (lastRows && same) return lastRows.result;
  const { threads, threadNames: names, threadLives: lives, run } = state;
  const roleOf = roleFinder(state);
  const how = { filter, sort, showIdle, grouping, toggled };
  const result = threadRows({ threads, names, lives, roleOf, run: run?.run, history, ...how });
  lastRows = { state, key, toggled, history, result };
  return result;
}

function traitsOf(
  { threads, run, threadNames, waits }: State,
  rows: ThreadRows['rows'],
  view: PanelView,
): ThreadTraits {
  // Sums of roles have no place: their columns come when one is opened.
  const isSums = view.grouping === 'role' && rows.every(({ group }) => group !== undefined);
  const mainComms = new Map<number, string>();
  if (threadNames.size > 0)
    threads?.tid.forEach((tid, i) => {
      if (threads.pid[i] === tid) mainComms.set(tid, threads.comm[i] ?? '');
    });
  return {
    severalProcesses: !isSums && new Set(threads?.pid).size > 1,
    ranks: !isSums && (run?.run?.processes.some(({ rank }) => rank !== undefined) ?? false),
    comms: threadNames.size > 0 && rows.some((row) => tellsMore(row, mainComms)),
    roles: view.grouping !== 'role' && rows.some(({ role }) => role !== undefined),
    grouped: view.grouping !== undefined,
    sums: isSums,
    waits: waits !== undefined,
    mainComms,
  };
}

function foldedLine(idle: number, width: number): Line {
  return [{ text: fitText(`… ${idle} idle ${idle === 1 ? 'thread' : 'threads'} (H shows them)`, width), tone: 'dim' }];
}

/** What is no more is dim as a whole, and so is a group that does nothing. */
function toned(line: Line, { life, group }: ThreadRow): Line {
  const isDim = life === 'gone' || (group && group.active.length === 0);
  return isDim ? line.map((segment) => ({ ...segment, tone: 'dim' })) : line;
}

/** `8.1 cores · 57 of 300 · +2 -1 · by cpu · /loader`; of groups `8.1 cores · 12 roles · 300 threads · by cpu`. */
function noteOf({ rows, total, cpuPercent, groups = 0 }: ThreadRows, view: PanelView, { threadLives }: State): Line {
  const { filter, sort, grouping } = view;
  const [born, gone] = [threadLives.born.size, threadLives.gone.length];
  const pieces: Segment[] = [{ text: `${formatFixed(cpuPercent / 100, 1)} cores`, tone: 'dim' }];
  if (grouping) {
    const word = grouping === 'role' ? ['role', 'roles'] : ['process', 'processes'];
    pieces.push(
      { text: `${groups} ${word[groups === 1 ? 0 : 1]}`, tone: 'dim' },
      { text: `${total} threads`, tone: 'dim' },
    );
  } else {
    const shown = gone === 0 ? rows.length : rows.filter(({ life }) => life !== 'gone').length;
    pieces.push({ text: `${shown} of ${total}`, tone: 'dim' });
  }
  const lives = [born > 0 ? `+${born}` : '', gone > 0 ? `-${gone}` : ''].filter((text) => text !== '').join(' ');
  if (lives !== '') pieces.push({ text: lives, tone: 'plain' });
  pieces.push({ text: `by ${sort ?? threadSorts[0]}`, tone: 'dim' });
  if (filter !== '') pieces.push({ text: `/${filter}`, tone: 'focus' });
  return dotted(pieces);
}
