import type { Rule } from '../rule.ts';
import { noSteps } from './clues.ts';

/** The GPU does the arithmetic as fast as it can: healthy. */
export const computeBound: Rule = {
  situation: 'compute-bound',
  of: 'gpu',
  explains:
    'The GPU always has a kernel, draws the power of one that computes, now too, and keeps its memory: it sets the pace. This is what one wants. The software power cap near the limit is a part of it.',
  must: [
    { signal: 'utilization', least: 'busy', weight: 2 },
    { signal: 'powerRise', least: 'realWork', weight: 2, or: [{ signal: 'smActive', least: 'halfOfSms' }] },
    // Of a collective that began to wait a moment ago the means of the window do not tell yet.
    { signal: 'latePowerRise', least: 'realWork', or: [{ signal: 'lateTensor', least: 'spinTensor' }] },
  ],
  speaksFor: [
    { signal: 'smActive', least: 'noGaps', or: [{ signal: 'powerRise', least: 'highPower' }] },
    { signal: 'memoryMoves', most: 'fewTurns', weight: 2 },
  ],
  speaksAgainst: [
    { signal: 'peersSpinning', least: 'mostLooks', weight: 4 },
    {
      signal: 'dramActive',
      least: 'dramFull',
      weight: 3,
      or: [{ signal: 'memoryBusy', least: 'controllerFull' }],
    },
    { signal: 'thermalShare', least: 'oftenSlowed', weight: 2 },
    { signal: 'clockShare', most: 'clockFarDown', weight: 4 },
    { signal: 'stackAllocator', least: 'allocatorCalls', weight: 2 },
    ...noSteps,
  ],
  // Slowed down it looks the same but for its clock.
  ceiling: {
    most: 0.74,
    unless: [
      { signal: 'clockShare', least: 'clockFarDown' },
      { signal: 'thermalShare', most: 'oftenSlowed' },
    ],
  },
  next: [
    {
      text: 'nothing holds it up; faster means less arithmetic: lower precision, fused kernels, compilation, or more GPUs',
    },
  ],
};
