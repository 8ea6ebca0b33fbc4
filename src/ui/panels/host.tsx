import { busiestSeconds } from '../../model/facts.ts';
import type { State } from '../../model/store.ts';
import { formatCpu } from '../parts/format.ts';
import type { Line, Segment } from '../parts/line.ts';
import { dotted, rightCell } from '../parts/meter.ts';
import { headerLine, placeColumns, rowLine, type Column } from '../parts/table.ts';
import { fitText } from '../parts/width.ts';
import { hostMeters } from './host-parts.ts';
import { panelComponent } from './panel-component.tsx';
import type { Panel, PanelBody, PanelInput } from './panel.ts';

/** The host as a whole, then the busiest threads there that are not the run's. */
export function hostLines(input: PanelInput): PanelBody {
  const { state, width, height } = input;
  if (width < 1 || height < 1) return { lines: [] };
  const meters = state.host ? hostMeters(input, state.host) : [];
  const room = height - meters.length;
  const lines = [
    ...meters,
    ...(room > 1 || (room === 1 && !state.busiest) ? neighbourLines(state, width).slice(0, room) : []),
  ];
  return { lines: lines.slice(0, height), note: noteOf(state) };
}

/** The host's panel. */
export const hostPanel: Panel = {
  id: 'host',
  digit: '6',
  title: 'Host',
  Component: panelComponent({
    title: 'Host',
    digit: '6',
    slices: ['host', 'busiest', 'facts', 'disks'],
    sources: ['host', 'busiest'],
    body: hostLines,
    hasData: ({ host, busiest }) => host !== undefined || busiest !== undefined,
  }),
};

interface Neighbour {
  readonly tid: number;
  readonly user: string;
  readonly comm: string;
  readonly cpuPercent: number | null;
}

/** Who else takes cores: `top -H` names threads, so the run's are told by its TIDs too. traintop is no neighbour: it has its cost. */
function neighbours({ busiest, threads, run, host }: State): readonly Neighbour[] {
  if (!busiest) return [];
  const own = new Set<number | null | undefined>([
    ...(threads?.tid ?? []),
    ...(run?.run?.processes.map(({ pid }) => pid) ?? []),
    ...(host?.costPids ?? []),
  ]);
  const rows: Neighbour[] = [];
  busiest.tid.forEach((tid, i) => {
    const cpuPercent = busiest.cpuPercent[i] ?? null;
    if (own.has(tid) || own.has(busiest.pid[i]) || (cpuPercent ?? 0) < 0.5) return;
    rows.push({ tid, user: busiest.user[i] ?? '', comm: busiest.comm[i] ?? '', cpuPercent });
  });
  return rows.sort((a, b) => Math.round(b.cpuPercent ?? 0) - Math.round(a.cpuPercent ?? 0) || a.tid - b.tid);
}

const columns: readonly Column<Neighbour>[] = [
  { title: 'NEIGHBOURS', width: 10, maxWidth: 18, priority: 0, cell: ({ comm }, w) => ({ text: fitText(comm, w) }) },
  {
    title: 'USER',
    width: 8,
    maxWidth: 12,
    priority: 2,
    cell: ({ user }, w) => ({ text: fitText(user, w), tone: 'dim' }),
  },
  { title: 'TID', width: 7, align: 'right', priority: 1, cell: ({ tid }, w) => rightCell(String(tid), w) },
  {
    title: 'CPU%',
    width: 5,
    align: 'right',
    priority: 0,
    cell: ({ cpuPercent }, w) => rightCell(formatCpu(cpuPercent), w),
  },
];

/** The first frame of `top` is as late as all others. */
const firstReading = ({ facts }: State) => `neighbours: first reading after ${busiestSeconds(facts ?? {})} s`;

/** They will come: their source was started, and neither failed nor is there none. */
function isExpected({ sources }: State): boolean {
  const status = sources.get('busiest')?.status;
  return status === 'waiting' || status === 'live';
}

function neighbourLines(state: State, width: number): readonly Line[] {
  const rows = neighbours(state);
  if (!state.busiest) return isExpected(state) ? [[{ text: fitText(firstReading(state), width), tone: 'dim' }]] : [];
  if (rows.length === 0) return [[{ text: fitText('no busy threads but the run’s', width), tone: 'dim' }]];
  const placed = placeColumns(columns, width);
  return [headerLine(placed, width), ...rows.map((row) => rowLine(placed, row, { width }))];
}

function noteOf({ facts, busiest }: State): Line {
  const pieces: Segment[] = [];
  if (facts?.cores !== undefined) pieces.push({ text: `${facts.cores} cores`, tone: 'dim' });
  if (busiest?.threadsTotal !== undefined) pieces.push({ text: `${busiest.threadsTotal} threads`, tone: 'dim' });
  return dotted(pieces);
}
