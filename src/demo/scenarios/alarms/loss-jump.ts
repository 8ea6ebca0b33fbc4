import type { Scenario } from '../../scenario.ts';

const jumps = 240;

/** A run that diverges without a NaN. */
export const lossJump: Scenario = {
  name: 'loss-jump',
  title: 'the loss jumps from 1.9 to 3.3 and stays there',
  story: [`At ${jumps} s the loss jumps to 1.7 times what it was, the gradient norm to four times; they stay so.`],
  seconds: 420,
  effects: [{ from: jumps, values: { loss: 1.7, gradNorm: 4 } }],
  truth: {
    findings: [{ situation: 'compute-bound', scope: {}, from: 0 }],
    events: [{ event: 'loss spike', at: jumps, within: 10 }],
    alarms: [{ alarm: 'loss-jump', at: jumps, within: 60 }],
  },
};

const spike = { from: 239, until: 245 };

/** A few bad batches. */
export const lossJumpSpike: Scenario = {
  name: 'loss-jump-spike',
  title: 'the loss of three steps is twice what it was, and that was all',
  story: [
    `At ${spike.from} s three steps have twice the loss and six times the gradient norm; the next ones are as before.`,
  ],
  seconds: 420,
  effects: [{ ...spike, values: { loss: 2, gradNorm: 6 } }],
  near: ['loss-jump'],
  truth: {
    findings: [{ situation: 'compute-bound', scope: {}, from: 0 }],
    events: [{ event: 'loss spike', at: spike.from, within: 10 }],
    alarms: [],
  },
};
