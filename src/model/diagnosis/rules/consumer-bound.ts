import type { Rule } from '../rule.ts';

/** What empties the queue is slower than what fills it. */
export const consumerBound: Rule = {
  situation: 'consumer-bound',
  of: 'queue',
  explains:
    'The queue is full nearly all the time, and at least one GPU waits: what empties the queue sets the pace. Its GPUs are those that are full. A full queue where all GPUs are busy is healthy.',
  must: [
    { signal: 'queueFull', least: 'mostly', weight: 3, needed: true },
    { signal: 'leastUtilization', most: 'waits', weight: 2 },
  ],
  speaksFor: [
    { signal: 'utilizationGap', least: 'gapOfSides' },
    { signal: 'queueFill', weight: 0, optional: true },
  ],
  speaksAgainst: [
    { signal: 'checkpointAge', most: 'pauseEnds', weight: 2 },
    { signal: 'evaluationAge', most: 'pauseEnds', weight: 2 },
  ],
  next: [
    { text: 'see what the consumers do: their threads and stacks', key: 'r' },
    { text: 'give the consumers more GPUs, or less work a step' },
  ],
};
