import type { Rule } from '../rule.ts';
import { hardlyAnything, noSteps, thinKernels, waitsForOthers } from './clues.ts';

/** The host cannot launch kernels as fast as the GPU ends them. */
export const launchBound: Rule = {
  situation: 'launch-bound',
  of: 'gpu',
  explains:
    'The training and the autograd thread fill one core between them, taking turns, and the GPU is not busy: its kernels end before the next ones are launched. Small kernels leave most of it empty; where kernels fill it, waits for the device look the same, and only native stacks tell.',
  must: [
    { signal: 'utilization', least: 'anyWork', most: 'nearlyAlways' },
    { signal: 'feedCpu', least: 'feedFull', weight: 4 },
  ],
  speaksFor: [
    // A wait after each layer makes the forward pass longer: without stacks the share of the backward pass is what tells the two apart.
    { signal: 'autogradCpu', least: 'backwardMuch', weight: 2 },
    thinKernels,
    hardlyAnything,
    { signal: 'stackSync', most: 'stacksOfSync' },
  ],
  speaksAgainst: [
    ...waitsForOthers,
    ...noSteps,
    { signal: 'stackNative', least: 'stacksOfSync', weight: 2 },
    { signal: 'stackHooks', least: 'stacksSome', weight: 3 },
    { signal: 'stackInput', least: 'stacksMany', weight: 2 },
    { signal: 'stackPython', least: 'stacksMany', weight: 3 },
    { signal: 'stackAllocator', least: 'allocatorCalls', weight: 2 },
    { signal: 'stackCopy', least: 'stacksMany', weight: 2 },
    { signal: 'memoryMoves', least: 'manyTurns', weight: 3 },
    { signal: 'gilHeld', least: 'gilTaken', weight: 2 },
    { signal: 'gilRivals', least: 'gilByOthers', weight: 3 },
    { signal: 'rivalsCpu', least: 'rivalsPart', weight: 1 },
  ],
  // A kernel that fills the GPU takes longer than its launch: between such kernels the host may as well wait.
  ceiling: { most: 0.58, unless: [thinKernels, { signal: 'stackSync', most: 'stacksOfSync' }] },
  next: [
    { text: 'see in native stacks whether it launches or waits for the GPU: each dump is one look', key: 'D' },
    { text: 'CUDA graphs, torch.compile, or larger batches: fewer and longer kernels' },
  ],
};
