import type { LogField, LogLine, LogSample, LogValues, QueueReading, StageReading } from './samples.ts';
import { keepPace, type Pace } from './pace.ts';
import { learnCapacity, type QueueState } from './queue-capacity.ts';

/** A value and when the log said it. */
export interface Reading {
  readonly value: number;
  readonly time: number;
}

/** What the logs have said so far; grown by `reduceThroughput`, read by `summariseThroughput`. JSON-safe and bounded. */
export interface ThroughputState {
  /** Whose values these are. */
  readonly source?: string;
  readonly format?: string;
  /** Of lines with values that are one number, and of those with queues or stages. */
  readonly pace?: Pace;
  readonly queuesPace?: Pace;
  readonly latest: Readonly<Partial<Record<LogField, Reading>>>;
  readonly tokensScope?: 'gpu' | 'global';
  readonly bestTokensPerSecond?: Reading;
  /** Over all readings since the first above zero. */
  readonly tokensSum: number;
  readonly tokensCount: number;
  /** The last minute's, oldest first. */
  readonly recentTokens: readonly Reading[];
  /** Steps with a time of their own, of this segment, oldest first. */
  readonly recentSteps: readonly Reading[];
  /** Counts restarts of the step: a fall begins a new segment. */
  readonly segment: number;
  readonly queues: Readonly<Record<string, QueueState>>;
  readonly stages: Readonly<Record<string, StageReading & { readonly time: number }>>;
}

const fields: readonly LogField[] = [
  'step',
  'totalSteps',
  'epoch',
  'loss',
  'learningRate',
  'gradNorm',
  'tokensPerSecond',
  'samplesPerSecond',
  'stepSeconds',
  'etaSeconds',
  'mfuPercent',
  'iterationsPerSecond',
  'elapsedSeconds',
  'tflopsPerSecond',
  'memoryBytes',
  'validationLoss',
  'stepInEpoch',
  'stepsPerEpoch',
];

const minuteMs = 60_000;
const mostRecent = 240;
/** Queues, and stages, that are kept: a log may name them anew in each line. */
export const mostNames = 64;

/** Before any log line. */
export const emptyThroughput: ThroughputState = {
  latest: {},
  tokensSum: 0,
  tokensCount: 0,
  recentTokens: [],
  recentSteps: [],
  segment: 0,
  queues: {},
  stages: {},
};

/** Takes the lines of one LogSample in; pure. */
export function reduceThroughput(state: ThroughputState, sample: LogSample): ThroughputState {
  const valued = sample.lines.filter(({ values }) => fields.some((field) => values?.[field] !== undefined));
  const queued = sample.lines.filter(({ values }) => values?.queues !== undefined || values?.stages !== undefined);
  const pace = keepPace(state.pace, sample, valued);
  const queuesPace = keepPace(state.queuesPace, sample, queued);
  // Of several logs the one that gives values counts, whichever spoke last.
  const isOurs = valued.length > 0 || state.source === undefined || state.source === sample.source;
  const next: ThroughputState = {
    ...state,
    ...(isOurs && { source: sample.source, format: sample.format }),
    ...(pace && { pace }),
    ...(queuesPace && { queuesPace }),
  };
  return sample.lines.reduce((now, line) => {
    // A line of the backlog without a stamp has only the time at which it was read.
    const dated = !line.undated && (!sample.backlog || line.time !== sample.receivedAt);
    return line.values ? takeLine(now, { line, values: line.values, dated }) : now;
  }, next);
}

interface Taken {
  readonly line: LogLine;
  readonly values: LogValues;
  readonly dated: boolean;
}

function takeLine(state: ThroughputState, { line, values, dated }: Taken): ThroughputState {
  const { time } = line;
  const latest = { ...state.latest };
  for (const field of fields) {
    const value = values[field];
    if (value !== undefined) latest[field] = { value, time };
  }
  return {
    ...state,
    latest,
    ...takeStep(state, values.step, dated ? time : undefined),
    ...takeTokens(state, values, time),
    ...(values.queues && { queues: takeQueues(state.queues, values.queues, time) }),
    ...(values.stages && { stages: takeStages(state.stages, values.stages, time) }),
  };
}

function takeStep(
  state: ThroughputState,
  step: number | undefined,
  time: number | undefined,
): Partial<ThroughputState> {
  if (step === undefined || !Number.isFinite(step)) return {};
  const before = state.latest.step?.value;
  const fell = before !== undefined && step < before;
  const kept = fell ? [] : state.recentSteps;
  const segment = fell ? state.segment + 1 : state.segment;
  const last = kept.at(-1);
  // Ranks print the same step; lines read at once have one time: neither is progress that can be measured.
  if (time === undefined || (last && (step === last.value || time <= last.time))) return { recentSteps: kept, segment };
  return { recentSteps: [...kept, { value: step, time }].slice(-mostRecent), segment };
}

function takeTokens(state: ThroughputState, values: LogValues, time: number): Partial<ThroughputState> {
  const value = values.tokensPerSecond;
  if (value === undefined || !Number.isFinite(value)) return {};
  // Zeros before the first work are start-up, zeros after it a stall.
  if (value <= 0 && state.tokensCount === 0) return {};
  const best = state.bestTokensPerSecond;
  return {
    tokensSum: state.tokensSum + value,
    tokensCount: state.tokensCount + 1,
    recentTokens: [...state.recentTokens, { value, time }].filter((r) => r.time > time - minuteMs).slice(-mostRecent),
    ...((!best || value > best.value) && { bestTokensPerSecond: { value, time } }),
    ...(values.tokensPerSecondScope && { tokensScope: values.tokensPerSecondScope }),
  };
}

