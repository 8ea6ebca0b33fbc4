import type { QueueState } from './queue-capacity.ts';
import type { Reading } from './ring.ts';
import type { SettingsSample } from './samples.ts';
import { shareStages, type ShareOf, type StageShare } from './stage-shares.ts';
import type { RateUnit, ThroughputState } from './throughput.ts';
import { counterRate, meansOf } from './throughput-rates.ts';

/** The speed of the run, in what the log tells it best: tokens, samples or steps a second. */
export interface RateSummary {
  readonly unit: RateUnit;
  readonly now: Reading;
  /** The log does not print it. */
  readonly derived?: true;
  readonly meanMinute?: number;
  readonly meanQuarter?: number;
  /** Over all of the run. */
  readonly mean: number;
  readonly best: Reading;
  /** Of now in the best, 0 to 1. */
  readonly shareOfBest: number;
  readonly baseline?: Baseline;
}

/** What the user compares with. */
export interface Baseline {
  readonly value: number;
  /** The recording that it is from. */
  readonly from?: string;
  /** Of the minute's mean against it, as a part of it: -0.1 is a tenth slower. */
  readonly difference: number;
}

/** What a panel shows of the logs. Rates are per second; a mean is absent where nothing was printed. */
export interface ThroughputSummary {
  readonly format?: string;
  readonly rate?: RateSummary;
  /** Absent: the log does not say whether it is all GPUs' or one's. */
  readonly tokensScope?: 'gpu' | 'global';
  readonly tokensPerSecond?: Reading;
  readonly samplesPerSecond?: Reading;
  readonly iterationsPerSecond?: Reading;
  readonly loss?: Reading;
  readonly validationLoss?: Reading;
  readonly learningRate?: Reading;
  readonly gradNorm?: Reading;
  readonly mfuPercent?: Reading;
  readonly tflopsPerSecond?: Reading;
  readonly memoryBytes?: Reading;
  readonly epoch?: Reading;
  readonly step?: Reading;
  readonly totalSteps?: number;
  readonly stepInEpoch?: Reading;
  readonly stepsPerEpoch?: number;
  readonly stepSeconds?: number;
  /** From `now` on: of the whole run, and of this epoch. */
  readonly etaSeconds?: number;
  readonly epochEtaSeconds?: number;
  readonly elapsedSeconds?: Reading;
  /** Fields here that the log does not print: they are made of others. */
  readonly derived: readonly DerivedField[];
  readonly segment: number;
  readonly queues: readonly QueueState[];
  readonly stages: readonly StageShare[];
  readonly stageShareOf: ShareOf;
}

/** What can be derived. */
export type DerivedField = 'tokensPerSecond' | 'iterationsPerSecond' | 'stepSeconds' | 'etaSeconds' | 'epochEtaSeconds';

type Settings = Pick<SettingsSample, 'baseline' | 'baselineUnit' | 'baselineFrom'>;

/** The state as it stands at `now`. */
export function summariseThroughput(state: ThroughputState, now: number, settings: Settings = {}): ThroughputSummary {
  const { latest, derived = {} } = state;
  const step = stepTime(state);
  const rate = rateOf(state, now, settings);
  const etas = etasOf({ latest, stepSeconds: step?.seconds, now });
  const iterations = latest.iterationsPerSecond ?? derived.iterationsPerSecond;
  const tokens = latest.tokensPerSecond ?? derived.tokensPerSecond;
  const shares = shareStages(Object.values(state.stages), step && step.seconds * 1000);
  const isDerived: Readonly<Record<DerivedField, boolean>> = {
    tokensPerSecond: tokens !== undefined && !latest.tokensPerSecond,
    iterationsPerSecond: iterations !== undefined && !latest.iterationsPerSecond,
    stepSeconds: step?.derived ?? false,
    etaSeconds: etas.etaSeconds !== undefined && !etas.printed,
    epochEtaSeconds: etas.epochEtaSeconds !== undefined && !etas.printed,
  };
  return {
    ...pick(state, ['format', 'tokensScope']),
    ...(rate && { rate }),
    ...(tokens && { tokensPerSecond: tokens }),
    ...(iterations && { iterationsPerSecond: iterations }),
    ...pick(latest, [
      'samplesPerSecond',
      'loss',
      'validationLoss',
      'learningRate',
      'gradNorm',
      'mfuPercent',
      'tflopsPerSecond',
      'memoryBytes',
      'epoch',
      'step',
      'stepInEpoch',
      'elapsedSeconds',
    ]),
    ...(latest.totalSteps && { totalSteps: latest.totalSteps.value }),
    ...(latest.stepsPerEpoch && { stepsPerEpoch: latest.stepsPerEpoch.value }),
    ...(step && { stepSeconds: step.seconds }),
    ...pick(etas, ['etaSeconds', 'epochEtaSeconds']),
    derived: (Object.keys(isDerived) as DerivedField[]).filter((field) => isDerived[field]),
    segment: state.segment,
    queues: Object.values(state.queues),
    stages: shares.stages,
    stageShareOf: shares.of,
  };
}

