import type { Scenario } from '../scenario.ts';

/** What a log shows of a run that diverges while the machine does its work as well as ever. */
export const nanLoss: Scenario = {
  name: 'nan-loss',
  title: 'the loss becomes nan, and the run goes on as if nothing were wrong',
  story: [
    'From 150 s on the gradient norm grows to eight times its size and the loss by half.',
    'At 190 s the norm is inf, four seconds later loss and norm are nan, and stay so; GPUs, queue and pace are as before.',
  ],
  seconds: 300,
  effects: [
    { from: 150, ramp: 38, values: { loss: 1.5, gradNorm: 8 } },
    { from: 190, values: { gradNorm: Infinity } },
    { from: 194, values: { loss: NaN, gradNorm: NaN } },
  ],
  truth: {
    findings: [{ situation: 'compute-bound', scope: {}, from: 0 }],
    events: [
      { event: 'norm not finite', at: 190, within: 5 },
      { event: 'loss not finite', at: 194, within: 5 },
    ],
    alarms: [
      { alarm: 'loss-jump', at: 160, within: 30 },
      { alarm: 'loss-not-finite', at: 194, within: 10 },
    ],
  },
};
