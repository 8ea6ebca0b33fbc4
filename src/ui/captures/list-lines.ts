import { rankText } from '../../model/ranges.ts';
import type { Folded } from '../../model/stacks/fold.ts';
import type { Grouping } from '../../model/stacks/group.ts';
import type { State } from '../../model/store.ts';
import { cursorList } from '../parts/cursor-list.ts';
import { formatCpu, formatPercent } from '../parts/format.ts';
import type { Line, Segment } from '../parts/line.ts';
import { lineWidth } from '../parts/render-line.ts';
import { inverted, rowLine, type Column } from '../parts/table.ts';
import { fitText } from '../parts/width.ts';
import { classBar, classTone } from './classes.ts';
import { shortPlace, topName } from './frames.ts';
import type { ReadingRow } from './rows.ts';

interface Input {
  readonly state: State;
  readonly folded: Folded;
  readonly rows: readonly ReadingRow[];
  /** Those to draw. */
  readonly visible: readonly number[];
  readonly cursor: number;
  readonly by: Grouping;
  readonly width: number;
}

/** The rows with their heading. */
export function listLines(input: Input): readonly Line[] {
  const { rows, visible, cursor, width } = input;
  const isDiff = rows.some(({ kind }) => kind === 'role');
  return cursorList<ReadingRow>({
    ...{ columns: isDiff ? diffColumns : columnsOf(input), rows, visible, cursor, width, drawHere: underCursor },
    draw: (placed, row, size) => (row.kind === 'odd' ? oddLine(row, size) : rowLine(placed, row, { width: size })),
  });
}

/** All inverse but bars, which keep their colours. */
function underCursor(line: Line, width: number): Line {
  const bars = line.filter(({ text }) => text.startsWith('▇'));
  const [first] = bars;
  if (!first) return inverted(line, width);
  const at = line.indexOf(first);
  const after = line.slice(at + bars.length);
  const used = lineWidth(line.slice(0, at + bars.length));
  return [
    ...line.slice(0, at).map(({ text }) => ({ text, inverse: true })),
    ...bars,
    ...inverted(after, Math.max(0, width - used)),
  ];
}

function oddLine({ comparison }: Extract<ReadingRow, { kind: 'odd' }>, width: number): Line {
  const { role, odd, because } = comparison;
  const why = because === 'collective' ? 'the others wait for it' : 'unlike the others';
  return [{ text: fitText(`▲ ${rankText(odd)} in ${role}: ${why}`, width), tone: 'bad' }];
}

type Cell = Column<ReadingRow>;

function columnsOf({ state, folded, by }: Input): readonly Cell[] {
  const known = knownThreads(state);
  const isOneLook = folded.unit === 'dumps' && folded.samples <= 1;
  return [
    { title: by.toUpperCase(), width: 20, maxWidth: 44, priority: 0, cell: nameCell },
    ...(by === 'thread' ? [tidColumn, cpuColumn(known)] : []),
    isOneLook && by === 'thread' ? stateColumn : shareColumn,
    { title: 'DOES', width: 13, maxWidth: 15, priority: 1, cell: classCell },
    { title: 'WHERE', width: 20, maxWidth: 60, priority: 5, cell: whereCell },
  ];
}

function nameCell(row: ReadingRow, width: number): Line | Segment {
  if (row.kind === 'group') {
    const { title, threads } = row.group;
    const count = threads > 1 ? ` ×${threads}` : '';
    return [
      { text: fitText(title, width - count.length).trimEnd(), tone: 'strong' },
      { text: count, tone: 'dim' },
      { text: ' '.repeat(Math.max(0, width - fitText(title, width - count.length).trimEnd().length - count.length)) },
    ];
  }
  if (row.kind !== 'stack') return { text: fitText('', width) };
  if (!row.alone) return { text: fitText(`  ${topName(row.stack.frames)}`, width) };
  const { threads, title } = row.group;
  // Threads have their TID in a column.
  const name = title.replace(/ · TID \d+$/, '');
  return { text: fitText(threads > 1 ? `${name} ×${threads}` : name, width), tone: isIdle(row) ? 'dim' : 'plain' };
}

function isIdle(row: ReadingRow): boolean {
  return row.kind === 'stack' && row.stack.class === 'idle';
}

const tidColumn: Cell = {
  title: 'TID',
  width: 8,
  align: 'right',
  priority: 3,
  cell: (row, width) => {
    const tid = ownerOf(row)?.tid;
    return { text: fitText(tid === undefined ? '' : String(tid), width, 'right'), tone: 'dim' };
  },
};

function cpuColumn(known: ReadonlyMap<string, number | null | undefined>): Cell {
  return {
    title: 'CPU%',
    width: 5,
    align: 'right',
    priority: 4,
    cell: (row, width) => {
      const owner = ownerOf(row);
      const cpu = owner && known.get(`${owner.pid}:${owner.tid}`);
      return { text: fitText(owner ? formatCpu(cpu) : '', width, 'right') };
    },
  };
}

