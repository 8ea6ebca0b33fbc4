import type { Situation } from '../model/situations.ts';
import type { VerdictSpan } from '../model/verdict-spans.ts';
import { at, valuesIn, type Slots } from './slots.ts';
import { median, quantile } from './words.ts';

/** How fast the run went, slot by slot. */
export interface Pace {
  /** The series that tells it best. */
  readonly name: string;
  /** `tokens`, `samples`, `steps`. */
  readonly unit: 'tokens' | 'samples' | 'steps';
  /** In each slot; NaN: nothing moved, or nobody told. Of all GPUs where the log tells one's. */
  readonly rates: Float64Array;
  /** Of the slots with a rate. */
  readonly median: number;
  /** Of those in which nothing was wrong: what the run can do. */
  readonly healthy: number;
  /** What `healthy` is the median of. */
  readonly healthyOf: 'healthy' | 'fastest' | 'all';
  /** All of them, over all slots. */
  readonly total: number;
}

const units = [
  ['log/tokensPerSecond', 'tokens'],
  ['log/samplesPerSecond', 'samples'],
  ['log/iterationsPerSecond', 'steps'],
] as const;

/** In which nothing is wrong with the run, or nothing is known to be. */
const healthy: ReadonlySet<Situation> = new Set(['compute-bound', 'bandwidth-bound', 'unknown']);
/** In which nothing moves at all. */
export const standing: ReadonlySet<Situation> = new Set(['collective-hang', 'stalled', 'dead']);
/** Pauses that belong to training. */
export const pauses: ReadonlySet<Situation> = new Set(['warming-up', 'checkpointing', 'evaluating']);

/** A slot of which more than this part stood has no speed. */
const wholly = 0.999;
/** A log that is quiet for no longer than this many of its usual gaps goes on as before. */
const quietGaps = 3;
/** What is usual is judged by so many gaps before and after. */
const gapsAround = 4;

/** What a pace is taken from. */
interface Init {
  readonly spans: readonly VerdictSpan[];
  /** Those in which nothing moved. */
  readonly still: readonly VerdictSpan[];
  /** GPUs, where the log tells the speed of one. */
  readonly factor: number;
  /** From the beginning of the report to the end of the run. */
  readonly span: { readonly from: number; readonly to: number };
}

/** Undefined where the log told no speed. */
export function paceOf(slots: Slots, { spans, still, factor, span }: Init): Pace | undefined {
  const found = units.find(([name]) => valuesIn(slots.series.get(name)?.mean).length > 0);
  if (!found) return undefined;
  const [name, unit] = found;
  const told = slots.series.get(name)?.mean ?? new Float64Array();
  const rates = carried(told, unit === 'tokens' ? factor : 1);
  // Of a slot in which it came to stand the speed is that of the rest.
  const stood = shareOfTime(slots, still, () => true);
  for (let i = 0; i < slots.count; i++) if (at(stood, i) > wholly) rates[i] = NaN;
  const well = shareOfTime(slots, spans, ({ situation }) => healthy.has(situation));
  const all = valuesIn(rates);
  const good = [...rates.keys()].filter((i) => at(well, i) > 0.5 && Number.isFinite(rates[i])).map((i) => at(rates, i));
  const isEnough = good.length >= Math.max(3, all.length / 10);
  const best = isEnough ? median(good) : spans.length > 0 ? quantile(all, 0.9) : median(all);
  const ran = (i: number) => {
    const begin = slots.from + i * slots.slotMs;
    const inside = Math.min(begin + slots.slotMs, span.to) - Math.max(begin, span.from);
    return Math.max(0, Math.min(inside, slots.slotMs * (1 - at(stood, i)))) / 1000;
  };
  return {
    ...{ name, unit, rates },
    median: median(all) ?? NaN,
    healthy: best ?? NaN,
    healthyOf: isEnough ? 'healthy' : spans.length > 0 ? 'fastest' : 'all',
    total: rates.reduce((sum, rate, i) => sum + (Number.isFinite(rate) ? rate * ran(i) : 0), 0),
  };
}

/**
 * Between two prints the speed is that of the earlier one, unless the log was silent for much longer than usual around then: a run
 * that has become slow prints more seldom. The first long gap belongs to the new pace.
 */
function carried(told: Float64Array, factor: number): Float64Array {
  const rates = new Float64Array(told.length).fill(NaN);
  const known = [...told.keys()].filter((i) => Number.isFinite(told[i]));
  const gaps = known.slice(1).map((i, n) => i - (known[n] ?? i));
  for (const [n, i] of known.entries()) {
    const next = known[n + 1] ?? told.length;
    const usual = median(gaps.slice(Math.max(0, n - gapsAround), n + gapsAround + 1)) ?? 1;
    const goesOn = next - i <= quietGaps * usual || next === i + 1;
    const until = goesOn ? next : i + Math.max(1, Math.round(usual));
    const isNewPace = goesOn && n > 0 && next < told.length && next - i > quietGaps * (gaps[n - 1] ?? usual);
    rates[i] = at(told, i) * factor;
    for (let j = i + 1; j < Math.min(until, told.length); j++) rates[j] = at(told, isNewPace ? next : i) * factor;
  }
  return rates;
}

/** What part of each slot lies in such spans. */
function shareOfTime(
  { from, slotMs, count }: Slots,
  spans: readonly VerdictSpan[],
  accepts: (span: VerdictSpan) => boolean,
): Float64Array {
  const shares = new Float64Array(count);
  for (const span of spans) {
    if (!accepts(span)) continue;
    const first = Math.max(0, Math.floor((span.from - from) / slotMs));
    const last = Math.min(count - 1, Math.floor((span.until - from) / slotMs));
    for (let i = first; i <= last; i++) {
      const begin = from + i * slotMs;
      const inside = Math.min(span.until, begin + slotMs) - Math.max(span.from, begin);
      shares[i] = Math.min(1, at(shares, i) + Math.max(0, inside) / slotMs);
    }
  }
  return shares;
}
