import type { Rule } from '../rule.ts';

const ofError: Omit<Rule, 'explains' | 'must'> = {
  situation: 'dead',
  of: 'run',
  speaksFor: [],
  speaksAgainst: [],
  dwellMs: 0,
  since: 'ended',
  next: [{ text: 'read the error in the log: E goes to it there', key: '5' }],
};

/** The run ended with an error. One that ended well is told by nothing here. */
const dead: Rule = {
  ...ofError,
  explains:
    'The processes of the run are gone, and the last that the log told was a failure. A run that ended well is not dead.',
  must: [
    { signal: 'ended', needed: true },
    { signal: 'errorAge', needed: true },
  ],
  // What has a name is told by its name.
  most: 0.9,
};

/** Ends that logs have words for. */
const named = [
  ['outOfMemoryAge', 'CUDA out of memory', 'an allocation on a GPU failed before'],
  ['workerKilledAge', 'a loader worker was killed', 'a worker of the loader was ended by a signal before'],
  ['hostMemoryAge', "the host's memory was full", 'the kernel had no memory left before'],
  ['collectiveTimeoutAge', 'a collective timed out', 'a rank waited in a collective for longer than its timeout'],
  ['diskFullAge', 'a disk was full', 'storage had no space left before'],
] as const;

/** All ends with an error. */
export const deadOfError: readonly Rule[] = [
  ...named.map(([signal, cause, words]): Rule => ({
    ...ofError,
    cause,
    explains: `The processes of the run are gone, and ${words}, as the log tells.`,
    must: [{ signal: 'ended', needed: true }, { signal, needed: true }, { signal: 'errorAge' }],
    names: signal,
  })),
  dead,
];

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
  next: [{ text: 'read the error in the log: E goes to it there', key: '5' }],
};
