import type { Rule } from '../rule.ts';

/** One rank is slower than the others, which wait for it in every step. */
export const collectiveWait: Rule = {
  situation: 'collective-wait',
  of: 'gpu',
  explains:
    'The other GPUs are busy all the time but draw less than GPUs that compute all the time: they wait in the collective for a part of each step. This one has idle readings: its rank comes late.',
  must: [
    { signal: 'peersUtilization', least: 'allBusy', weight: 2, needed: true },
    { signal: 'peersPowerRise', most: 'waitingPower', weight: 2 },
    { signal: 'behindPeers', least: 'behind', weight: 2 },
  ],
  speaksFor: [
    { signal: 'utilization', weight: 0, optional: true },
    { signal: 'utilizationSpread', least: 'jumps', or: [{ signal: 'idleShare', least: 'someIdle' }] },
    { signal: 'progress', least: 'one' },
  ],
  speaksAgainst: [
    { signal: 'queues', least: 'one', weight: 2 },
    { signal: 'silenceRatio', least: 'silentLong', weight: 2 },
  ],
  next: [
    { text: 'take stacks, Of: all ranks: what this one does while the others wait', key: 'm' },
    {
      text: 'compare what this rank does before the collective: data, evaluation, a slow disk, a neighbour on its cores',
    },
  ],
};
