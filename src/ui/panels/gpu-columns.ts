import { seriesName } from '../../model/history.ts';
import type { GpusSample } from '../../model/samples.ts';
import { bar } from '../parts/bar.ts';
import { absent, formatFixed, formatGib, formatPercent } from '../parts/format.ts';
import type { Line, Segment, Tone } from '../parts/line.ts';
import { rightCell } from '../parts/meter.ts';
import { meanSlots, slotsOf, slotsPerCell, spark } from '../parts/spark.ts';
import type { Column } from '../parts/table.ts';
import { fitText } from '../parts/width.ts';
import { drawnAt } from '../use-store.ts';
import { counterColumns, gpuCounters, roomForAll, type GpuCounters } from './gpu-counters.ts';
import type { PanelInput } from './panel.ts';

/** One GPU of a frame, columns joined. */
export interface GpuRow {
  readonly uuid: string;
  readonly index: number;
  readonly utilization: number | undefined;
  readonly used: number | undefined;
  readonly total: number | undefined;
  readonly power: number | undefined;
  readonly limit: number | undefined;
  readonly temperature: number | undefined;
  readonly clock: number | undefined;
  /** Of one GPU. */
  readonly counters?: GpuCounters;
  readonly reasons: readonly string[];
  readonly fault: string | undefined;
  /** Rank or PID, '' when not known. */
  readonly holder: string;
  /** What it is for, as the user says. */
  readonly role?: string;
  /** This row says what these do together. */
  readonly group?: readonly GpuRow[];
}

/** The rows of a frame. */
export function gpuRows(gpus: GpusSample, holders: readonly string[]): readonly GpuRow[] {
  return gpus.uuid.map((uuid, i) => ({
    uuid,
    index: gpus.index[i] ?? i,
    utilization: gpus.utilizationPercent?.[i] ?? undefined,
    used: gpus.memoryUsedBytes?.[i] ?? undefined,
    total: gpus.memoryTotalBytes?.[i] ?? undefined,
    power: gpus.powerWatts?.[i] ?? undefined,
    limit: gpus.powerLimitWatts?.[i] ?? undefined,
    temperature: gpus.temperatureCelsius?.[i] ?? undefined,
    clock: gpus.smClockMhz?.[i] ?? undefined,
    counters: gpuCounters(gpus, i),
    reasons: gpus.throttleReasons?.[i] ?? [],
    fault: gpus.faults?.[i] ?? undefined,
    holder: holders[i] ?? '',
  }));
}

/** The columns of the table, the wide ones growing. */
export function gpuColumns(input: PanelInput): readonly Column<GpuRow>[] {
  const role: readonly Column<GpuRow>[] = input.state.gpuRoles
    ? [{ title: 'ROLE', width: 9, maxWidth: 14, priority: 1.5, cell: roleCell }]
    : [];
  const counters = counterColumns<GpuRow>(input);
  return [
    {
      title: '#',
      width: 2,
      align: 'right',
      priority: 0,
      cell: ({ index, group }, w) => rightCell(group ? `×${group.length}` : String(index), w, 'dim'),
    },
    ...role,
    { title: 'UTIL', width: 6, maxWidth: 12, priority: 3, cell: utilizationBar },
    { title: '', width: 4, align: 'right', priority: 0, cell: (g, w) => rightCell(formatPercent(g.utilization), w) },
    { title: 'HISTORY', width: 8, maxWidth: 120, priority: 5, cell: (g, w) => utilizationGraph(input, g, w) },
    ...(counters.length > 0 && input.width < roomForAll ? [] : [memoryBar]),
    {
      title: 'GiB',
      width: 8,
      align: 'right',
      priority: 1,
      cell: (g, w) => rightCell(ofTotal(formatGib(g.used), g.total && formatGib(g.total)), w),
    },
    {
      title: 'POWER W',
      width: 9,
      align: 'right',
      priority: 2,
      cell: (g, w) => rightCell(ofTotal(formatFixed(g.power, 0), g.limit && formatFixed(g.limit, 0)), w),
    },
    {
      title: 'TEMP',
      width: 5,
      align: 'right',
      priority: 4,
      cell: (g, w) => rightCell(celsius(g.temperature), w, heat(g.temperature)),
    },
    {
      title: 'MHz',
      width: 4,
      align: 'right',
      priority: 9,
      cell: (g, w) => rightCell(g.group ? '' : formatFixed(g.clock, 0), w),
    },
    ...counters,
    {
      title: 'HELD BY',
      width: 7,
      maxWidth: 9,
      priority: 5,
      cell: ({ holder, group }, w) => left(holder || (group ? '' : absent), w, holder ? 'plain' : 'dim'),
    },
    { title: 'THROTTLE', width: 10, maxWidth: 20, priority: 4, cell: (g, w) => left(words(g), w, toneOf(g)) },
  ];
}

