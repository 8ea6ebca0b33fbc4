import type { GpusSample, Sample } from '../../src/model/samples.ts';

/** Columns of GPUs that are known or not together. */
const columns = {
  utilization: ['utilizationPercent', 'utilizationReadings'],
  power: ['powerWatts', 'powerLimitWatts'],
  counters: ['smActivePercent', 'smOccupancyPercent', 'tensorActivePercent', 'dramActivePercent'],
} as const satisfies Readonly<Record<string, readonly (keyof GpusSample)[]>>;

/** The others carry no verdict of the demo: they are judged one by one where captures are. */
const kinds = ['gpus', 'threads', 'log', 'host'] as const;

/** What a host may not tell: a source, or some columns of one. */
export const removals: readonly { readonly what: string; readonly keep: (sample: Sample) => Sample | undefined }[] = [
  ...kinds.map((kind) => ({ what: kind, keep: (sample: Sample) => (sample.kind === kind ? undefined : sample) })),
  ...Object.entries(columns).map(([what, names]) => ({
    what,
    keep: (sample: Sample) => (sample.kind === 'gpus' ? without(sample, names) : sample),
  })),
];

function without(sample: GpusSample, names: readonly string[]): GpusSample {
  return Object.fromEntries(Object.entries(sample).filter(([name]) => !names.includes(name))) as unknown as GpusSample;
}
