import type { Rule } from '../rule.ts';
import { noSteps } from './clues.ts';

/** Device memory is given back and taken again all the time. */
export const allocatorChurn: Rule = {
  situation: 'allocator-churn',
  of: 'gpu',
  explains:
    'Memory in use goes up and down while it trains: PyTorch keeps what it has once taken, so something gives it back (empty_cache, or retries near the end of memory). Each time the GPU is drained.',
  must: [
    {
      signal: 'memoryMoves',
      least: 'manyTurns',
      weight: 4,
      or: [{ signal: 'stackAllocator', least: 'stacksSome' }],
    },
    { signal: 'utilization', least: 'anyWork' },
  ],
  speaksFor: [
    { signal: 'stackAllocator', least: 'allocatorCalls', weight: 2 },
    { signal: 'feedSystemShare', least: 'kernelTime', weight: 0.5, optional: true },
  ],
  speaksAgainst: noSteps,
  next: [
    { text: 'see in its stacks who calls empty_cache or allocates', key: 'r' },
    { text: 'leave the cache alone in the step; against fragments: PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True' },
  ],
};