/** What GiB says in digits. */
const memoryBar: Column<GpuRow> = {
  title: 'MEMORY',
  width: 4,
  maxWidth: 8,
  priority: 8,
  cell: (g, w) => bar([{ share: share(g.used, g.total), tone: 'series2' }], w),
};

/** `0 ▇▇▇▇▇▆ 98% 118G 640W 57°!`, 27 cells and more: bar and graph take what is left, or the fault that stands for them. */
export function compactGpu(
  input: PanelInput,
  gpu: GpuRow,
  size: { readonly width: number; readonly digits: number },
): Line {
  const rest: Line = [
    rightCell(formatPercent(gpu.utilization), 5),
    rightCell(gpu.used === undefined ? absent : `${formatGib(gpu.used)}G`, 5),
    rightCell(gpu.power === undefined ? absent : `${Math.round(gpu.power)}W`, 5),
    rightCell(gpu.temperature === undefined ? absent : `${Math.round(gpu.temperature)}°`, 4, heat(gpu.temperature)),
    { text: gpu.fault || severe(gpu) ? '!' : gpu.reasons.length > 0 ? '*' : ' ', tone: toneOf(gpu) },
  ];
  const taken = rest.reduce((sum, { text }) => sum + text.length, size.digits + 1);
  const room = Math.max(0, size.width - taken);
  const head: Line = [rightCell(String(gpu.index), size.digits, 'dim'), { text: ' ' }];
  if (gpu.fault !== undefined && gpu.utilization === undefined) return [...head, left(gpu.fault, room, 'bad'), ...rest];
  if (room < 20) return [...head, ...utilizationBar(gpu, room), ...rest];
  const bars = Math.min(16, Math.floor(room / 2));
  return [...head, ...utilizationBar(gpu, bars), { text: ' ' }, utilizationGraph(input, gpu, room - bars - 1), ...rest];
}

/** How bad what limits this GPU is. The power cap is what a well-fed GPU runs into: worth a word, no alarm. */
export function toneOf(gpu: GpuRow): Tone {
  if (gpu.fault !== undefined || severe(gpu)) return 'bad';
  return gpu.reasons.length > 0 ? 'warn' : 'plain';
}

/** What limits this GPU, or what stood where a value should be. */
export function words({ fault, reasons }: GpuRow): string {
  return [...(fault === undefined ? [] : [fault]), ...reasons].join(', ');
}

function severe({ reasons }: GpuRow): boolean {
  return reasons.some((reason) => /thermal|brake|hw slow/.test(reason));
}

function utilizationBar({ utilization }: GpuRow, width: number): Line {
  return bar([{ share: share(utilization, 100), tone: 'series1' }], width);
}

/** The role; of a group in bold above its GPUs. */
function roleCell({ role = '', group }: GpuRow, width: number): Segment {
  return { text: fitText(role, width), tone: group ? 'strong' : 'dim' };
}

function utilizationGraph({ history, state, intervalMs }: PanelInput, gpu: GpuRow, width: number): Segment {
  const each = (gpu.group ?? [gpu]).map(({ uuid }) =>
    slotsOf(history.get(seriesName.gpu(uuid, 'utilization')), {
      to: drawnAt(state),
      slotMs: intervalMs,
      count: width * slotsPerCell,
    }),
  );
  const values = meanSlots(each);
  return { text: spark({ values, rows: 1, minimum: 0, maximum: 100 })[0] ?? '', tone: 'series1' };
}

function share(value: number | undefined, of: number | undefined): number | undefined {
  return value === undefined || !of ? undefined : value / of;
}

function ofTotal(value: string, total: string | 0 | undefined): string {
  return total ? `${value}/${total}` : value;
}

function celsius(value: number | undefined): string {
  return value === undefined ? absent : `${Math.round(value)}°C`;
}

/** H100 and H200 slow down from 87 °C; at 80 the cooling is worth a look. */
function heat(celsius: number | undefined): Tone {
  if (celsius === undefined || celsius < 80) return 'plain';
  return celsius < 87 ? 'warn' : 'bad';
}

function left(text: string, width: number, tone: Tone = 'plain'): Segment {
  return { text: fitText(text, width), tone };
}
