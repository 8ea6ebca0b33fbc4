import type { Pace } from '../model/pace.ts';
import type { QueueDepth, QueueState } from '../model/queue-capacity.ts';
import type { StageState } from '../model/stage-shares.ts';
import type { Derived, TokenCounter } from '../model/throughput-derived.ts';
import type { Leader } from '../model/throughput-leaders.ts';
import type { RateSlot, RateStats } from '../model/throughput-rates.ts';
import type { Reading, ThroughputState } from '../model/throughput.ts';
import { queueFields, stageFields } from './parts.ts';
import * as is from './shape.ts';

const reading = is.object<Reading>({ value: is.number, time: is.moment });

/** How often lines of a kind come. */
export const paceShape = is.object<Pace>({ lastAt: is.moment, arrivedAt: is.moment, pausesMs: is.list(is.number) });

const slots = is.list(is.object<RateSlot>({ from: is.moment, sum: is.number, count: is.number }));

const rate = is.object<RateStats>({ best: reading, sum: is.number, count: is.number, seconds: slots, tens: slots });

const leader = is.object<Leader>({
  source: is.text,
  rank: is.optional(is.number),
  at: is.moment,
  pauseMs: is.optional(is.number),
});

const shape = is.object<ThroughputState>({
  source: is.optional(is.text),
  format: is.optional(is.text),
  pace: is.optional(paceShape),
  queuesPace: is.optional(paceShape),
  latest: is.object<ThroughputState['latest']>({
    step: is.optional(reading),
    totalSteps: is.optional(reading),
    epoch: is.optional(reading),
    loss: is.optional(reading),
    learningRate: is.optional(reading),
    gradNorm: is.optional(reading),
    tokensPerSecond: is.optional(reading),
    samplesPerSecond: is.optional(reading),
    stepSeconds: is.optional(reading),
    etaSeconds: is.optional(reading),
    mfuPercent: is.optional(reading),
    iterationsPerSecond: is.optional(reading),
    elapsedSeconds: is.optional(reading),
    tflopsPerSecond: is.optional(reading),
    memoryBytes: is.optional(reading),
    validationLoss: is.optional(reading),
    stepInEpoch: is.optional(reading),
    stepsPerEpoch: is.optional(reading),
  }),
  derived: is.optional(
    is.object<Derived>({
      stepSeconds: is.optional(reading),
      tokensPerSecond: is.optional(reading),
      iterationsPerSecond: is.optional(reading),
    }),
  ),
  tokensScope: is.optional(is.oneOf({ gpu: true, global: true })),
  rates: is.optional(
    is.object<NonNullable<ThroughputState['rates']>>({
      tokens: is.optional(rate),
      samples: is.optional(rate),
      steps: is.optional(rate),
    }),
  ),
  leaders: is.optional(is.record(leader)),
  recentSteps: is.list(reading),
  tokenCounter: is.optional(
    is.object<TokenCounter>({ key: is.text, readings: is.list(reading), falls: is.optional(is.yes) }),
  ),
  tokensPerStep: is.optional(is.number),
  segment: is.number,
  queues: is.record(
    is.object<QueueState>({
      ...queueFields,
      time: is.moment,
      learned: is.optional(is.yes),
      sameHigh: is.optional(is.number),
      lowMoved: is.optional(is.flag),
      recent: is.optional(is.list(is.object<QueueDepth>({ time: is.moment, low: is.number, high: is.number }))),
    }),
  ),
  stages: is.record(is.object<StageState>({ ...stageFields, time: is.moment, beforeMs: is.optional(is.number) })),
});

/** What a recording had of the tokens before there were rates: their best and their sum. */
const before = is.object<{ best?: Reading; sum?: number; count?: number }>({
  best: is.optional(reading),
  sum: is.optional(is.number),
  count: is.optional(is.number),
});

/** What the logs have said. */
export const throughputShape: is.Shape<ThroughputState> = (value) => {
  const state = shape(value);
  const { bestTokensPerSecond: best, tokensSum: sum, tokensCount: count } = value as Record<string, unknown>;
  if (state.rates || best === undefined) return state;
  const old = before({ best, sum, count });
  if (!old.best || !old.count) return state;
  return {
    ...state,
    rates: { tokens: { best: old.best, sum: old.sum ?? 0, count: old.count, seconds: [], tens: [] } },
  };
};
