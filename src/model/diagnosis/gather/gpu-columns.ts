import type { Column, GpusSample } from '../../samples.ts';
import { thresholds } from '../thresholds.ts';

/** Columns of what is kept of each frame of a GPU, by their places. */
export const columnAt = {
  memoryBusy: 0,
  power: 1,
  powerLimit: 2,
  /** Only while it works: the clock of an idle GPU says nothing. */
  clockAtWork: 3,
  thermal: 4,
  powerCap: 5,
  powerBrake: 6,
} as const;

/** How many there are. */
export const columnCount = Object.keys(columnAt).length;

/** Columns of the GPU's own counters (GPM). */
export const counterAt = { smActive: 0, smOccupancy: 1, tensor: 2, dram: 3, pcie: 4, nvlink: 5 } as const;

/** How many there are. */
export const counterCount = Object.keys(counterAt).length;

/** What a frame says of one of its GPUs, in the order of `columnAt`; NaN: nothing. Reasons of the clocks are 0 or 1. */
export function columnsOf(frame: GpusSample, row: number): readonly number[] {
  const reasons = frame.throttleReasons?.[row] ?? undefined;
  const is = (...names: readonly string[]) => (reasons ? Number(names.some((name) => reasons.includes(name))) : NaN);
  const isHot = is('hw thermal', 'sw thermal');
  return [
    at(frame.memoryUtilizationPercent, row),
    at(frame.powerWatts, row),
    at(frame.powerLimitWatts, row),
    at(frame.utilizationPercent, row) > thresholds.idle.value ? at(frame.smClockMhz, row) : NaN,
    isHot,
    is('power cap'),
    // The driver sets `hw slowdown` beside `hw thermal` too: then it is the heat.
    isHot === 1 ? is('power brake', 'sync boost') : is('hw slowdown', 'power brake', 'sync boost'),
  ];
}

/** The counters, in the order of `counterAt`; undefined: the frame has none. */
export function countersOf(frame: GpusSample, row: number): readonly number[] | undefined {
  const values = [
    at(frame.smActivePercent, row),
    at(frame.smOccupancyPercent, row),
    at(frame.tensorActivePercent, row),
    at(frame.dramActivePercent, row),
    at(frame.pcieRxBytesPerSecond, row) + at(frame.pcieTxBytesPerSecond, row),
    at(frame.nvlinkRxBytesPerSecond, row) + at(frame.nvlinkTxBytesPerSecond, row),
  ];
  return values.some(Number.isFinite) ? values : undefined;
}

function at(column: Column | undefined, row: number): number {
  return column?.[row] ?? NaN;
}
