import { seriesName } from '../../model/history.ts';
import type { GpusSample } from '../../model/samples.ts';
import { absent, formatBytesShort, formatPercent } from '../parts/format.ts';
import { rightCell } from '../parts/meter.ts';
import type { Column } from '../parts/table.ts';
import { drawnAt } from '../use-store.ts';
import type { PanelInput } from './panel.ts';

/** The GPU's own counters (GPM) in a frame: shares in percent, rates in bytes a second, both ways together. */
export interface GpuCounters {
  readonly smActive: number | undefined;
  readonly occupancy: number | undefined;
  readonly tensor: number | undefined;
  readonly dram: number | undefined;
  readonly pcie: number | undefined;
  readonly nvlink: number | undefined;
  /** Epoch ms of the round. */
  readonly at: number | undefined;
}

/** From here on nothing makes room for the counters. */
export const roomForAll = 140;

interface CountedRow {
  readonly counters?: GpuCounters;
  readonly group?: readonly CountedRow[];
}

/** Those of one row of the frame. */
export function gpuCounters(gpus: GpusSample, row: number): GpuCounters {
  return {
    smActive: gpus.smActivePercent?.[row] ?? undefined,
    occupancy: gpus.smOccupancyPercent?.[row] ?? undefined,
    tensor: gpus.tensorActivePercent?.[row] ?? undefined,
    dram: gpus.dramActivePercent?.[row] ?? undefined,
    pcie: both(gpus.pcieRxBytesPerSecond?.[row], gpus.pcieTxBytesPerSecond?.[row]),
    nvlink: both(gpus.nvlinkRxBytesPerSecond?.[row], gpus.nvlinkTxBytesPerSecond?.[row]),
    at: gpus.countersTime?.[row] ?? undefined,
  };
}

/**
 * Columns of what this host's GPUs have told at any time, so that a late round moves nothing. Of a group shares are means and rates sums. Live they come
 * once a minute: in between they are dimmed.
 */
export function counterColumns<Row extends CountedRow>({ state, history, width }: PanelInput): readonly Column<Row>[] {
  const isTold = state.gpus?.uuid.some((uuid) => history.get(seriesName.gpu(uuid, 'smActive'))?.last() !== undefined);
  if (!isTold || width < fromShares) return [];
  const now = drawnAt(state);
  return [...shares, ...(width < fromRates ? [] : rates)].map(({ title, of, isRate }) => ({
    title,
    width: Math.max(4, title.length),
    align: 'right',
    priority: 10,
    cell: ({ counters, group }, size) => {
      const value = group ? ofGroup(group, of, isRate) : counters?.[of];
      const text = isRate ? (value === undefined ? absent : formatBytesShort(value)) : formatPercent(value);
      const isOld = (group ?? [{ counters }]).some((row) => now - (row.counters?.at ?? now) > freshMs);
      return rightCell(text, size, isOld ? 'dim' : 'plain');
    },
  }));
}

/** Older values are dimmed. */
const freshMs = 5000;

/** So wide is the panel on a screen of 120 columns, and of 200. */
const fromShares = 114;
const fromRates = roomForAll;

type CounterName = Exclude<keyof GpuCounters, 'at'>;

interface Counter {
  readonly title: string;
  readonly of: CounterName;
  readonly isRate: boolean;
}

const shares: readonly Counter[] = [
  { title: 'SM', of: 'smActive', isRate: false },
  { title: 'OCC', of: 'occupancy', isRate: false },
  { title: 'TENSOR', of: 'tensor', isRate: false },
  { title: 'DRAM', of: 'dram', isRate: false },
];
const rates: readonly Counter[] = [
  { title: 'PCIE/s', of: 'pcie', isRate: true },
  { title: 'NVLINK/s', of: 'nvlink', isRate: true },
];

function both(received: number | null | undefined, sent: number | null | undefined): number | undefined {
  const told = [received, sent].filter((value) => typeof value === 'number');
  return told.length === 0 ? undefined : told.reduce((a, b) => a + b, 0);
}

function ofGroup(group: readonly CountedRow[], of: CounterName, isSum: boolean): number | undefined {
  const values = group.map(({ counters }) => counters?.[of]).filter((value) => value !== undefined);
  // A sum that lacks one of them is none.
  if (values.length === 0 || (isSum && values.length < group.length)) return undefined;
  const sum = values.reduce((a, b) => a + b, 0);
  return isSum ? sum : sum / values.length;
}
