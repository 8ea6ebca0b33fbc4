import type { GpusSample, Sample } from '../../src/model/samples.ts';

/** Columns of GPUs that are known or not together. */
const columns = {
  utilization: ['utilizationPercent', 'utilizationReadings'],
  'memory controller': ['memoryUtilizationPercent'],
  memory: ['memoryUsedBytes'],
  power: ['powerWatts', 'powerLimitWatts'],
  clocks: ['smClockMhz', 'smClockMaxMhz'],
  reasons: ['throttleReasons'],
  counters: [
    ...['graphicsActivePercent', 'smActivePercent', 'smOccupancyPercent', 'tensorActivePercent', 'dramActivePercent'],
    ...['tensorDoubleActivePercent', 'tensorHalfActivePercent', 'pcieTxBytesPerSecond', 'pcieRxBytesPerSecond'],
    ...['nvlinkTxBytesPerSecond', 'nvlinkRxBytesPerSecond'],
  ],
} as const satisfies Readonly<Record<string, readonly (keyof GpusSample)[]>>;
const kinds = ['gpus', 'threads', 'log', 'host', 'stacks', 'profile', 'waits'] as const;

/** What a host may not tell: a source, or some columns of one. */
export type Removal = (typeof kinds)[number] | keyof typeof columns;

/** All of them. */
export const removals = [...kinds, ...Object.keys(columns)] as readonly Removal[];

/** A Sample without it; undefined: it is of that source. */
export function without(what: Removal, sample: Sample): Sample | undefined {
  if (sample.kind === what) return undefined;
  if (sample.kind !== 'gpus' || !(what in columns)) return sample;
  const gone: readonly string[] = columns[what as keyof typeof columns];
  if (!gone.some((name) => name in sample)) return sample;
  return Object.fromEntries(Object.entries(sample).filter(([name]) => !gone.includes(name))) as unknown as GpusSample;
}