function ownerOf(row: ReadingRow) {
  if (row.kind === 'group') return row.group.stacks[0]?.of[0];
  return row.kind === 'stack' && row.alone ? row.stack.of[0] : undefined;
}

const shareColumn: Cell = {
  title: 'SHARE',
  width: 5,
  align: 'right',
  priority: 0,
  cell: (row, width) => {
    if (row.kind === 'group' || (row.kind === 'stack' && row.alone))
      return { text: fitText(formatPercent(row.group.share * 100), width, 'right'), tone: 'strong' };
    const share = row.kind === 'stack' ? formatPercent(row.stack.share * 100) : '';
    return { text: fitText(share, width, 'right') };
  },
};

const stateColumn: Cell = {
  title: 'STATE',
  width: 6,
  priority: 0,
  cell: (row, width) => {
    if (row.kind !== 'stack') return { text: fitText('', width) };
    const { active, gil } = row.stack;
    if (gil) return { text: fitText('GIL', width), tone: 'warn' };
    return { text: fitText(active ? 'active' : 'idle', width), tone: active ? 'ok' : 'dim' };
  },
};

function classCell(row: ReadingRow, width: number): Line | Segment {
  if (row.kind === 'group') return classBar(row.group.classes, width);
  if (row.kind !== 'stack') return { text: fitText('', width) };
  return { text: fitText(row.stack.class, width), tone: classTone(row.stack.class) };
}

function whereCell(row: ReadingRow, width: number): Line | Segment {
  if (row.kind === 'group') {
    const text = row.group.classes.map(({ class: of, share }) => `${of} ${formatPercent(share * 100)}`).join(', ');
    return { text: fitText(text, width), tone: 'dim' };
  }
  if (row.kind !== 'stack') return { text: fitText('', width) };
  const { frames } = row.stack;
  const [frame] = frames;
  const place = frame ? shortPlace(frame) : '';
  return { text: fitText(row.alone ? `${topName(frames)}  ${place}` : place, width), tone: 'dim' };
}

const diffColumns: readonly Cell[] = [
  {
    title: 'ROLE',
    width: 20,
    maxWidth: 44,
    priority: 0,
    cell: (row, width) => {
      if (row.kind === 'role') return { text: fitText(row.diff.role, width), tone: 'strong' };
      if (row.kind === 'class')
        return { text: fitText(`  ${row.change.of}`, width), tone: classTone(row.change.class) };
      if (row.kind === 'change') return { text: fitText(`    ${topName(row.change.of)}`, width) };
      return { text: fitText('', width) };
    },
  },
  { title: 'BEFORE', width: 6, align: 'right', priority: 1, cell: (row, width) => shareOf(row, 'before', width) },
  { title: 'AFTER', width: 6, align: 'right', priority: 0, cell: (row, width) => shareOf(row, 'after', width) },
  {
    title: 'CHANGE',
    width: 7,
    align: 'right',
    priority: 0,
    cell: (row, width) => {
      if (row.kind === 'role') return { text: fitText(row.same ? 'same' : '', width, 'right'), tone: 'dim' };
      if (row.kind !== 'class' && row.kind !== 'change') return { text: fitText('', width) };
      const { only, points } = row.change;
      if (only) return { text: fitText(only === 'after' ? 'new' : 'gone', width, 'right'), tone: 'warn' };
      const text = points === undefined ? '' : `${points > 0 ? '+' : ''}${points.toFixed(0)}`;
      return { text: fitText(text, width, 'right'), tone: Math.abs(points ?? 0) >= 10 ? 'warn' : 'plain' };
    },
  },
  { title: 'DOES', width: 13, priority: 3, cell: (row, width) => doesCell(row, width) },
];

function doesCell(row: ReadingRow, width: number): Segment {
  if (row.kind !== 'change') return { text: fitText('', width) };
  return { text: fitText(row.change.class, width), tone: classTone(row.change.class) };
}

function shareOf(row: ReadingRow, side: 'before' | 'after', width: number): Segment {
  if (row.kind === 'role') {
    const count = side === 'before' ? row.diff.beforeCount : row.diff.afterCount;
    return { text: fitText(count === undefined ? 'none' : '', width, 'right'), tone: 'dim' };
  }
  if (row.kind !== 'class' && row.kind !== 'change') return { text: fitText('', width) };
  const share = row.change[side];
  return { text: fitText(share === undefined ? '' : formatPercent(share * 100), width, 'right') };
}

/** CPU of the newest frame of threads, by `PID:TID`. */
function knownThreads({ threads }: State): ReadonlyMap<string, number | null | undefined> {
  const known = new Map<string, number | null | undefined>();
  threads?.tid.forEach((tid, row) => known.set(`${threads.pid[row]}:${tid}`, threads.cpuPercent[row]));
  return known;
}