function rateOf(state: ThroughputState, now: number, settings: Settings): RateSummary | undefined {
  const { latest, derived, rates = {} } = state;
  const readings = {
    tokens: latest.tokensPerSecond ?? derived?.tokensPerSecond,
    samples: latest.samplesPerSecond,
    steps: latest.iterationsPerSecond ?? derived?.iterationsPerSecond,
  };
  const printed = {
    tokens: latest.tokensPerSecond,
    samples: latest.samplesPerSecond,
    steps: latest.iterationsPerSecond,
  };
  for (const unit of ['tokens', 'samples', 'steps'] as const) {
    const [reading, stats] = [readings[unit], rates[unit]];
    if (!reading || !stats) continue;
    const { minute, quarter } = meansOf(stats, now);
    const { baseline, baselineUnit = unit, baselineFrom } = settings;
    return {
      unit,
      now: reading,
      ...(!printed[unit] && { derived: true as const }),
      ...(minute !== undefined && { meanMinute: minute }),
      ...(quarter !== undefined && { meanQuarter: quarter }),
      mean: stats.sum / stats.count,
      best: stats.best,
      shareOfBest: reading.value / stats.best.value,
      ...(baseline !== undefined &&
        baselineUnit === unit && {
          baseline: {
            value: baseline,
            ...(baselineFrom !== undefined && { from: baselineFrom }),
            difference: (minute ?? reading.value) / baseline - 1,
          },
        }),
    };
  }
  return undefined;
}

const minuteMs = 60_000;

/** As printed; else the inverse of the printed rate; else from the times of the steps. */
function stepTime({
  latest,
  recentSteps,
}: ThroughputState): { readonly seconds: number; readonly derived: boolean } | undefined {
  const { stepSeconds, iterationsPerSecond } = latest;
  if (stepSeconds) return { seconds: stepSeconds.value, derived: false };
  const last = recentSteps.at(-1);
  const rate =
    iterationsPerSecond?.value ??
    counterRate(
      recentSteps.filter(({ time }) => time >= (last?.time ?? 0) - minuteMs),
      minuteMs,
    ) ??
    counterRate(recentSteps.slice(-2), 0);
  return rate !== undefined && rate > 0 ? { seconds: 1 / rate, derived: true } : undefined;
}

interface EtaInput {
  readonly latest: ThroughputState['latest'];
  readonly stepSeconds: number | undefined;
  readonly now: number;
}

interface Etas {
  readonly etaSeconds?: number;
  readonly epochEtaSeconds?: number;
  readonly printed?: true;
}

/** What the trainer printed, less the time since; else the remaining steps at the step time. */
function etasOf({ latest, stepSeconds, now }: EtaInput): Etas {
  const { etaSeconds, step, totalSteps, stepInEpoch, stepsPerEpoch } = latest;
  const counted = step ?? stepInEpoch;
  const whole = remaining({ at: step, total: totalSteps, stepSeconds, now });
  const epoch = remaining({ at: stepInEpoch, total: stepsPerEpoch, stepSeconds, now });
  if (!etaSeconds || (counted && etaSeconds.time < counted.time)) {
    return {
      ...(whole !== undefined && { etaSeconds: whole }),
      ...(epoch !== undefined && { epochEtaSeconds: epoch }),
    };
  }
  const left = Math.max(0, etaSeconds.value - Math.max(0, now - etaSeconds.time) / 1000);
  // A bar over the steps of an epoch tells when that is over; a trainer that counts in epochs may tell the end of all.
  const isEpochs =
    stepInEpoch !== undefined &&
    stepsPerEpoch !== undefined &&
    !totalSteps &&
    (epoch === undefined || left < 1.5 * epoch + 5);
  return isEpochs ? { epochEtaSeconds: left, printed: true } : { etaSeconds: left, printed: true };
}

function remaining(init: {
  readonly at: Reading | undefined;
  readonly total: Reading | undefined;
  readonly stepSeconds: number | undefined;
  readonly now: number;
}): number | undefined {
  const { at, total, stepSeconds, now } = init;
  if (!at || !total || stepSeconds === undefined || total.value < at.value) return undefined;
  const since = Math.max(0, now - at.time) / 1000;
  // A run that stands still does not come nearer to its end: at most one step has passed since it was printed.
  return Math.max(0, (total.value - at.value) * stepSeconds - Math.min(since, stepSeconds));
}

function pick<T extends object, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.flatMap((key) => (from[key] === undefined ? [] : [[key, from[key]]]))) as Pick<T, K>;
}
