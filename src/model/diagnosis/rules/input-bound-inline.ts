import type { Rule } from '../rule.ts';
import { bigKernels, hardlyAnything, noSteps, stillSteps, underfed, waitsForOthers } from './clues.ts';

/** The training thread itself makes the data. */
export const inputBoundInline: Rule = {
  situation: 'input-bound',
  cause: 'preprocessing in the training thread',
  of: 'gpu',
  explains:
    'The training thread computes all the time, but its backward passes take little of it and the GPU is often idle: between the steps it does something else, in Python.',
  must: [
    ...underfed,
    { signal: 'mainCpu', least: 'mainFull', weight: 2 },
    { signal: 'autogradCpu', most: 'backwardPart', weight: 2 },
  ],
  speaksFor: [
    stillSteps,
    // A model that is loaded or evaluated may show the same: the log tells whether it steps.
    { signal: 'steps', onlyMissed: true },
    bigKernels,
    {
      signal: 'stackPython',
      least: 'stacksMany',
      // Nothing else tells Python from a copy or a wait that has a core too.
      weight: 4,
      or: [{ signal: 'stackInput', least: 'stacksMany' }],
    },
    { signal: 'pcieRate', most: 'lightCopies', weight: 3 },
  ],
  speaksAgainst: [
    { signal: 'feedSystemShare', least: 'kernelTime', weight: 3 },
    ...waitsForOthers,
    ...noSteps,
    { signal: 'stackLaunch', least: 'stacksSome' },
    // With next to no work in its kernels it is the launches that fill the thread.
    { ...hardlyAnything, weight: 3 },
    { signal: 'stackSync', least: 'stacksMany', weight: 2 },
    { signal: 'stackCopy', least: 'stacksMany', weight: 2 },
    { signal: 'pcieRate', least: 'heavyCopies', weight: 2 },
    // A thread that polls the driver in a call of C has let go of the lock; one that runs Python has it.
    { signal: 'gilHeld', most: 'gilFree', weight: 2 },
    { signal: 'gilRivals', least: 'gilByOthers', weight: 3 },
    { signal: 'memoryMoves', least: 'manyTurns', weight: 2 },
  ],
  next: [
    { text: 'see in its stacks what it does between the steps', key: 'r' },
    { text: 'move that work into loader workers, or do it once and keep the result' },
  ],
};
