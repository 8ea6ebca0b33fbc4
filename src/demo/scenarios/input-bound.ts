import { frames, pipeline, project, site } from '../places.ts';
import type { Scenario } from '../scenario.ts';

/**
 * As in the capture input_starved_sleep (nobody computes, the GPU at 0 to 34 %, mean 6, 174 to 202 W, tensor 4 %, the training thread at
 * 4 %), with loader workers that stand in D for a slow disk, as a full page cache and a neighbour on the same disk make them.
 */
export const inputBound: Scenario = {
  name: 'input-bound',
  title: 'the loader workers wait for a slow disk, and everything waits for them',
  story: [
    'From 150 s on the disk is slow: the four loader workers stand in D, iowait and I/O pressure rise.',
    'The target GPUs starve within half a minute: utilization low and jumping, about 190 W; q_hs runs empty, and the drafters starve too.',
  ],
  seconds: 420,
  effects: [
    {
      from: 150,
      ramp: 25,
      pace: 0.14,
      gpus: [
        { of: 'target', utilization: 13, volatility: 1, work: 0.12 },
        { of: 'drafter', utilization: 12, volatility: 1, work: 0.12 },
      ],
      threads: [
        {
          of: /^worker-/,
          ...{ percent: 3.5, systemShare: 0.6, rest: 'D' },
          stack: [
            ['read', `${project}/pipeline/shards.py`, 91],
            ['__getitem__', `${project}/pipeline/dataset.py`, 47],
            ['_worker_loop', `${site}/torch/utils/data/_utils/worker.py`, 349],
          ],
        },
        { of: /^target-/, percent: 12, sway: 0.4, stack: starved('target_loop', 104) },
        { of: /^drafter-/, percent: 10, sway: 0.4, stack: starved('drafter_step', 191) },
        { of: /^hs-pack-/, percent: 4.5, sway: 0.4 },
        { of: /^prefetch-/, percent: 2 },
        { of: /^data-feeder/, percent: 1.3, stack: starved('feed', 58) },
        { of: /^pin-memory/, percent: 0.9 },
        { of: /^pt_autograd_[567]/, percent: 5.5 },
      ],
      queue: { depth: 0.4, sway: 0.12 },
      stages: { 'queue.get_wait': 1640 },
      host: {
        ioWaitCores: 3.7,
        diskBusyPercent: 94,
        ioPressurePercent: 58,
      },
    },
  ],
  truth: {
    findings: [
      { situation: 'compute-bound', scope: {}, from: 0, until: 150 },
      { situation: 'input-bound', scope: { cause: 'loader workers wait for storage' }, from: 175 },
      { situation: 'producer-bound', scope: { queue: 'q_hs', side: 'producer' }, from: 175 },
    ],
    events: [],
    alarms: [{ alarm: 'slow', at: 330, within: 130 }],
  },
};

function starved(fn: string, line: number) {
  return [frames.queueGet, pipeline(fn, line), frames.run, frames.bootstrap];
}
