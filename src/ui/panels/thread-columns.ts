import { seriesName } from '../../model/history.ts';
import type { ThreadRow } from '../../model/thread-rows.ts';
import { bar } from '../parts/bar.ts';
import { absent, formatCpu } from '../parts/format.ts';
import type { Segment, Tone } from '../parts/line.ts';
import { rightCell } from '../parts/meter.ts';
import { slotsOf, slotsPerCell, spark } from '../parts/spark.ts';
import type { Column } from '../parts/table.ts';
import { fitText } from '../parts/width.ts';
import { drawnAt } from '../use-store.ts';
import type { PanelInput } from './panel.ts';

/** Which columns the run needs: none for what is the same or absent in all rows. */
export interface ThreadTraits {
  readonly severalProcesses: boolean;
  readonly ranks: boolean;
  /** A comm that tells more than the row's name and its process do (`tellsMore`). */
  readonly comms: boolean;
  /** Comm of each process's main thread, by PID. */
  readonly mainComms: ReadonlyMap<number, string>;
}

/** The columns of the Threads panel. Titles of sortable ones are those of `sortTitles`. */
export function threadColumns(input: PanelInput, traits: ThreadTraits): readonly Column<ThreadRow>[] {
  const { history, state, intervalMs } = input;
  // A minute, and the newest at the right edge, whatever the pace.
  const graph = (row: ThreadRow, width: number): Segment => {
    const series = history.get(seriesName.thread(row.pid, row.tid));
    if (!series) return { text: ' '.repeat(width) };
    const count = Math.min(width * slotsPerCell, Math.ceil(60_000 / intervalMs));
    const slotMs = 60_000 / count;
    const values = slotsOf(series, { to: drawnAt(state), slotMs, count });
    return { text: (spark({ values, rows: 1, minimum: 0, maximum: 100 })[0] ?? '').padStart(width), tone: 'series1' };
  };
  // The bar shows the split; in numbers it stands as a pair or not at all.
  const both = input.width >= 90;
  const columns: (Column<ThreadRow> | false)[] = [
    traits.severalProcesses && {
      title: 'PID',
      width: 7,
      align: 'right',
      priority: 6,
      cell: ({ pid }, w) => rightCell(String(pid), w, 'dim'),
    },
    {
      title: sortTitles.tid,
      width: 7,
      align: 'right',
      priority: 0,
      cell: ({ tid }, w) => rightCell(String(tid), w, 'dim'),
    },
    {
      title: sortTitles.name,
      width: 15,
      maxWidth: 28,
      priority: 0,
      cell: ({ name, comm }, w) => ({ text: fitText(name ?? comm, w) }),
    },
    traits.comms && {
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
    both && {
      title: 'USER',
      width: 5,
      align: 'right',
      priority: 10,
      cell: ({ userPercent }, w) => rightCell(formatCpu(userPercent), w, 'series1'),
    },
    both && {
      title: 'SYS',
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
    {
      title: 'CORE',
      width: 4,
      align: 'right',
      priority: 8,
      cell: ({ core }, w) => rightCell(core === undefined ? absent : String(core), w),
    },
    { title: '60 s', width: 8, maxWidth: 30, priority: 2, cell: graph },
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

/** User and system time in two shapes; a thread that gives no split has one. */
function cpuBar({ cpuPercent, userPercent, systemPercent }: ThreadRow, width: number) {
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

function part(percent: number | undefined): number | undefined {
  return percent === undefined ? undefined : percent / 100;
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
function stateCell({ state }: ThreadRow, width: number): Segment {
  if (state === undefined) return { text: fitText(absent, width), tone: 'dim' };
  const [word, tone] = (Object.hasOwn(stateWords, state) ? stateWords[state] : undefined) ?? [state, 'plain'];
  return { text: fitText(width >= 6 ? word : state, width), tone };
}

/** A tenth of the time in the queue for a core is worth a look, half of it means too few cores. */
function waitTone(percent: number | undefined): Tone {
  if (percent === undefined || percent < 10) return 'plain';
  return percent < 50 ? 'warn' : 'bad';
}
