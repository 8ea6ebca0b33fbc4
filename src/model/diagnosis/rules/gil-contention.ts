import type { Rule } from '../rule.ts';

/** Threads of one process take Python's lock from the training thread. */
export const gilContention: Rule = {
  situation: 'gil-contention',
  of: 'gpu',
  explains:
    'Other threads of the process are busy, all of them together use about one core, and the training thread has less than half of it: they share the one lock that lets one thread run Python at a time. The GPU starves.',
  must: [
    { signal: 'utilization', most: 'notBusy' },
    { signal: 'mainCpu', most: 'starved', weight: 2 },
    { signal: 'rivalsCpu', least: 'rivalsPart', weight: 2 },
    { signal: 'oneCore', most: 'nearOneCore', weight: 2 },
  ],
  speaksFor: [
    { signal: 'gilRivals', least: 'gilByOthers', weight: 3 },
    { signal: 'stackGilWait', least: 'stacksMany', optional: true },
  ],
  speaksAgainst: [
    { signal: 'gilHeld', most: 'gilFree', weight: 4 },
    { signal: 'queueFull', least: 'mostLooks', weight: 3 },
    { signal: 'queueEmpty', least: 'mostLooks', weight: 2 },
    { signal: 'peersBusy', least: 'mostLooks', weight: 2 },
    { signal: 'stackInput', least: 'stacksMany', weight: 2 },
    { signal: 'workersInDisk', least: 'workersOnDisk', weight: 2 },
    { signal: 'workersBusy', least: 'mostWorkers', weight: 2 },
  ],
  next: [
    { text: 'see who holds the lock', key: 'G' },
    { text: 'move that work into processes, or into code that lets go of the lock' },
  ],
};
