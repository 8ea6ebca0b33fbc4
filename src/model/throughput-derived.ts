import type { Reading } from './ring.ts';
import type { LogField, LogValues } from './samples.ts';
import type { RateUnit, Settings, ThroughputState } from './throughput.ts';
import { addRate, counterRate, type GrowingRate } from './throughput-rates.ts';

/** Values that the log does not print. */
export type Derived = Readonly<Partial<Record<'stepSeconds' | 'tokensPerSecond' | 'iterationsPerSecond', Reading>>>;

/** A count of tokens since the training began, as the log prints it: the newest readings, oldest first. */
export interface TokenCounter {
  readonly key: string;
  readonly readings: readonly Reading[];
  /** It fell: it is none of all tokens. */
  readonly falls?: true;
}

/** Of counters a rate is taken over this time at least, or between two readings: lines come a little early and late. */
const rateMs = 15_000;
const mostReadings = 60;
/** A number that grew this often in a row is a count, and none of one batch. */
const grownReadings = 6;

interface Printed {
  readonly printed: Readonly<Partial<Record<LogField, number>>>;
  readonly other?: Readonly<Record<string, number>>;
  readonly time: number;
  readonly dated: boolean;
  /** Its step tells a speed. */
  readonly stepped: boolean;
  readonly settings: Settings;
}

type Grown = 'derived' | 'tokenCounter' | 'tokensPerStep';

type Draft = Omit<ThroughputState, Grown> & { -readonly [K in Grown]?: ThroughputState[K] } & {
  readonly growing: Record<RateUnit, GrowingRate | undefined>;
};

/** Grows the draft by what follows from one line, and the rates with it; gives the values. The line's own are in the draft already. */
export function takeDerived(
  draft: Draft,
  { printed, other, time, dated, stepped, settings }: Printed,
): LogValues | undefined {
  const wasSpoiled = draft.tokenCounter?.falls === true;
  if (other) takeTokens(draft, { other, time: dated ? time : undefined });
  const { latest, growing } = draft;
  const printsPace = latest.stepSeconds !== undefined || latest.iterationsPerSecond !== undefined;
  const measured = stepped && !printsPace ? counterRate(draft.recentSteps, rateMs) : undefined;
  const stepsPerSecond = printed.iterationsPerSecond ?? inverse(printed.stepSeconds) ?? measured;
  const tokensPerSecond = latest.tokensPerSecond
    ? undefined
    : ((other && countedTokens(draft.tokenCounter)) ??
      product(stepsPerSecond, settings.batchTokens ?? draft.tokensPerStep));
  // Printed tokens are no continuation of derived ones: what was made of those is forgotten with the first.
  const isSpoiled = !wasSpoiled && draft.tokenCounter?.falls === true;
  const anew =
    draft.derived?.tokensPerSecond !== undefined &&
    (printed.tokensPerSecond !== undefined || (isSpoiled && tokensPerSecond === undefined));
  if (anew) growing.tokens = undefined;
  grow(growing, 'tokens', { value: printed.tokensPerSecond ?? tokensPerSecond, time });
  grow(growing, 'samples', { value: printed.samplesPerSecond, time });
  grow(growing, 'steps', { value: stepsPerSecond, time });
  const hasPace = stepsPerSecond !== undefined && printed.iterationsPerSecond === undefined;
  if (measured === undefined && tokensPerSecond === undefined && !hasPace && !anew) return undefined;
  const values = {
    ...(measured !== undefined && { stepSeconds: 1 / measured }),
    ...(hasPace && { iterationsPerSecond: stepsPerSecond }),
    ...(tokensPerSecond !== undefined && { tokensPerSecond }),
  };
  const readings = Object.entries(values).map(([field, value]) => [field, { value, time }] as const);
  const { tokensPerSecond: before, ...others } = draft.derived ?? {};
  draft.derived = { ...others, ...(before && !anew && { tokensPerSecond: before }), ...Object.fromEntries(readings) };
  return values;
}

function grow(
  growing: Record<RateUnit, GrowingRate | undefined>,
  unit: RateUnit,
  { value, time }: { readonly value: number | undefined; readonly time: number },
): void {
  if (value !== undefined) growing[unit] = addRate(growing[unit], value, time);
}

function takeTokens(
  draft: Draft,
  { other, time }: { readonly other: Readonly<Record<string, number>>; readonly time: number | undefined },
): void {
  let tokensPerStep: number | undefined;
  for (const key in other) {
    const meaning = meaningOf(key);
    const value = other[key];
    if (meaning === undefined || value === undefined || !Number.isFinite(value) || value <= 0) continue;
    const { tokenCounter } = draft;
    if (meaning === 'step') tokensPerStep ??= value;
    else if (time !== undefined && (tokenCounter === undefined || tokenCounter.key === key))
      draft.tokenCounter = withCount(tokenCounter ?? { key, readings: [] }, { value, time });
  }
  if (tokensPerStep !== undefined) draft.tokensPerStep = tokensPerStep;
}

function withCount(counter: TokenCounter, reading: Reading): TokenCounter {
  const { key, readings, falls } = counter;
  const last = readings.at(-1);
  if (falls || (last && reading.value < last.value)) return { key, readings: [], falls: true };
  if (last && (reading.value === last.value || reading.time <= last.time)) return counter;
  return { key, readings: [...readings, reading].slice(-mostReadings) };
}

function countedTokens(counter: TokenCounter | undefined): number | undefined {
  return counter && counter.readings.length >= grownReadings ? counterRate(counter.readings, rateMs) : undefined;
}

const meanings = new Map<string, 'seen' | 'step' | undefined>();
/** Keys may be new in each line. */
const mostMeanings = 2000;

function meaningOf(key: string): 'seen' | 'step' | undefined {
  if (meanings.has(key)) return meanings.get(key);
  const words = key
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean)
    .join(' ');
  const meaning = seenKeys.test(words) ? 'seen' : stepKeys.test(words) ? 'step' : undefined;
  if (meanings.size >= mostMeanings) meanings.clear();
  meanings.set(key, meaning);
  return meaning;
}

/** `num_tokens`, `tokens_seen`, `train/num_input_tokens_seen`, `throughput/total tokens`, `consumed_tokens`. */
const seenKeys =
  /(^|\b)(num (input )?tokens( seen)?|(n |train )?tokens (seen|trained|consumed|processed)|(seen|consumed|cumulative|processed) tokens|total tokens( seen)?)$/;
/** `tokens per iteration will be`, `tokens_per_step`, `batch tokens`. */
const stepKeys = /(^|\b)(tokens per (global )?(iteration|iter|step|batch|update)( will be)?|batch tokens)$/;

const inverse = (value: number | undefined) => (value !== undefined && value > 0 ? 1 / value : undefined);

const product = (a: number | undefined, b: number | undefined) =>
  a === undefined || b === undefined ? undefined : a * b;
