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
  const next = learned(before, reading, time);
  // What a queue can hold, or how long was waited at it, may be told once, or on lines of its own.
  const kept: QueueState = {
    ...(before?.capacity !== undefined && !before.learned && { capacity: before.capacity }),
    ...(before && isSilent(next) && pick(before)),
    ...next,
  };
  const depth = depthRange(kept);
  // Depths that were taken for something else are no trend.
  const old = before?.learned === next.learned ? (before?.recent ?? []) : [];
  const recent = depth && !isSilent(next) ? withDepth(old, { time, ...depth }) : old;
  return { ...kept, ...(recent.length > 0 && { recent }) };
}

/** Low and high of the depth as last read; undefined: the log does not tell it. */
export function depthRange({ depth, low, high, learned }: QueueReading & Pick<QueueState, 'learned'>) {
  if (depth !== undefined && (learned || low === undefined || high === undefined)) return { low: depth, high: depth };
  const [from, to] = [low ?? high ?? depth, high ?? low ?? depth];
  return from === undefined || to === undefined ? undefined : { low: from, high: to };
}

function learned(before: QueueState | undefined, reading: QueueReading, time: number): QueueState {
  const { low, high } = reading;
  if (low === undefined || high === undefined || reading.capacity !== undefined) return { ...reading, time };
  const same = before?.high === high;
  const sameHigh = same ? (before.sameHigh ?? 1) + 1 : 1;
  const lowMoved = same && (before.lowMoved === true || before.low !== low);
  const isLearned = sameHigh >= enough && lowMoved;
  return {
    ...reading,
    ...(isLearned && { depth: low, capacity: high, learned: true as const }),
    time,
    sameHigh,
    lowMoved,
  };
}

const isSilent = ({ depth, low, high }: QueueReading) => depth === undefined && low === undefined && high === undefined;

function pick({ depth, low, high }: QueueState) {
  return {
    ...(depth !== undefined && { depth }),
    ...(low !== undefined && { low }),
    ...(high !== undefined && { high }),
  };
}

function withDepth(recent: readonly QueueDepth[], depth: QueueDepth): readonly QueueDepth[] {
  const last = recent.at(-1);
  if (last && depth.time < last.time) return [depth];
  if (last && depth.time - last.time < nearestMs) return recent;
  return [...recent.slice(1 - mostRecent), depth];
}
