import { frames, pipeline } from '../places.ts';
import type { Scenario } from '../scenario.ts';

/** The other side of queue_full: the producers' GPUs are full (compute_bound: 683 W, tensor 49 %), those that wait for them starve. */
export const queueEmpty: Scenario = {
  name: 'queue-empty',
  title: 'the targets are too slow: the queue is empty and the drafters wait',
  story: [
    'From 150 s on the targets compute the prefixes that prompts share anew for each: a target forward takes 690 ms instead of 268, for as many tokens.',
    'The target GPUs are full, q_hs runs down to 0 or 1, the drafters wait in get: their GPUs at 35 %, jumping, about 300 W.',
  ],
  seconds: 420,
  effects: [
    {
      from: 150,
      ramp: 20,
      pace: 0.39,
      gpus: [
        { of: 'target', utilization: 99, work: 1.03 },
        { of: 'drafter', utilization: 35, volatility: 0.8, work: 0.38 },
      ],
      threads: [
        {
          of: /^drafter-/,
          ...{ percent: 28, sway: 0.3 },
          stack: [frames.wait, frames.queueGet, pipeline('drafter_step', 191), frames.run, frames.bootstrap],
        },
        { of: /^pt_autograd_[567]/, percent: 16 },
        { of: /^hs-pack-/, percent: 15 },
        { of: /^prefetch-/, percent: 8 },
        { of: /^target-/, percent: 96, sway: 0.03 },
      ],
      queue: { depth: 0.5, sway: 0.12 },
      stages: { 'target.model_forward': 690, 'target.pack_hidden': 24, 'queue.get_wait': 431 },
    },
  ],
  log: [{ at: 150, lines: ['[{time}] prefix cache: no hits in this shard, prompts are computed whole'] }],
  truth: {
    findings: [
      { situation: 'compute-bound', scope: {}, from: 0, until: 150 },
      {
        situation: 'producer-bound',
        scope: { queue: 'q_hs', side: 'producer', role: 'target', gpus: [0, 1, 2, 3, 4] },
        from: 175,
      },
      { situation: 'compute-bound', scope: { role: 'target', gpus: [0, 1, 2, 3, 4] }, from: 175 },
    ],
    events: [],
    alarms: [
      { alarm: 'slow', at: 330, within: 90 },
      { alarm: 'queue-empty', about: 'q_hs', at: 750, within: 150 },
    ],
  },
};
