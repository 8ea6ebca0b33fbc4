import type { Rule } from '../rule.ts';

/** Ranks that wait in a collective for one that does not come. */
export const collectiveHang: Rule = {
  situation: 'collective-hang',
  of: 'gpu',
  explains:
    'The log is silent for a multiple of its usual pause, and since then the GPU is busy all the time but draws little more than an idle one: a kernel waits there for another rank. Who did not come is the GPU that shows 0 %; where all spin, they wait in different collectives.',
  must: [
    { signal: 'lateUtilization', least: 'busy', weight: 2, needed: true },
    { signal: 'latePowerRise', most: 'spinPower', weight: 2, or: [{ signal: 'lateTensor', most: 'spinTensor' }] },
    { signal: 'silence', least: 'silentSeconds' },
    { signal: 'silenceRatio', least: 'silentPauses', weight: 3 },
    { signal: 'peers', least: 'one', needed: true },
    { signal: 'peersAtWork', most: 'none' },
  ],
  speaksFor: [
    { signal: 'latePower', weight: 0, optional: true },
    { signal: 'lateTensor', most: 'spinTensor' },
    { signal: 'lateDram', most: 'spinTensor', weight: 0.5 },
    { signal: 'mainSpins', least: 'spins', weight: 0.5 },
    { signal: 'silenceRatio', least: 'silentLong', weight: 0.5 },
    { signal: 'stackCollective', least: 'mostly', weight: 1, optional: true },
  ],
  speaksAgainst: [
    { signal: 'checkpointAge', most: 'pauseEnds', weight: 8 },
    { signal: 'evaluationAge', most: 'pauseEnds', weight: 8 },
    { signal: 'writeRate', least: 'saves', weight: 7 },
    // It may do something alone that the log has no words for: upload, plot, save. Then it is likely, and not sure.
    { signal: 'absentCpu', least: 'spins', weight: 3 },
    { signal: 'stackCompile', least: 'someWork', weight: 3 },
  ],
  // One rank may do something alone for some seconds that the log has no words for: until then it is likely, and not sure.
  ceiling: { most: 0.74, unless: [{ signal: 'silence', least: 'longerThanErrands' }] },
  dwellMs: 0,
  since: 'silence',
  next: [
    { text: 'take stacks, Of: all ranks: the one that is not in the collective is the cause', key: 'm' },
    { text: 'native frames (Of: all ranks) name the collective that the others wait in', key: 'D' },
  ],
};
