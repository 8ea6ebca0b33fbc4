import type { Rule } from '../rule.ts';

/** The run ended with an error. One that ended well is told by nothing here. */
export const dead: Rule = {
  situation: 'dead',
  of: 'run',
  explains:
    'The processes of the run are gone, and the last that the log told was a failure. A run that ended well is not dead.',
  must: [
    { signal: 'ended', needed: true },
    { signal: 'errorAge', needed: true },
  ],
  speaksFor: [],
  speaksAgainst: [],
  dwellMs: 0,
  since: 'ended',
  next: [{ text: 'read the error in the log', key: 'E' }],
};

/** Processes that are dead and not yet collected. */
export const deadProcesses: Rule = {
  situation: 'dead',
  cause: 'processes are zombies',
  of: 'run',
  explains:
    'Processes of the run are dead while others still stand, and nothing is told any more: a rank is gone and the others wait for it.',
  must: [
    { signal: 'zombies', least: 'one', needed: true },
    { signal: 'silenceRatio', least: 'silentPauses' },
  ],
  speaksFor: [{ signal: 'errorAge' }, { signal: 'workingGpus', most: 'fewWork' }],
  speaksAgainst: [],
  since: 'silence',
  next: [{ text: 'read the error in the log', key: 'E' }],
};
