import type { Column, GpusSample } from '../../samples.ts';

/** Columns of what is kept of each frame of a GPU, by their places. */
export const columnAt = {
  memoryBusy: 0,
  power: 1,
  powerLimit: 2,
  memoryUsed: 3,
  clock: 4,
  thermal: 5,
  powerCap: 6,
  powerBrake: 7,
  smActive: 8,
  smOccupancy: 9,
  tensor: 10,
  dram: 11,
  pcie: 12,
  nvlink: 13,
  utilization: 14,
  /** Milliseconds since the frame before that had the GPU's own counters. */
  countersGap: 15,
} as const;

/** How many there are. */
export const columnCount = Object.keys(columnAt).length;

/** What a frame says of one of its GPUs, in the order of `columnAt`; NaN: nothing. Reasons of the clocks are 0 or 1. */
export function columnsOf(frame: GpusSample, row: number, countersGap: number): readonly number[] {
  const reasons = frame.throttleReasons?.[row] ?? undefined;
  const is = (...names: readonly string[]) => (reasons ? Number(names.some((name) => reasons.includes(name))) : NaN);
  const isHot = is('hw thermal', 'sw thermal');
  return [
    at(frame.memoryUtilizationPercent, row),
    at(frame.powerWatts, row),
    at(frame.powerLimitWatts, row),
    at(frame.memoryUsedBytes, row),
    at(frame.smClockMhz, row),
    isHot,
    is('power cap'),
    // The driver sets `hw slowdown` beside `hw thermal` too: then it is the heat.
    isHot === 1 ? is('power brake', 'sync boost') : is('hw slowdown', 'power brake', 'sync boost'),
    at(frame.smActivePercent, row),
    at(frame.smOccupancyPercent, row),
    at(frame.tensorActivePercent, row),
    at(frame.dramActivePercent, row),
    at(frame.pcieRxBytesPerSecond, row) + at(frame.pcieTxBytesPerSecond, row),
    at(frame.nvlinkRxBytesPerSecond, row) + at(frame.nvlinkTxBytesPerSecond, row),
    at(frame.utilizationPercent, row),
    countersGap,
  ];
}

/** Whether a frame has the GPU's own counters (GPM). */
export function hasCounters(frame: GpusSample, row: number): boolean {
  return (frame.smActivePercent?.[row] ?? frame.tensorActivePercent?.[row] ?? null) !== null;
}

function at(column: Column | undefined, row: number): number {
  return column?.[row] ?? NaN;
}
