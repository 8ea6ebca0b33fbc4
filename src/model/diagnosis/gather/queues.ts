import type { QueueReading } from '../../log-samples.ts';
import { addQueueReading, depthRange, type QueueState } from '../../queue-capacity.ts';

/** How full the queues of a log are. */
export interface Queues {
  take(reading: QueueReading, time: number): void;
  names(): readonly string[];
  /** Over the readings of a window; absent: there are none, or nobody knows what it can hold. */
  fill(name: string, from: number, to: number): QueueFill | undefined;
}

/** Shares of what it can hold, and of the readings; percent. */
export interface QueueFill {
  readonly mean: number;
  readonly full: number;
  readonly empty: number;
}

interface Queue {
  state: QueueState | undefined;
  depths: Depth[];
}

interface Depth {
  readonly time: number;
  readonly low: number;
  readonly high: number;
}

const mostQueues = 16;
const mostDepths = 240;
/** Of one second: a flood prints thousands. */
const mostInSecond = 8;
/** Shares at which a queue is as good as full, or empty: a producer that waits for room finds it one short now and then. */
const fullFrom = 0.9;
const emptyTo = 0.1;

/** Before any line. */
export function createQueues(): Queues {
  const queues = new Map<string, Queue>();

  function queueOf(name: string): Queue | undefined {
    const known = queues.get(name);
    if (known || queues.size >= mostQueues) return known;
    const made: Queue = { state: undefined, depths: [] };
    queues.set(name, made);
    return made;
  }

  return {
    take(reading, time) {
      const queue = queueOf(reading.name);
      if (!queue) return;
      const wasLearned = queue.state?.learned;
      queue.state = addQueueReading(queue.state, reading, time);
      // What was taken for something else is no depth.
      if (queue.state.learned !== wasLearned) queue.depths = [];
      const isSilent = reading.depth === undefined && reading.low === undefined && reading.high === undefined;
      const depth = isSilent ? undefined : depthRange(queue.state);
      const before = queue.depths.at(-mostInSecond);
      if (!depth || (before && Math.abs(time - before.time) < 1000)) return;
      queue.depths.push({ time, ...depth });
      if (queue.depths.length > mostDepths) queue.depths.shift();
    },
    names: () => [...queues.keys()],
    fill(name, from, to) {
      const queue = queues.get(name);
      const capacity = queue?.state?.capacity;
      if (!queue || capacity === undefined || !(capacity > 0)) return undefined;
      let [count, sum, full, empty] = [0, 0, 0, 0];
      const add = (share: number) => {
        count++;
        sum += share;
        if (share >= fullFrom) full++;
        if (share <= emptyTo) empty++;
      };
      for (const { time, low, high } of queue.depths) {
        if (time < from || time > to) continue;
        // Least and most of a rank or window count alike.
        add(low / capacity);
        add(high / capacity);
      }
      if (count === 0) return undefined;
      return { mean: Math.min(100, (100 * sum) / count), full: (100 * full) / count, empty: (100 * empty) / count };
    },
  };
}
