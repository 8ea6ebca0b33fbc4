import type { Rule } from '../rule.ts';

/** The run has only begun. */
export const warmingUp: Rule = {
  situation: 'warming-up',
  of: 'run',
  explains:
    'The run is young and has told no progress yet: it imports, loads weights, compiles or captures graphs. GPUs that are idle, or busy at times, say nothing yet.',
  must: [
    { signal: 'steps', most: 'none', weight: 2 },
    { signal: 'runAge', most: 'youngRun', weight: 2, needed: true },
  ],
  speaksFor: [
    { signal: 'warmupAge', most: 'pauseEnds', weight: 2 },
    { signal: 'workingGpus', most: 'fewWork' },
    { signal: 'readRate', least: 'loads', weight: 0.5, optional: true },
  ],
  speaksAgainst: [
    { signal: 'errorAge', most: 'pauseEnds' },
    // What loads does so in one thread; others that share its core hold it up, and then that is what there is to tell.
    { signal: 'oneCore', most: 'nearOneCore', weight: 2 },
    { signal: 'gilRivals', least: 'gilByOthers', weight: 3 },
  ],
  since: 'runAge',
  next: [
    { text: 'wait for the first steps; a dump of the selected process shows what it loads or compiles', key: 'd' },
  ],
};