function takeQueues(before: ThroughputState['queues'], readings: readonly QueueReading[], time: number) {
  const queues: Record<string, QueueState> = { ...before };
  for (const reading of readings) {
    const known = Object.hasOwn(queues, reading.name) ? queues[reading.name] : undefined;
    if (known || Object.keys(queues).length < mostNames) queues[reading.name] = learnCapacity(known, reading, time);
  }
  return queues;
}

function takeStages(before: ThroughputState['stages'], readings: readonly StageReading[], time: number) {
  const stages: Record<string, StageReading & { readonly time: number }> = { ...before };
  for (const reading of readings) {
    if (Object.hasOwn(stages, reading.name) || Object.keys(stages).length < mostNames)
      stages[reading.name] = { ...reading, time };
  }
  return stages;
}

/** What a panel shows of the logs. Rates are per second; a mean is absent where nothing was printed. */
export interface ThroughputSummary {
  readonly format?: string;
  readonly tokensPerSecond?: Reading;
  /** Absent: the log does not say whether it is all GPUs' or one's. */
  readonly tokensScope?: 'gpu' | 'global';
  readonly meanTokensPerSecondMinute?: number;
  readonly meanTokensPerSecond?: number;
  readonly bestTokensPerSecond?: Reading;
  readonly samplesPerSecond?: Reading;
  readonly loss?: Reading;
  readonly learningRate?: Reading;
  readonly gradNorm?: Reading;
  readonly mfuPercent?: Reading;
  readonly epoch?: Reading;
  readonly step?: Reading;
  readonly totalSteps?: number;
  readonly stepSeconds?: number;
  /** The step time is derived from the steps' times, not printed. */
  readonly stepSecondsDerived?: true;
  /** From `now` on. */
  readonly etaSeconds?: number;
  readonly segment: number;
  readonly queues: readonly QueueState[];
  readonly stages: readonly (StageReading & { readonly time: number })[];
}

/** The state as it stands at `now`. */
export function summariseThroughput(state: ThroughputState, now: number): ThroughputSummary {
  const { latest } = state;
  const recent = state.recentTokens.filter((r) => r.time > now - minuteMs);
  const printed = latest.stepSeconds?.value;
  const derived = derivedStepSeconds(state.recentSteps);
  const stepSeconds = printed ?? derived;
  const etaSeconds = eta({ latest, stepSeconds, now });
  return {
    ...pick(state, ['format', 'tokensScope', 'bestTokensPerSecond']),
    ...pick(latest, [
      'tokensPerSecond',
      'samplesPerSecond',
      'loss',
      'learningRate',
      'gradNorm',
      'mfuPercent',
      'epoch',
      'step',
    ]),
    ...(recent.length > 0 && {
      meanTokensPerSecondMinute: recent.reduce((sum, r) => sum + r.value, 0) / recent.length,
    }),
    ...(state.tokensCount > 0 && { meanTokensPerSecond: state.tokensSum / state.tokensCount }),
    ...(latest.totalSteps && { totalSteps: latest.totalSteps.value }),
    ...(stepSeconds !== undefined && { stepSeconds }),
    ...(printed === undefined && derived !== undefined && { stepSecondsDerived: true as const }),
    ...(etaSeconds !== undefined && { etaSeconds }),
    segment: state.segment,
    queues: Object.values(state.queues),
    stages: Object.values(state.stages),
  };
}

/** Over the last minute of steps, or the last two. */
function derivedStepSeconds(steps: readonly Reading[]): number | undefined {
  const last = steps.at(-1);
  if (!last || steps.length < 2) return undefined;
  const inMinute = steps.find((s) => s.time >= last.time - minuteMs);
  const first = inMinute && inMinute !== last ? inMinute : steps.at(-2);
  return first && last.value > first.value ? (last.time - first.time) / 1000 / (last.value - first.value) : undefined;
}

interface EtaInput {
  readonly latest: ThroughputState['latest'];
  readonly stepSeconds: number | undefined;
  readonly now: number;
}

/** What the trainer printed, less the time since; else the remaining steps at the step time. */
function eta({ latest, stepSeconds, now }: EtaInput): number | undefined {
  const { etaSeconds, step, totalSteps } = latest;
  if (etaSeconds && (!step || etaSeconds.time >= step.time)) {
    return Math.max(0, etaSeconds.value - Math.max(0, now - etaSeconds.time) / 1000);
  }
  if (!step || !totalSteps || stepSeconds === undefined || totalSteps.value < step.value) return undefined;
  const since = Math.max(0, now - step.time) / 1000;
  // A run that stands still does not come nearer to its end: at most one step has passed since it was printed.
  return Math.max(0, (totalSteps.value - step.value) * stepSeconds - Math.min(since, stepSeconds));
}

function pick<T extends object, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.flatMap((key) => (from[key] === undefined ? [] : [[key, from[key]]]))) as Pick<T, K>;
}
