import type { Rule } from '../rule.ts';
import { bigKernels, noSteps, stillSteps, underfed, waitsForOthers } from './clues.ts';

/** The loader workers compute as fast as they can, and it is not enough. */
export const inputBoundWorkers: Rule = {
  situation: 'input-bound',
  cause: 'slow loader workers',
  of: 'gpu',
  explains:
    'The GPU is often idle and the training thread waits, while loader workers have a core each and use it up: they make batches slower than the GPU takes them.',
  must: [
    ...underfed,
    { signal: 'feedCpu', most: 'feedIdle', weight: 2 },
    { signal: 'workersBusy', least: 'mostWorkers', weight: 3, needed: true },
  ],
  speaksFor: [
    stillSteps,
    { ...bigKernels, weight: 1 },
    { signal: 'stackInput', least: 'stacksMany', or: [{ signal: 'mainSleeps', least: 'sleepsMuch' }] },
  ],
  speaksAgainst: [...waitsForOthers, ...noSteps, { signal: 'runQueue', least: 'cpuDenied', weight: 2 }],
  next: [
    { text: 'see in their stacks what the workers do', key: 'r' },
    { text: 'more workers while cores are free, or less work a sample' },
  ],
};

/** The loader workers wait for a disk. */
export const inputBoundStorage: Rule = {
  situation: 'input-bound',
  cause: 'loader workers wait for storage',
  of: 'gpu',
  explains:
    'The GPU is often idle and the training thread waits, while loader workers stand in uninterruptible sleep (D): they wait for a disk or a network file system.',
  must: [
    ...underfed,
    { signal: 'feedCpu', most: 'feedIdle', weight: 2 },
    { signal: 'workersInDisk', least: 'workersOnDisk', weight: 3, needed: true },
  ],
  speaksFor: [
    stillSteps,
    { signal: 'ioPressure', least: 'pressure', or: [{ signal: 'diskBusy', least: 'diskFull' }] },
    { signal: 'workersBusy', most: 'fewWorkers' },
  ],
  speaksAgainst: [...waitsForOthers, ...noSteps],
  next: [
    { text: 'see which files they read', key: 'r' },
    { text: 'put the data on a faster or local disk, or read ahead with more workers' },
  ],
};
