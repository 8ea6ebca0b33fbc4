import type { Rule } from '../rule.ts';

/** The model is judged, and no step is done. */
export const evaluating: Rule = {
  situation: 'evaluating',
  of: 'run',
  explains:
    'The log spoke of an evaluation and has told no training step since; the GPUs compute, mostly less than in a step.',
  must: [{ signal: 'evaluationAge', most: 'pauseEnds', weight: 3, needed: true }],
  speaksFor: [
    { signal: 'workingGpus', least: 'someWork' },
    { signal: 'silence', least: 'silentSeconds', weight: 0.5 },
  ],
  speaksAgainst: [{ signal: 'errorAge', most: 'pauseEnds', weight: 2 }],
  since: 'evaluationAge',
  next: [{ text: 'wait for the next step; how often it evaluates is a setting of the run' }],
};
