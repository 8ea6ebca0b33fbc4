import { seriesName } from '../../model/history.ts';
import type { ThreadRow } from '../../model/thread-rows.ts';
import { bar } from '../parts/bar.ts';
import { absent, formatCpu } from '../parts/format.ts';
import type { Line, Segment, Tone } from '../parts/line.ts';
import { rightCell } from '../parts/meter.ts';
import { meanSlots, slotsOf, slotsPerCell, spark } from '../parts/spark.ts';
import type { Column } from '../parts/table.ts';
import { fitText } from '../parts/width.ts';
import { drawnAt } from '../use-store.ts';
import type { PanelInput } from './panel.ts';
import { coreCell, waitsColumn } from './thread-waits.ts';

/** Which columns the run needs: none for what is the same or absent in all rows. */
export interface ThreadTraits {
  readonly severalProcesses: boolean;
  readonly ranks: boolean;
  /** A comm that tells more than the row's name and its process do (`tellsMore`). */
  readonly comms: boolean;
  /** Something tells the role of some thread, and no group does. */
  readonly roles?: boolean;
  /** What threads wait in is read. */
  readonly waits?: boolean;
  /** All rows are sums of roles. */
  readonly sums?: boolean;
  /** Rows may be groups. */
  readonly grouped?: boolean;
  /** Comm of each process's main thread, by PID. */
  readonly mainComms: ReadonlyMap<number, string>;
}

/** The columns of the Threads panel. Titles of sortable ones are those of `sortTitles`. */
export function threadColumns(input: PanelInput, traits: ThreadTraits): readonly Column<ThreadRow>[] {
  const { history, state, intervalMs } = input;
  // A minute, and the newest at the right edge, whatever the pace.
  const graph = (row: ThreadRow, width: number): Segment => {
    const count = Math.min(width * slotsPerCell, Math.ceil(60_000 / intervalMs));
    const slotMs = 60_000 / count;
    const each = (row.group?.active ?? [row]).slice(0, mostDrawn).flatMap(({ pid, tid, life }) => {
      const series = life === 'gone' ? undefined : history.get(seriesName.thread(pid, tid));
      return series ? [slotsOf(series, { to: drawnAt(state), slotMs, count })] : [];
    });
    if (each.length === 0) return { text: ' '.repeat(width) };
    const values = meanSlots(each);
    return { text: (spark({ values, rows: 1, minimum: 0, maximum: 100 })[0] ?? '').padStart(width), tone: 'series1' };
  };
  // The bar shows the split; in numbers it stands as a pair or not at all.
  const both = input.width >= 90;
  const split = input.width >= (traits.waits ? 118 : 90);
  const shows = { roles: both && traits.roles === true };
  const columns: (Column<ThreadRow> | false)[] = [
    traits.severalProcesses && {
      title: 'PID',
      width: 7,
      align: 'right',
      priority: 6,
      cell: ({ pid, group }, w) => rightCell(group?.key.startsWith('role') ? '' : String(pid), w, 'dim'),
    },
    {
      title: sortTitles.tid,
      width: 7,
      align: 'right',
      priority: 0,
      cell: ({ tid, group }, w) => rightCell(group ? `×${group.count}` : String(tid), w, 'dim'),
    },
    {
      title: sortTitles.name,
      width: traits.grouped ? 18 : 15,
      maxWidth: 28,
      priority: 0,
      cell: nameCell,
    },
    shows.roles && {
      title: 'ROLE',
      width: 12,
      maxWidth: 16,
      priority: 7,
      cell: ({ role }, w) => ({ text: fitText(role ?? '', w), tone: 'series3' }),
    },
    traits.comms &&
      (!shows.roles || input.width >= 150) && {
        title: 'COMM',
        width: 15,
        priority: 9,
        cell: (row, w) => ({ text: fitText(tellsMore(row, traits.mainComms) ? row.comm : '', w), tone: 'dim' }),
      },
    traits.ranks && {
      title: sortTitles.rank,
      width: 4,
      align: 'right',
      priority: 4,
      cell: ({ rank }, w) => rightCell(rank === undefined ? '' : `r${rank}`, w),
    },
    { title: '', width: 6, maxWidth: 12, priority: 3, cell: cpuBar },
    {
      title: sortTitles.cpu,
      width: 5,
      align: 'right',
      priority: 0,
      cell: ({ cpuPercent }, w) => rightCell(formatCpu(cpuPercent), w),
    },
    split && {
      title: 'USER',
      pair: 'split',
      width: 5,
      align: 'right',
      priority: 10,
      cell: ({ userPercent }, w) => rightCell(formatCpu(userPercent), w, 'series1'),
    },
    split && {
      title: 'SYS',
      pair: 'split',
      width: 5,
      align: 'right',
      priority: 10,
      cell: ({ systemPercent }, w) => rightCell(formatCpu(systemPercent), w, 'series4'),
    },
    {
      title: sortTitles.wait,
      width: 5,
      align: 'right',
      priority: 5,
      cell: ({ runQueuePercent: p }, w) => rightCell(formatCpu(p), w, waitTone(p)),
    },
    { title: 'S', width: both ? 6 : 1, priority: 1, cell: stateCell },
    !traits.sums && {
      title: 'CORE',
      width: 4,
      align: 'right',
      priority: 8,
      cell: (row, w) => coreCell(state, row, w),
    },
    traits.waits === true && !traits.sums && waitsColumn(state),
    { title: '60 s', align: 'right', width: 8, maxWidth: 30, priority: 2, cell: graph },
  ];
  return columns.filter((column) => column !== false);
}

