import type { Rule } from '../rule.ts';

/** State is saved, and everything waits for it. */
export const checkpointing: Rule = {
  situation: 'checkpointing',
  of: 'run',
  explains:
    'The log spoke of a checkpoint and has told no step since, or the run writes as fast as storage takes it; meanwhile the GPUs are idle or wait in a barrier.',
  must: [
    { signal: 'workingGpus', most: 'fewWork', weight: 2 },
    { signal: 'silence', least: 'silentSeconds' },
  ],
  speaksFor: [
    { signal: 'checkpointAge', most: 'pauseEnds', weight: 3 },
    { signal: 'writeRate', least: 'saves', weight: 3 },
  ],
  speaksAgainst: [{ signal: 'errorAge', most: 'pauseEnds', weight: 2 }],
  since: 'silence',
  next: [{ text: 'wait; where it takes long, see what storage does in the Host panel', key: '6' }],
};
