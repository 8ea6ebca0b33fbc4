import { keepPace, type Pace } from './pace.ts';
import { addQueueReading, type QueueState } from './queue-capacity.ts';
import type { Reading } from './ring.ts';
import type { LogField, LogLine, LogSample, LogValues, SettingsSample } from './samples.ts';
import { addStageReading, type StageState } from './stage-shares.ts';
import { takeDerived, type Derived, type TokenCounter } from './throughput-derived.ts';
import { withoutFlood, type ValuedLine } from './throughput-flood.ts';
import { led, leads, type Leader, type Teller } from './throughput-leaders.ts';
import { openRate, type GrowingRate, type RateStats } from './throughput-rates.ts';

export type { Reading } from './ring.ts';

/** In what a run's speed is told. */
export type RateUnit = 'tokens' | 'samples' | 'steps';

/** What the logs have said so far; grown by `countLog`, read by `summariseThroughput`. JSON-safe and bounded. */
export interface ThroughputState {
  /** Whose values these are. */
  readonly source?: string;
  readonly format?: string;
  /** Of lines with values that are one number, and of those with queues or stages. */
  readonly pace?: Pace;
  readonly queuesPace?: Pace;
  /** As printed. */
  readonly latest: Readonly<Partial<Record<LogField, Reading>>>;
  /** What the log does not print, made of what it does. */
  readonly derived?: Derived;
  readonly tokensScope?: 'gpu' | 'global';
  readonly rates?: Readonly<Partial<Record<RateUnit, RateStats>>>;
  /** Who tells what, by field and by `queue/NAME`, `stage/NAME`. */
  readonly leaders?: Readonly<Record<string, Leader>>;
  /** Steps with a time of their own, of this segment, oldest first. */
  readonly recentSteps: readonly Reading[];
  /** A count of tokens that the log prints, and the tokens of one step. */
  readonly tokenCounter?: TokenCounter;
  readonly tokensPerStep?: number;
  /** Counts restarts of the step: a fall begins a new segment. */
  readonly segment: number;
  readonly queues: Readonly<Record<string, QueueState>>;
  readonly stages: Readonly<Record<string, StageState>>;
}

/** What the user said that figures lean on. */
export type Settings = Pick<SettingsSample, 'batchTokens'>;

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

/** Queues, and stages, that are kept: a log may name them anew in each line. */
export const mostNames = 64;

/** Before any log line. */
export const emptyThroughput: ThroughputState = { latest: {}, recentSteps: [], segment: 0, queues: {}, stages: {} };

/** Takes the lines of one LogSample in; pure. */
export function reduceThroughput(state: ThroughputState, sample: LogSample, settings?: Settings): ThroughputState {
  return countLog(state, sample, settings).state;
}

/**
 * The same, with what of the sample counts: values that several ranks or logs tell once, what is derived beside what is printed. It is
 * what the history takes in.
 */
export function countLog(
  state: ThroughputState,
  sample: LogSample,
  settings: Settings = {},
): { readonly state: ThroughputState; readonly counted: LogSample } {
  const valued = sample.lines.filter(hasValues);
  const draft = draftOf(state);
  const pace = keepPace(
    state.pace,
    sample,
    valued.filter(({ values }) => fields.some((field) => values[field] !== undefined)),
  );
  const queuesPace = keepPace(
    state.queuesPace,
    sample,
    valued.filter(({ values }) => values.queues !== undefined || values.stages !== undefined),
  );
  if (pace) draft.pace = pace;
  if (queuesPace) draft.queuesPace = queuesPace;
  const lines = withoutFlood(valued.filter(({ repeats }) => repeats === undefined)).map((line) => {
    // A line of the backlog without a stamp has only the time at which it was read.
    const dated = !line.undated && (!sample.backlog || line.time !== sample.receivedAt);
    return { ...line, values: takeLine(draft, { line, dated, source: sample.source, settings }) };
  });
  // Of several logs the one whose values count is named, whichever spoke last.
  const lead = draft.leaders['step'] ?? draft.leaders['loss'] ?? Object.values(draft.leaders)[0];
  if (lead === undefined ? state.source === undefined : lead.source === sample.source) {
    draft.source = sample.source;
    draft.format = sample.format;
  }
  const { ownLeaders: _, growing, ...next } = draft;
  const { tokens, samples, steps } = growing;
  const rates = { ...(tokens && { tokens }), ...(samples && { samples }), ...(steps && { steps }) };
  return {
    state: { ...next, ...(Object.keys(rates).length > 0 && { rates }) },
    counted: { ...sample, lines },
  };
}

