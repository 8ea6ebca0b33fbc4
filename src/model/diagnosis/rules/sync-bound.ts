import type { Clue, Rule } from '../rule.ts';
import { bigKernels, noSteps, thinKernels, underfed, waitsForOthers } from './clues.ts';

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
    { text: 'see in native stacks which line waits', key: 'D' },
    { text: 'keep values on the GPU and read them every some steps only' },
  ],
};

const unseen = {
  situation: 'sync-bound',
  of: 'gpu',
  speaksAgainst: [
    ...against,
    { signal: 'pcieRate', least: 'heavyCopies', weight: 3 },
    // Who waits for the device in a call of C has let go of the lock.
    { signal: 'gilHeld', least: 'gilTaken', weight: 3 },
    { signal: 'gilRivals', least: 'gilByOthers', weight: 3 },
  ],
  next: [
    { text: 'take native dumps: each is one look, and names the call', key: 'D' },
    { text: 'keep values on the GPU and read them every some steps only' },
  ],
} as const satisfies Partial<Rule>;

/** As far as stacks without native frames tell. */
export const syncBoundUnseen: Rule = {
  ...unseen,
  cause: 'calls of its own lines, as item() or cpu()',
  explains:
    'The training thread is on a CPU all the time, its backward passes take a part of it, the GPU is not busy, and its stacks end in its own lines without the lock of Python: calls that wait for the GPU look like that where stacks have no native frames.',
  must: [
    { signal: 'utilization', least: 'anyWork', most: 'nearlyAlways' },
    { signal: 'stackNative', least: 'stacksOfSync', weight: 3, needed: true },
    { signal: 'feedCpu', least: 'feedFull', weight: 2 },
    { signal: 'autogradCpu', least: 'backwardSome', most: 'backwardMuch', weight: 2 },
  ],
  speaksFor: [thinKernels, { signal: 'stackSync', least: 'stacksOfSync', weight: 3 }],
};

/** The same in hooks, which the backward pass runs in its own thread. */
export const syncBoundInHooks: Rule = {
  ...unseen,
  cause: 'calls in its hooks, as item() or cpu()',
  explains:
    'The GPU is not busy, the threads that feed it are on a CPU, and many stacks end in hooks of the run, called by the backward pass or around a module: a hook is a few lines, and where it is found often it mostly waits for the GPU to end what it has.',
  must: [
    { signal: 'utilization', least: 'anyWork', most: 'nearlyAlways' },
    { signal: 'stackHooks', least: 'stacksSome', weight: 4, needed: true },
    { signal: 'feedCpu', least: 'feedBusy' },
  ],
  // Hooks may compute too.
  speaksFor: [{ signal: 'stackSync', least: 'stacksOfSync', weight: 3 }],
};

/** As far as is told without stacks. */
export const syncBoundByGaps: Rule = {
  ...unseen,
  cause: 'gaps between kernels that fill the GPU',
  explains:
    'The threads that feed the GPU fill one core between them and it is not busy, but its kernels fill it while they run: such kernels mostly take longer than their launches, so the host may be waiting in between, polling. An eager model with small batches looks the same; native stacks tell.',
  must: [
    ...underfed.map((clue) => ({ ...clue, needed: true }) as const),
    { signal: 'feedCpu', least: 'feedFull', weight: 2 },
    { ...bigKernels, weight: 1, needed: true },
    { signal: 'autogradCpu', least: 'backwardSome' },
    { signal: 'idleShare', most: 'someIdle' },
    // All the rest is so of small batches too.
    { signal: 'stackSync', least: 'stacksOfSync', weight: 5 },
  ],
  speaksFor: [],
};
