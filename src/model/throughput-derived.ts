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

type Grown = Pick<ThroughputState, 'derived' | 'tokenCounter' | 'tokensPerStep'>;

/** What follows from one line, and the rates with it. `state` has the line's own values already, and rates that may grow. */
export function takeDerived(
  state: ThroughputState & { readonly growing: Record<RateUnit, GrowingRate | undefined> },
  { printed, other, time, dated, stepped, settings }: Printed,
): { readonly state: Grown; readonly values: LogValues } {
  const tokens = other ? takeTokens(state, { other, ...(dated && { time }) }) : undefined;
  const { latest, growing, derived } = state;
  const printsPace = latest.stepSeconds !== undefined || latest.iterationsPerSecond !== undefined;
  const measured = stepped && !printsPace ? counterRate(state.recentSteps, rateMs) : undefined;
  const stepsPerSecond = printed.iterationsPerSecond ?? inverse(printed.stepSeconds) ?? measured;
  const tokensPerSecond = latest.tokensPerSecond
    ? undefined
    : (countedTokens(tokens?.tokenCounter) ??
      product(stepsPerSecond, settings.batchTokens ?? tokens?.tokensPerStep ?? state.tokensPerStep));
  // Printed tokens are no continuation of derived ones: what was made of those is forgotten with the first.
  const isSpoiled = tokens?.tokenCounter?.falls === true && state.tokenCounter?.falls !== true;
  const anew =
    derived?.tokensPerSecond !== undefined &&
    (printed.tokensPerSecond !== undefined || (isSpoiled && tokensPerSecond === undefined));
  if (anew) growing.tokens = undefined;
  grow(growing, 'tokens', { value: printed.tokensPerSecond ?? tokensPerSecond, time });
  grow(growing, 'samples', { value: printed.samplesPerSecond, time });
  grow(growing, 'steps', { value: stepsPerSecond, time });
  const values = {
    ...(measured !== undefined && { stepSeconds: 1 / measured }),
    ...(stepsPerSecond !== undefined &&
      printed.iterationsPerSecond === undefined && { iterationsPerSecond: stepsPerSecond }),
    ...(tokensPerSecond !== undefined && { tokensPerSecond }),
  };
  return { state: { ...tokens, ...derivedState(derived, { values, time, anew }) }, values };
}

function derivedState(
  derived: Derived = {},
  {
    values,
    time,
    anew,
  }: { readonly values: Readonly<Record<string, number>>; readonly time: number; readonly anew: boolean },
): Pick<Grown, 'derived'> {
  const entries = Object.entries(values);
  if (entries.length === 0 && !anew) return {};
  const { tokensPerSecond, ...others } = derived;
  const kept = tokensPerSecond && !anew ? derived : others;
  return { derived: { ...kept, ...Object.fromEntries(entries.map(([field, value]) => [field, { value, time }])) } };
}

function grow(
  growing: Record<RateUnit, GrowingRate | undefined>,
  unit: RateUnit,
  { value, time }: { readonly value: number | undefined; readonly time: number },
): void {
  if (value !== undefined) growing[unit] = addRate(growing[unit], value, time);
}

function takeTokens(
  { tokenCounter }: ThroughputState,
  { other, time }: { readonly other: Readonly<Record<string, number>>; readonly time?: number },
): Pick<Grown, 'tokenCounter' | 'tokensPerStep'> {
  let counter = tokenCounter;
  let tokensPerStep: number | undefined;
  for (const key in other) {
    const meaning = meaningOf(key);
    const value = other[key];
    if (meaning === undefined || value === undefined || !Number.isFinite(value) || value <= 0) continue;
    if (meaning === 'step') tokensPerStep ??= value;
    else if (time !== undefined && (counter === undefined || counter.key === key))
      counter = withCount(counter ?? { key, readings: [] }, { value, time });
  }
  return { ...(counter && { tokenCounter: counter }), ...(tokensPerStep !== undefined && { tokensPerStep }) };
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
