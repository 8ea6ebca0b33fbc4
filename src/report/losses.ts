import { situationWords } from '../model/diagnosis/words.ts';
import type { Situation } from '../model/situations.ts';
import type { VerdictSpan } from '../model/verdict-spans.ts';
import type { GpuOf } from './data.ts';
import { pauses, standing, type Pace } from './pace.ts';
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
  /** Those in which nothing moved, to the second; none lies in another. */
  readonly still: readonly VerdictSpan[];
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
  const { slots, spans, still, pace, gpus, runFrom, runTo, holes, span } = init;
  if (gpus.length === 0) return undefined;
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

  const borders = [
    runFrom,
    runTo,
    ...still.flatMap(({ from, until }) => [from, until]),
    ...holes.flatMap(({ from, to }) => [from, to]),
  ];
  for (let i = 0; i < slots.count; i++) {
    const begin = Math.max(slots.from + i * slots.slotMs, span.from);
    const end = Math.min(slots.from + (i + 1) * slots.slotMs, span.to);
    for (const piece of piecesOf(begin, end, borders)) take(i, piece);
  }

  /** All of a piece is before or after each border. */
  function take(i: number, { begin, end }: Piece) {
    const middle = (begin + end) / 2;
    if (holes.some((hole) => hole.from <= middle && middle < hole.to)) return;
    const hours = ((end - begin) / 3_600_000) * gpus.length;
    total += hours;
    if (middle < runFrom) return;
    if (middle > runTo) {
      add(i, { key: 'after the end', words: 'after the end of the run', scope: '' }, hours);
      return;
    }
    const stood = still.find((each) => each.from <= middle && middle < each.until);
    if (stood && (pace || standing.has(stood.situation))) {
      add(i, causeOf(stood), hours);
      return;
    }
    const rate = at(pace?.rates, i);
    const idle = utilization.filter((row) => at(row, i) < idlePercent).length;
    let share: number;
    if (!pace || !Number.isFinite(pace.healthy)) share = idle / gpus.length;
    else if (Number.isFinite(rate)) {
      const slow = 1 - rate / pace.healthy;
      share = slow > noise ? slow : 0;
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
  return why.map(({ span, ms }) => [causeOf(span), ms / known] as const);
}

function causeOf({ situation, scope }: VerdictSpan): Omit<Cause, 'hours'> {
  if (situation === 'compute-bound' || situation === 'bandwidth-bound')
    return { ...unknown, words: 'slower, while the GPUs worked' };
  return { key: situation, words: situationWords[situation].name, scope };
}

interface Piece {
  readonly begin: number;
  readonly end: number;
}

/** A slot, cut where something begins or ends in it: what is lost does not hang on how long slots are. */
function piecesOf(begin: number, end: number, borders: readonly number[]): readonly Piece[] {
  const cuts = borders.filter((time) => time > begin && time < end).sort((a, b) => a - b);
  return [begin, ...cuts]
    .map((from, n) => ({ begin: from, end: cuts[n] ?? end }))
    .filter((each) => each.end > each.begin);
}
