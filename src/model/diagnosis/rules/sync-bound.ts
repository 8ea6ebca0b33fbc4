import type { Rule } from '../rule.ts';
import { noSteps, thinKernels, waitsForOthers } from './clues.ts';

/** The host waits for the GPU again and again, and then the GPU for the host. */
export const syncBound: Rule = {
  situation: 'sync-bound',
  of: 'gpu',
  explains:
    'The training thread is often found waiting for the GPU to end what it has, and still the GPU is not busy: each wait empties its queue of kernels (item, nonzero, a print of a tensor in the step).',
  must: [
    { signal: 'utilization', least: 'anyWork', most: 'nearlyAlways' },
    { signal: 'stackSync', least: 'stacksOfSync', weight: 4, needed: true },
  ],
  speaksFor: [thinKernels, { signal: 'feedCpu', least: 'feedBusy' }, { signal: 'autogradCpu', most: 'backwardPart' }],
  speaksAgainst: [
    ...waitsForOthers,
    ...noSteps,
    { signal: 'stackPython', least: 'stacksMany', weight: 2 },
    { signal: 'stackInput', least: 'stacksMany', weight: 3 },
    { signal: 'stackAllocator', least: 'allocatorCalls', weight: 3 },
    { signal: 'memoryMoves', least: 'manyTurns', weight: 2 },
    { signal: 'workersBusy', least: 'mostWorkers', weight: 3 },
  ],
  next: [
    { text: 'see in native stacks which line waits', key: 'd' },
    { text: 'keep values on the GPU and read them every some steps only' },
  ],
};
