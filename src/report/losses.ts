import { situationWords } from '../model/diagnosis/words.ts';
import type { Situation } from '../model/situations.ts';
import type { VerdictSpan } from '../model/verdict-spans.ts';
import type { GpuOf } from './data.ts';
import { pauses, shareOfTime, standing, type Pace } from './pace.ts';
import { at, type Slots } from './slots.ts';

/** GPU-hours and where they went; docs/report.md has the formula. */
export interface Losses {
  readonly gpus: number;
  readonly total: number;
  readonly working: number;
  readonly lost: number;
  /** The largest first. */
  readonly causes: readonly Cause[];
  /** Lost in each slot, GPU-hours. */
  readonly bySlot: Float64Array;
  /** What the figures lean on. */
  readonly by: 'pace' | 'utilization';
}

/** What took GPU-hours. */
export interface Cause {
  readonly key: Situation | 'idle GPU' | 'after the end' | 'not known';
  readonly words: string;
  readonly scope: string;
  readonly hours: number;
}

/** What is nearer to the healthy speed than this is as fast as it. */
const noise = 0.05;
/** A GPU that works is above it, in percent. */
const idlePercent = 5;

/** What is needed of a recording. */
interface Init {
  readonly slots: Slots;
  readonly spans: readonly VerdictSpan[];
  readonly pace: Pace | undefined;
  /** The run's. */
  readonly gpus: readonly GpuOf[];
  /** While there was none, its GPUs are nobody's loss but of what ended it. */
  readonly runFrom: number;
  readonly runTo: number;
  readonly holes: readonly { readonly from: number; readonly to: number }[];
  readonly span: { readonly from: number; readonly to: number };
}

/** Undefined where there is no GPU to lose. */
export function lossesOf(init: Init): Losses | undefined {
  const { slots, spans, pace, gpus, runFrom, runTo, holes, span } = init;
  if (gpus.length === 0) return undefined;
  const stands = shareOfTime(slots, spans, ({ situation }) => standing.has(situation));
  const utilization = gpus.map(({ uuid }) => slots.series.get(`gpu/${uuid}/utilization`)?.high);
  const causes = new Map<string, Cause>();
  const bySlot = new Float64Array(slots.count);
  let total = 0;
  const add = (i: number, cause: Omit<Cause, 'hours'>, hours: number) => {
    if (!(hours > 0)) return;
    const name = `${cause.key} ${cause.scope}`;
    causes.set(name, { ...cause, hours: (causes.get(name)?.hours ?? 0) + hours });
    bySlot[i] = at(bySlot, i) + hours;
  };

  for (let i = 0; i < slots.count; i++) {
    const begin = Math.max(slots.from + i * slots.slotMs, span.from);
    const end = Math.min(slots.from + (i + 1) * slots.slotMs, span.to);
    const unseen = holes.reduce(
      (sum, hole) => sum + Math.max(0, Math.min(end, hole.to) - Math.max(begin, hole.from)),
      0,
    );
    const length = Math.max(0, end - begin - unseen) / 3_600_000;
    if (length === 0) continue;
    const hours = length * gpus.length;
    total += hours;
    const middle = (begin + end) / 2;
    if (middle < runFrom) continue;
    if (middle > runTo) {
      add(i, { key: 'after the end', words: 'after the end of the run', scope: '' }, hours);
      continue;
    }
    const rate = at(pace?.rates, i);
    const idle = utilization.filter((row) => at(row, i) < idlePercent).length;
    const still = at(stands, i);
    let share: number;
    if (!pace || !Number.isFinite(pace.healthy)) share = Math.max(still, idle / gpus.length);
    else if (Number.isFinite(rate)) {
      const slow = 1 - rate / pace.healthy;
      share = Math.max(still, slow > noise ? slow : 0);
      // One GPU that does nothing beside others that work is lost, however fast these are.
      if (idle / gpus.length > share && idle < gpus.length) {
        add(i, { key: 'idle GPU', words: 'GPUs that did nothing', scope: '' }, hours * (idle / gpus.length - share));
      }
    } else share = 1;
    const lost = hours * Math.min(1, share);
    for (const [cause, part] of causesIn(spans, { begin, end, isStill: !Number.isFinite(rate) }))
      add(i, cause, lost * part);
  }
  const lost = bySlot.reduce((sum, hours) => sum + hours, 0);
  return {
    ...{ gpus: gpus.length, total, lost, working: Math.max(0, total - lost), bySlot },
    causes: [...causes.values()].sort((a, b) => b.hours - a.hours),
    by: pace ? 'pace' : 'utilization',
  };
}

const unknown: Omit<Cause, 'hours'> = { key: 'not known', words: 'slower, and no verdict says why', scope: '' };
const silent: Omit<Cause, 'hours'> = { key: 'not known', words: 'no step, and no verdict says why', scope: '' };

interface Stretch {
  readonly begin: number;
  readonly end: number;
  readonly isStill: boolean;
}

/** What stood first in that time, each with its part of it. */
function causesIn(
  spans: readonly VerdictSpan[],
  { begin, end, isStill }: Stretch,
): readonly (readonly [Omit<Cause, 'hours'>, number])[] {
  const inside = spans
    .map((span) => ({ span, ms: Math.min(span.until, end) - Math.max(span.from, begin) }))
    .filter(({ span, ms }) => ms > 0 && span.situation !== 'unknown');
  // Where nothing moved, a verdict that GPUs work is older than what happened.
  const why = isStill
    ? inside.filter(({ span }) => standing.has(span.situation) || pauses.has(span.situation))
    : inside;
  const known = why.reduce((sum, { ms }) => sum + ms, 0);
  if (known === 0) return [[isStill ? silent : unknown, 1]];
  return why.map(({ span: { situation, scope }, ms }) => {
    const cause =
      situation === 'compute-bound' || situation === 'bandwidth-bound'
        ? { ...unknown, words: 'slower, while the GPUs worked' }
        : { key: situation, words: situationWords[situation].name, scope };
    return [cause, ms / known] as const;
  });
}
