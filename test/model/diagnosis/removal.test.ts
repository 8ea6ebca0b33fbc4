import { beforeAll, describe, expect, test } from 'vitest';
import type { GpusSample, Sample } from '../../../src/model/samples.ts';
import type { Situation } from '../../../src/model/situations.ts';
import type { Verdict } from '../../../src/model/verdict-samples.ts';
import { hasStacks, samplesOfCapture, truths, verdictsOf } from './captured-runs.ts';

/** Columns of GPUs that are known or not together. */
const columns = {
  utilization: ['utilizationPercent', 'utilizationReadings'],
  'memory controller': ['memoryUtilizationPercent'],
  memory: ['memoryUsedBytes'],
  power: ['powerWatts', 'powerLimitWatts'],
  clocks: ['smClockMhz', 'smClockMaxMhz'],
  reasons: ['throttleReasons'],
  gpm: [
    ...['graphicsActivePercent', 'smActivePercent', 'smOccupancyPercent', 'tensorActivePercent', 'dramActivePercent'],
    ...['tensorDoubleActivePercent', 'tensorHalfActivePercent', 'pcieTxBytesPerSecond', 'pcieRxBytesPerSecond'],
    ...['nvlinkTxBytesPerSecond', 'nvlinkRxBytesPerSecond'],
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;
const kinds = ['gpus', 'threads', 'log', 'stacks', 'profile', 'waits'] as const;

describe.each(truths)('of %s', (name, situation) => {
  let samples: readonly Sample[] = [];
  beforeAll(async () => {
    samples = await samplesOfCapture(name, { stacks: hasStacks(name) });
  });

  test.each(Object.entries(columns))('no other verdict is sure without %s', (_what, gone) => {
    expect(wrong(samples.map((sample) => (sample.kind === 'gpus' ? without(sample, gone) : sample)))).toBeUndefined();
  });

  test.each(kinds)('no other verdict is sure without Samples of %s', (kind) => {
    expect(wrong(samples.filter((sample) => sample.kind !== kind))).toBeUndefined();
  });

  const wrong = (some: readonly Sample[]) => sureOfOther(verdictsOf(some), situation);
});

/** Both tell of GPUs: where one is not there, the other has less of it. */
test.each(
  truths.flatMap(([name, situation]) => ['nvidia-smi', 'dmon'].map((file) => [name, file, situation] as const)),
)('of %s no other verdict is sure without the file of %s', async (name, file, situation) => {
  expect(sureOfOther(verdictsOf(await samplesOfCapture(name, { without: [file] })), situation)).toBeUndefined();
});

function without(sample: GpusSample, gone: readonly string[]): GpusSample {
  return Object.fromEntries(Object.entries(sample).filter(([name]) => !gone.includes(name))) as unknown as GpusSample;
}

/** The first verdict, where it is another one and told as sure. */
function sureOfOther([first]: readonly Verdict[], truth: Situation): string | undefined {
  if (!first || first.situation === truth || first.situation === 'unknown') return undefined;
  return first.confidence >= 0.6 ? `${first.situation} ${first.confidence}` : undefined;
}
