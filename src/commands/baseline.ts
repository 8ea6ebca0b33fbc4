import { basename } from 'node:path';
import { systemClock } from '../clock.ts';
import { UsageFault } from '../config/check-options.ts';
import type { Options } from '../config/options.ts';
import { seriesName } from '../model/history.ts';
import type { LogField, SettingsSample } from '../model/samples.ts';
import type { Store } from '../model/store.ts';
import { safeText } from '../model/text.ts';
import { summariseThroughput } from '../model/throughput-summary.ts';
import type { RateUnit } from '../model/throughput.ts';
import { createPlayer } from '../recording/player.ts';
import { openRecording } from '../recording/recording.ts';

type Told = Extract<Options['baseline'], { readonly value: number }>;

/** The options with a baseline that is a number. Rejects with a RecordingFault or a UsageFault where the recording tells none. */
export async function withBaseline(options: Options): Promise<Options> {
  const { baseline } = options;
  if (!baseline || 'value' in baseline) return options;
  return Object.freeze({ ...options, baseline: await readBaseline(baseline.recording) });
}

/** As a Sample has it. */
export function baselineFields({ value, unit, from }: Told): Partial<SettingsSample> {
  return {
    baseline: value,
    ...(unit !== undefined && { baselineUnit: unit }),
    ...(from !== undefined && { baselineFrom: safeText(from) }),
  };
}

async function readBaseline(path: string): Promise<Told> {
  const recording = await openRecording(path);
  const player = createPlayer({ recording, clock: systemClock });
  try {
    await player.seek(recording.to);
    const { throughput } = player.store.getState();
    const { rate } = summariseThroughput(throughput, recording.to);
    if (!rate)
      throw new UsageFault(
        `--baseline: the log in ${path} tells no speed; name another recording, or a number as in 14.5K.`,
      );
    const median = medianMinute(player.store, recording, rate.unit) ?? rate.mean;
    return { value: Number(median.toPrecision(6)), unit: rate.unit, from: nameOf(recording.path) };
  } finally {
    await player.close();
  }
}

const fields: Readonly<Record<RateUnit, LogField>> = {
  tokens: 'tokensPerSecond',
  samples: 'samplesPerSecond',
  steps: 'iterationsPerSecond',
};

/** Of the minutes' means: neither the start nor a pause for an evaluation moves it. */
function medianMinute(store: Store, { from, to }: { readonly from: number; readonly to: number }, unit: RateUnit) {
  const minutes = Math.min(2880, Math.max(1, Math.floor((to - from) / 60_000)));
  const means = store.history.get(seriesName.log(fields[unit]))?.buckets(from, to, minutes) ?? [];
  const sorted = means.flatMap((mean) => (mean === null || !Number.isFinite(mean) ? [] : [mean])).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

const nameOf = (path: string) => basename(path).slice(0, 60);