type Draft = { -readonly [K in keyof ThroughputState]: ThroughputState[K] } & {
  latest: Partial<Record<LogField, Reading>>;
  leaders: Record<string, Leader>;
  queues: Record<string, QueueState>;
  stages: Record<string, StageState>;
  /** Leaders that were made for this sample, and rates: they may be changed. */
  ownLeaders: Set<string>;
  growing: Record<RateUnit, GrowingRate | undefined>;
};

function draftOf(state: ThroughputState): Draft {
  return {
    ...state,
    latest: { ...state.latest },
    leaders: { ...state.leaders },
    queues: { ...state.queues },
    stages: { ...state.stages },
    ownLeaders: new Set(),
    growing: {
      tokens: openRate(state.rates?.tokens),
      samples: openRate(state.rates?.samples),
      steps: openRate(state.rates?.steps),
    },
  };
}

const hasValues = (line: LogLine): line is ValuedLine => line.values !== undefined;

interface Taken {
  readonly line: ValuedLine;
  readonly dated: boolean;
  readonly source: string;
  readonly settings: Settings;
}

/** Grows the draft; gives the values that count. */
function takeLine(draft: Draft, { line, dated, source, settings }: Taken): LogValues {
  const { time, rank, values } = line;
  const teller: Teller = { source, ...(rank !== undefined && { rank }), at: time };
  const counted: Partial<Record<LogField, number>> = {};
  const stepBefore = draft.latest.step?.value ?? draft.latest.stepInEpoch?.value;
  for (const field of fields) {
    const value = values[field];
    if (value === undefined || !follow(draft, field, teller)) continue;
    counted[field] = value;
    draft.latest[field] = { value, time };
  }
  if (counted.tokensPerSecond !== undefined && values.tokensPerSecondScope)
    draft.tokensScope = values.tokensPerSecondScope;
  const stepped = takeStep(draft, { counted, before: stepBefore, ...(dated && { time }) });
  const other = values.other && follow(draft, 'other', teller) ? values.other : undefined;
  const derived = takeDerived(draft, { printed: counted, ...(other && { other }), time, dated, stepped, settings });
  return { ...counted, ...derived, ...takeNamed(draft, values, teller) };
}

function follow(draft: Draft, what: string, teller: Teller): boolean {
  const leader = Object.hasOwn(draft.leaders, what) ? draft.leaders[what] : undefined;
  // A flood tells thousands of values in one moment.
  if (leader?.at === teller.at && leader.source === teller.source && leader.rank === teller.rank) return true;
  if (!leads(leader, teller)) return false;
  draft.leaders[what] = led(leader, teller, draft.ownLeaders.has(what));
  draft.ownLeaders.add(what);
  return true;
}

/** Steps that are nearer to one another in time tell no speed. */
const nearestMs = 250;
const mostSteps = 240;

interface Step {
  readonly counted: Partial<Record<LogField, number>>;
  readonly before: number | undefined;
  readonly time?: number;
}

/** Whether the step's time tells of its speed. */
function takeStep(draft: Draft, { counted, before, time }: Step): boolean {
  // A trainer that counts within its epoch begins anew in each: that is no restart.
  const inEpoch = draft.latest.step === undefined;
  const step = counted.step ?? (inEpoch ? counted.stepInEpoch : undefined);
  if (step === undefined || !Number.isFinite(step)) return false;
  const fell = before !== undefined && step < before;
  if (fell) {
    draft.recentSteps = [];
    delete draft.tokenCounter;
    if (!inEpoch) draft.segment++;
  }
  const last = draft.recentSteps.at(-1);
  // Lines read at once have one time: they are no progress that can be measured.
  if (time === undefined || (last && (step === last.value || time - last.time < nearestMs))) return false;
  draft.recentSteps = [...draft.recentSteps, { value: step, time }].slice(-mostSteps);
  return true;
}

function takeNamed(draft: Draft, { queues, stages }: LogValues, teller: Teller): LogValues | undefined {
  if (!queues && !stages) return undefined;
  const { at } = teller;
  const ours = <T extends { readonly name: string }, S>(
    kind: 'queue' | 'stage',
    all: readonly T[],
    { known, add }: { readonly known: Record<string, S>; readonly add: (before: S | undefined, reading: T) => S },
  ) =>
    all.filter((reading) => {
      const { name } = reading;
      const isNew = !Object.hasOwn(known, name);
      if ((isNew && Object.keys(known).length >= mostNames) || !follow(draft, `${kind}/${name}`, teller)) return false;
      known[name] = add(isNew ? undefined : known[name], reading);
      return true;
    });
  return {
    ...(queues && { queues: ours('queue', queues, { known: draft.queues, add: (b, r) => addQueueReading(b, r, at) }) }),
    ...(stages && { stages: ours('stage', stages, { known: draft.stages, add: (b, r) => addStageReading(b, r, at) }) }),
  };
}
