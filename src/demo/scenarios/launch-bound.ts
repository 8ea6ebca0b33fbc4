import { firstPid, project, site } from '../places.ts';
import type { Scenario } from '../scenario.ts';

/**
 * As in the capture launch_bound (400 tiny layers: a main thread at 50 % and autograd's at 50 % take turns on the core that the GIL
 * leaves them, power 119 W, tensor and DRAM 0), less extreme: the kernels here do some work, and their number fills the GPU's time as
 * utilization.gpu counts it.
 */
export const launchBound: Scenario = {
  name: 'launch-bound',
  title: 'tiny micro batches: the host cannot launch kernels fast enough',
  story: [
    'Eight ranks under torchrun. At 150 s the micro batch goes from 32 to 1 with as many tokens a step: 32 times as many kernels, each of them tiny.',
    'The main and the autograd thread of each rank fill one core between them, without a wait; the GPUs show 70 % with a third of their power and a seventh of their tensor activity.',
  ],
  seconds: 420,
  runs: [{ cast: 'ddp', pid: firstPid }],
  effects: [
    {
      from: 150,
      ramp: 15,
      pace: 0.15,
      gpus: [{ of: 'rank', utilization: 71, work: 0.15 }],
      threads: [
        {
          of: /^rank\d\/MainThread/,
          ...{ percent: 52, sway: 0.03, systemShare: 0.06 },
          stack: [
            ['linear', `${site}/torch/nn/functional.py`, 2320],
            ['forward', `${site}/torch/nn/modules/linear.py`, 134],
            ['forward', `${site}/transformers/models/qwen3/modeling_qwen3.py`, 82],
            ['train_step', `${project}/train_ddp.py`, 137],
            ['<module>', `${project}/train_ddp.py`, 203],
          ],
        },
        { of: /\/pt_autograd/, percent: 47, sway: 0.03, systemShare: 0.06 },
        { of: /\/worker-/, percent: 2.7 },
        { of: /\/pin-memory/, percent: 0.5 },
      ],
      stages: { 'step.forward': 1210, 'step.backward': 1400 },
      gil: /^rank\d\/MainThread/,
    },
  ],
  log: [{ at: 150, lines: ['[{time}] curriculum: micro batch 32 -> 1, gradients of 32 accumulated'] }],
  truth: {
    findings: [
      { situation: 'compute-bound', scope: {}, from: 0, until: 150 },
      { situation: 'launch-bound', scope: {}, from: 165 },
    ],
    events: [],
    alarms: [{ alarm: 'slow', at: 330, within: 90 }],
  },
};
