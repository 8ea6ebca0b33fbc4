import type { QueueReading } from './samples.ts';

/** A queue as last read, and what its readings together tell. */
export interface QueueState extends QueueReading {
  readonly time: number;
  /** `capacity` (and `depth`) were learned from the readings, not printed as such. */
  readonly learned?: true;
  /** For `[low-high]`: readings in a row with this high, and whether low differed among them. */
  readonly sameHigh?: number;
  readonly lowMoved?: boolean;
}

/** A high that stood this often while low moved is no maximum of anything measured. */
const enough = 5;

/**
 * Adds a reading. `q=[a-b]` is low and high as printed, of ranks or of a window. Some programs print [depth-capacity] in the same
 * shape: a high that stays the same for 5 readings while low moves, and that low never exceeds, is taken for the capacity and low for
 * the depth. That is a guess (`learned`), undone by the first other high.
 */
export function learnCapacity(before: QueueState | undefined, reading: QueueReading, time: number): QueueState {
  const { low, high } = reading;
  if (low === undefined || high === undefined || reading.capacity !== undefined) return { ...reading, time };
  const same = before?.high === high;
  const sameHigh = same ? (before.sameHigh ?? 1) + 1 : 1;
  const lowMoved = same && (before.lowMoved === true || before.low !== low);
  const learned = sameHigh >= enough && lowMoved;
  return {
    ...reading,
    ...(learned && { depth: low, capacity: high, learned: true as const }),
    time,
    sameHigh,
    lowMoved,
  };
}
