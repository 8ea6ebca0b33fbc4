import { frames, pipeline, site } from '../places.ts';
import type { Scenario } from '../scenario.ts';

/**
 * As in the capture launch_bound (400 tiny layers: the launching threads share one core's worth, power 119 W, tensor and DRAM 0), less
 * extreme: the kernels here do some work, and their number fills the GPU's time as utilization.gpu counts it.
 */
export const launchBound: Scenario = {
  name: 'launch-bound',
  title: 'short sequences: the host cannot launch kernels fast enough',
  story: [
    'At 150 s the curriculum goes from long sequences to short ones: as many kernels, each of them tiny.',
    'Every target thread runs at 99 % of a core without a wait, its GPU shows 70 % with a fifth of its power and tensor activity; the queue runs empty.',
  ],
  seconds: 420,
  effects: [
    {
      from: 150,
      ramp: 15,
      pace: 0.34,
      gpus: [
        { of: 'target', utilization: 71, work: 0.14 },
        { of: 'drafter', utilization: 31, volatility: 0.9, work: 0.33 },
      ],
      threads: [
        {
          of: /^target-/,
          ...{ percent: 99, sway: 0.01, systemShare: 0.06 },
          stack: [
            ['linear', `${site}/torch/nn/functional.py`, 2320],
            ['forward', `${site}/torch/nn/modules/linear.py`, 134],
            ['forward', `${site}/transformers/models/qwen3/modeling_qwen3.py`, 82],
            pipeline('target_loop', 118),
            frames.run,
            frames.bootstrap,
          ],
        },
        { of: /^drafter-/, percent: 27, sway: 0.3 },
        { of: /^hs-pack-/, percent: 12 },
        { of: /^prefetch-/, percent: 6 },
        { of: /^pt_autograd_[567]/, percent: 15 },
        { of: /^worker-/, percent: 7 },
      ],
      queue: { depth: 0.7, sway: 0.15 },
      stages: { 'target.model_forward': 771, 'target.pack_hidden': 9.4, 'queue.get_wait': 512 },
    },
  ],
  log: [{ at: 150, lines: ['[{time}] curriculum: sequence length 4096 -> 256, micro batch 1'] }],
  truth: {
    findings: [
      { situation: 'compute-bound', scope: {}, from: 0, until: 150 },
      { situation: 'launch-bound', scope: { role: 'target', gpus: [0, 1, 2, 3, 4] }, from: 165 },
      { situation: 'producer-bound', scope: { queue: 'q_hs', side: 'producer' }, from: 165 },
    ],
    events: [],
  },
};
