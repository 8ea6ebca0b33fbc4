import type { Rule } from '../rule.ts';
import { noSteps, thinKernels, waitsForOthers } from './clues.ts';

/** The host cannot launch kernels as fast as the GPU ends them. */
export const launchBound: Rule = {
  situation: 'launch-bound',
  of: 'gpu',
  explains:
    'The training and the autograd thread fill one core between them, taking turns, and what they launch leaves the GPU almost empty: kernels take less time than to launch them.',
  must: [
    { signal: 'utilization', least: 'anyWork', most: 'nearlyAlways' },
    { signal: 'feedCpu', least: 'feedFull', weight: 3 },
    thinKernels,
  ],
  speaksFor: [
    // A sync after each layer shows in a longer forward pass: without stacks the share of the backward pass is what tells them apart.
    { signal: 'autogradCpu', least: 'backwardPart', weight: 2 },
    { signal: 'stackSync', most: 'stacksOfSync', weight: 2 },
    { signal: 'stackLaunch', least: 'stacksSome' },
  ],
  speaksAgainst: [
    ...waitsForOthers,
    ...noSteps,
    { signal: 'stackSync', least: 'stacksOfSync', weight: 2 },
    { signal: 'stackInput', least: 'stacksMany', weight: 2 },
    { signal: 'stackPython', least: 'stacksMany', weight: 2 },
    { signal: 'stackAllocator', least: 'allocatorCalls', weight: 2 },
    { signal: 'stackCopy', least: 'stacksMany', weight: 2 },
    { signal: 'memoryMoves', least: 'manyTurns', weight: 3 },
    { signal: 'gilHeld', least: 'gilTaken', weight: 2 },
    { signal: 'gilRivals', least: 'gilByOthers', weight: 3 },
    { signal: 'rivalsCpu', least: 'rivalsPart', weight: 1 },
  ],
  next: [
    { text: 'see in its stacks whether it launches or waits for the GPU after each layer', key: 'r' },
    { text: 'CUDA graphs, torch.compile, or larger batches: fewer and longer kernels' },
  ],
};