/**
 * A comm beside a name from a dump is worth a cell, unless it is that name (15 bytes of it) or the process's own: threads inherit
 * the comm of the one that started them.
 */
export function tellsMore({ pid, name, comm }: ThreadRow, mainComms: ThreadTraits['mainComms']): boolean {
  return name !== undefined && comm !== '' && !name.startsWith(comm) && mainComms.get(pid) !== comm;
}

/** The title that stands for each sort order. */
export const sortTitles = { cpu: 'CPU%', name: 'NAME', tid: 'TID', wait: 'WAIT%', rank: 'RANK' } as const;

/** Of a group so many threads, the busiest, are in the graph: of a hundred more the mean would be the same. */
const mostDrawn = 32;

/** A group's title behind the sign of whether it is open; a thread that came a moment ago has a mark, and so has one that went. */
function nameCell({ name, comm, depth = 0, group, life }: ThreadRow, width: number): Line | Segment {
  const indent = ' '.repeat(Math.min(2 * depth, Math.max(0, width - 8)));
  if (group) return { text: fitText(`${indent}${group.open ? '▾' : '▸'} ${group.title}`, width), tone: 'strong' };
  const text = name ?? comm;
  if (life === undefined) return { text: fitText(indent + text, width) };
  const mark = life === 'new' ? '+' : '-';
  const head = `${indent}${mark} `;
  return [
    { text: head, tone: life === 'new' ? 'ok' : 'dim' },
    { text: fitText(text, Math.max(0, width - head.length)) },
  ];
}

/** User and system time in two shapes; a thread that gives no split has one. Of a group the mean of its threads that do something. */
function cpuBar({ cpuPercent, userPercent, systemPercent, group }: ThreadRow, width: number) {
  const part = (percent: number | undefined) =>
    percent === undefined ? undefined : percent / (100 * Math.max(1, group?.active.length ?? 1));
  if (userPercent === undefined || systemPercent === undefined)
    return bar([{ share: part(cpuPercent), tone: 'series1' }], width);
  return bar(
    [
      { share: part(userPercent), tone: 'series1' },
      { share: part(systemPercent), tone: 'series4' },
    ],
    width,
  );
}

const stateWords: Readonly<Record<string, readonly [word: string, tone: Tone]>> = {
  R: ['run', 'ok'],
  S: ['sleep', 'dim'],
  D: ['disk', 'warn'],
  T: ['stop', 'bad'],
  t: ['trace', 'bad'],
  Z: ['zombie', 'bad'],
  X: ['dead', 'bad'],
  I: ['idle', 'dim'],
};

/** The kernel's letter; its word where there is room. D is any sleep that no signal ends, mostly in the kernel's I/O. */
function stateCell({ state, group, life }: ThreadRow, width: number): Segment {
  if (group) return groupState(group.active, width);
  if (life === 'gone') return { text: fitText(width >= 6 ? 'gone' : '-', width), tone: 'dim' };
  if (state === undefined) return { text: fitText(absent, width), tone: 'dim' };
  const [word, tone] = (Object.hasOwn(stateWords, state) ? stateWords[state] : undefined) ?? [state, 'plain'];
  return { text: fitText(width >= 6 ? word : state, width), tone };
}

/** What is worth most of what its threads do: sleep that no signal ends, then running; with how many. */
function groupState(active: readonly ThreadRow[], width: number): Segment {
  for (const letter of ['T', 't', 'Z', 'D', 'R']) {
    const count = active.filter(({ state }) => state === letter).length;
    const [word, tone] = stateWords[letter] ?? [letter, 'plain'];
    if (count > 0) return { text: fitText(width >= 6 ? `${count} ${word}` : letter, width), tone };
  }
  return { text: fitText(active.length === 0 ? '' : width >= 6 ? 'sleep' : 'S', width), tone: 'dim' };
}

/** A tenth of the time in the queue for a core is worth a look, half of it means too few cores. */
function waitTone(percent: number | undefined): Tone {
  if (percent === undefined || percent < 10) return 'plain';
  return percent < 50 ? 'warn' : 'bad';
}
