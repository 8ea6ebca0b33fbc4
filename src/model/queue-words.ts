import { depthRange, type QueueDepth, type QueueState } from './queue-capacity.ts';

/** What a queue's depths say together. */
export interface QueueLook {
  /** The middle of the depth as last read, and its share of the capacity. */
  readonly depth?: number;
  readonly share?: number;
  /** Of the newest readings. */
  readonly lowest?: number;
  readonly highest?: number;
  readonly trend?: 'rising' | 'falling' | 'steady';
  /** As last read; `near`: within a tenth of it. Without a capacity only empty is known. */
  readonly fill?: 'full' | 'near full' | 'near empty' | 'empty';
  /** Who the other side waits for, where it has been so for some readings: a full queue's consumer, an empty one's producer. */
  readonly slow?: 'consumer' | 'producer';
}

const near = 0.1;
/** Who is slow is said of so many readings together, not of one moment. */
const fewestReadings = 3;
const mostReadings = 4;
/** Of the newest readings, as many are the present, and at least two stand for the past. */
const newest = 4;

/** The queue as it stands. */
export function lookAtQueue(queue: QueueState): QueueLook {
  const range = depthRange(queue);
  if (!range) return {};
  const { recent = [], capacity } = queue;
  const depth = (range.low + range.high) / 2;
  const share = capacity ? depth / capacity : undefined;
  const fill = share === undefined ? (depth === 0 ? ('empty' as const) : undefined) : fillOf(share);
  const slow = capacity ? slowOf(recent.slice(-mostReadings), capacity) : undefined;
  const trend = trendOf(recent, capacity);
  return {
    depth,
    ...(share !== undefined && { share }),
    ...(recent.length > 0 && {
      lowest: Math.min(...recent.map(({ low }) => low)),
      highest: Math.max(...recent.map(({ high }) => high)),
    }),
    ...(trend && { trend }),
    ...(fill && { fill }),
    ...(slow && { slow }),
  };
}

function fillOf(share: number): QueueLook['fill'] {
  if (share >= 1) return 'full';
  if (share >= 1 - near) return 'near full';
  if (share <= 0) return 'empty';
  return share <= near ? 'near empty' : undefined;
}

function slowOf(recent: readonly QueueDepth[], capacity: number): QueueLook['slow'] {
  if (recent.length < fewestReadings) return undefined;
  const share = mean(recent) / capacity;
  return share >= 1 - near ? 'consumer' : share <= near ? 'producer' : undefined;
}

function trendOf(recent: readonly QueueDepth[], capacity: number | undefined): QueueLook['trend'] {
  if (recent.length < newest + 2) return undefined;
  const [before, now] = [mean(recent.slice(0, -newest)), mean(recent.slice(-newest))];
  const step = Math.max(0.5, (near / 2) * (capacity ?? Math.max(before, now)));
  return now - before > step ? 'rising' : before - now > step ? 'falling' : 'steady';
}

function mean(depths: readonly QueueDepth[]): number {
  return depths.reduce((sum, { low, high }) => sum + (low + high) / 2, 0) / depths.length;
}
