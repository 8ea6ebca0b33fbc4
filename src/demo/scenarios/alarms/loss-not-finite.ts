import type { Scenario } from '../../scenario.ts';

const odd = { from: 152, until: 153, every: 90 };

/** One batch overflows, and its step is skipped (a loss that stays NaN: nan-loss). */
export const lossNotFiniteOnce: Scenario = {
  name: 'loss-not-finite-once',
  title: 'the loss of single steps is nan: they are skipped',
  story: [
    `Every ${odd.every} s, first at ${odd.from} s, loss and gradient norm of one step are nan; the next one has its number again.`,
  ],
  seconds: 300,
  effects: [{ ...odd, values: { loss: NaN, gradNorm: NaN } }],
  near: ['loss-not-finite'],
  truth: {
    findings: [{ situation: 'compute-bound', scope: {}, from: 0 }],
    events: [
      { event: 'loss not finite', at: odd.from, within: 10 },
      { event: 'loss not finite', at: odd.from + odd.every, within: 10 },
    ],
    alarms: [],
  },
};
