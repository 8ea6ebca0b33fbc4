import type { Rule } from '../rule.ts';

/** The GPU's memory sets the pace. */
export const bandwidthBound: Rule = {
  situation: 'bandwidth-bound',
  of: 'gpu',
  explains:
    'The GPU always has a kernel, its memory moves data for most of the time, and the tensor cores wait for it: arithmetic that touches each byte only once or twice, as in decoding, optimizers and unfused element-wise kernels.',
  must: [
    { signal: 'utilization', least: 'busy', weight: 2 },
    {
      signal: 'dramActive',
      least: 'dramFull',
      weight: 3,
      needed: true,
      or: [{ signal: 'memoryBusy', least: 'controllerFull' }],
    },
    { signal: 'latePowerRise', least: 'realWork', or: [{ signal: 'lateDram', least: 'dramFull' }] },
  ],
  speaksFor: [
    { signal: 'tensorActive', most: 'tensorLow', weight: 2 },
    { signal: 'memoryMoves', most: 'fewTurns' },
  ],
  speaksAgainst: [{ signal: 'peersSpinning', least: 'mostLooks', weight: 4 }],
  next: [
    { text: 'fuse element-wise kernels (torch.compile), use fewer bytes a value, or larger batches to reuse weights' },
  ],
};
