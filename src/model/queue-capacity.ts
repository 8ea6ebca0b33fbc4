import type { QueueReading } from './samples.ts';

/** A queue as last read, and what its readings together tell. */
export interface QueueState extends QueueReading {
  readonly time: number;
  /** `capacity` (and `depth`) were learned from the readings, not printed as such. */
  readonly learned?: true;
  /** For `[low-high]`: readings in a row with this high, and whether low differed among them. */
  readonly sameHigh?: number;
  readonly lowMoved?: boolean;
  /** The newest depths, oldest first. */
  readonly recent?: readonly QueueDepth[];
}

/** What one reading says of the depth: a range of ranks or of a window, or one number twice. */
export interface QueueDepth {
  readonly time: number;
  readonly low: number;
  readonly high: number;
}

/** A high that stood this often while low moved is no maximum of anything measured. */
const enough = 5;
const mostRecent = 16;
/** Of nearer ones the first counts: a log that prints each step in milliseconds tells a trend too. */
const nearestMs = 500;

/**
 * Adds a reading. `q=[a-b]` is low and high as printed, of ranks or of a window. Some programs print [depth-capacity] in the same
 * shape: a high that stays the same for 5 readings while low moves, and that low never exceeds, is taken for the capacity and low for
 * the depth. That is a guess (`learned`), undone by the first other high.
 */
export function addQueueReading(before: QueueState | undefined, reading: QueueReading, time: number): QueueState {
  const next: Growing = { ...reading, time };
  learn(next, before);
  const isSilent = next.depth === undefined && next.low === undefined && next.high === undefined;
  if (before) {
    // What a queue can hold, or how long was waited at it, may be told once, or on lines of its own.
    if (!before.learned) keep(next, 'capacity', before);
    if (isSilent) for (const field of depthFields) keep(next, field, before);
  }
  const depth = isSilent ? undefined : depthRange(next);
  // Depths that were taken for something else are no trend.
  const old = before?.learned === next.learned ? (before?.recent ?? []) : [];
  const recent = depth ? withDepth(old, time, depth) : old;
  if (recent.length > 0) next.recent = recent;
  return next;
}

type Growing = { -readonly [K in keyof QueueState]: QueueState[K] };

const depthFields = ['depth', 'low', 'high'] as const;

function keep(next: Growing, field: 'capacity' | (typeof depthFields)[number], before: QueueState): void {
  const value = before[field];
  if (next[field] === undefined && value !== undefined) next[field] = value;
}

/** Low and high of the depth as last read; undefined: the log does not tell it. */
export function depthRange({ depth, low, high, learned }: QueueReading & Pick<QueueState, 'learned'>) {
  if (depth !== undefined && (learned || low === undefined || high === undefined)) return { low: depth, high: depth };
  const [from, to] = [low ?? high ?? depth, high ?? low ?? depth];
  return from === undefined || to === undefined ? undefined : { low: from, high: to };
}

function learn(next: Growing, before: QueueState | undefined): void {
  const { low, high } = next;
  if (low === undefined || high === undefined || next.capacity !== undefined) return;
  const same = before?.high === high;
  next.sameHigh = same ? (before.sameHigh ?? 1) + 1 : 1;
  next.lowMoved = same && (before.lowMoved === true || before.low !== low);
  if (next.sameHigh < enough || !next.lowMoved) return;
  next.depth = low;
  next.capacity = high;
  next.learned = true;
}

function withDepth(
  recent: readonly QueueDepth[],
  time: number,
  depth: Omit<QueueDepth, 'time'>,
): readonly QueueDepth[] {
  const last = recent.at(-1);
  if (last && time < last.time) return [{ time, ...depth }];
  if (last && time - last.time < nearestMs) return recent;
  return [...recent.slice(1 - mostRecent), { time, ...depth }];
}
