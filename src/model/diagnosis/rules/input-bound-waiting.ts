import type { Rule } from '../rule.ts';
import { bigKernels, noSteps, stillSteps, underfed, waitsForOthers } from './clues.ts';

/** Nobody computes: data come from where nothing is seen. */
export const inputBoundWaiting: Rule = {
  situation: 'input-bound',
  cause: 'waiting for data, nobody computes',
  of: 'gpu',
  explains:
    'The GPU is often idle, and neither the threads that feed it nor others of its process compute in that time: it waits for storage, a network or a timer.',
  must: [
    ...underfed,
    { signal: 'feedCpu', most: 'feedIdle', weight: 2 },
    { signal: 'processCpu', most: 'processIdle' },
  ],
  speaksFor: [
    stillSteps,
    { signal: 'stackInput', least: 'stacksMany', weight: 2, or: [{ signal: 'mainSleeps', least: 'sleepsMuch' }] },
    { ...bigKernels, weight: 1 },
  ],
  speaksAgainst: [
    ...waitsForOthers,
    ...noSteps,
    { signal: 'queueEmpty', least: 'mostLooks', weight: 1 },
    { signal: 'workersBusy', least: 'mostWorkers', weight: 3 },
    { signal: 'workersInDisk', least: 'workersOnDisk', weight: 2 },
    { signal: 'runQueue', least: 'cpuDenied', weight: 3 },
    { signal: 'stackSync', least: 'stacksMany', weight: 3 },
    { signal: 'stackLaunch', least: 'stacksSome' },
    { signal: 'stackCopy', least: 'stacksMany', weight: 2 },
    { signal: 'gilRivals', least: 'gilByOthers', weight: 3 },
    { signal: 'memoryMoves', least: 'manyTurns', weight: 2 },
  ],
  next: [
    { text: 'see in its stacks what it waits in', key: 'r' },
    { text: 'load ahead of the step: loader workers with prefetch, data on a local disk' },
  ],
};
