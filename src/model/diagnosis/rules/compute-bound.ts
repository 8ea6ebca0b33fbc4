import type { Rule } from '../rule.ts';

/** The GPU does the arithmetic as fast as it can: healthy. */
export const computeBound: Rule = {
  situation: 'compute-bound',
  of: 'gpu',
  explains:
    'The GPU always has a kernel, and spends the power of one that computes: it sets the pace. This is what one wants.',
  must: [{ signal: 'utilization', least: 'busy', weight: 2 }],
  speaksFor: [],
  speaksAgainst: [],
  next: [],
};
