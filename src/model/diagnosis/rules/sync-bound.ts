import type { Clue, Rule } from '../rule.ts';
import { noSteps, thinKernels, waitsForOthers } from './clues.ts';

const against: readonly Clue[] = [
  ...waitsForOthers,
  ...noSteps,
  { signal: 'stackPython', least: 'stacksMany', weight: 2 },
  { signal: 'stackInput', least: 'stacksMany', weight: 3 },
  { signal: 'stackAllocator', least: 'allocatorCalls', weight: 3 },
  { signal: 'memoryMoves', least: 'manyTurns', weight: 2 },
  { signal: 'workersBusy', least: 'mostWorkers', weight: 3 },
];

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
  speaksFor: [thinKernels, { signal: 'feedCpu', least: 'feedBusy' }, { signal: 'autogradCpu', most: 'backwardMuch' }],
  speaksAgainst: against,
  next: [
    { text: 'see in native stacks which line waits', key: 'd' },
    { text: 'keep values on the GPU and read them every some steps only' },
  ],
};

/** As far as stacks without native frames tell. */
export const syncBoundUnseen: Rule = {
  situation: 'sync-bound',
  cause: 'calls of its own lines, as item() or cpu()',
  of: 'gpu',
  explains:
    'The training thread is on a CPU all the time, its backward passes take a part of it, the GPU is not busy, and its stacks end in its own lines without the lock of Python: calls that wait for the GPU look like that where stacks have no native frames.',
  must: [
    { signal: 'utilization', least: 'anyWork', most: 'nearlyAlways' },
    { signal: 'stackNative', least: 'stacksOfSync', weight: 3, needed: true },
    { signal: 'feedCpu', least: 'feedFull', weight: 2 },
    { signal: 'autogradCpu', least: 'backwardSome', most: 'backwardMuch', weight: 2 },
  ],
  speaksFor: [thinKernels, { signal: 'stackSync', least: 'stacksOfSync', weight: 3 }],
  speaksAgainst: [...against, { signal: 'pcieRate', least: 'heavyCopies', weight: 3 }],
  next: [
    { text: 'take native stacks: they name the call', key: 'd' },
    { text: 'keep values on the GPU and read them every some steps only' },
  ],
};
