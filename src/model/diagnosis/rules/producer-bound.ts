import type { Rule } from '../rule.ts';

/** What fills the queue is slower than what empties it. */
export const producerBound: Rule = {
  situation: 'producer-bound',
  of: 'queue',
  explains:
    'The queue is empty nearly all the time, and at least one GPU waits: what fills the queue sets the pace. Its GPUs are those that are full. An empty queue where all GPUs are busy is no loss.',
  must: [
    { signal: 'queueEmpty', least: 'mostly', weight: 3, needed: true },
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
    { text: 'see what the producers wait for: their threads and stacks', key: 'r' },
    { text: 'give the producers more GPUs, or batch more of their work together' },
  ],
};
