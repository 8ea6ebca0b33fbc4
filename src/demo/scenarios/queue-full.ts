import { frames, pipeline } from '../places.ts';
import type { Scenario } from '../scenario.ts';

/**
 * As in the capture queue_full: the consumer's GPU at 94 % and 652 W, the queue 16/16, the producers' GPU at 4 % and 139 W with both of
 * its threads at 13 %. Here the drafters take 2.6 times as long, so the targets still work for 38 % of the time.
 */
export const queueFull: Scenario = {
  name: 'queue-full',
  title: 'the drafters are too slow: the queue is full and the targets wait',
  story: [
    'From 150 s on the drafters train on three speculative heads and take 2.6 times as long: q_hs fills in some twenty seconds and stays at 60/60.',
    'The drafter GPUs are full; the target threads wait in put, their GPUs at about 40 % and 330 W.',
  ],
  seconds: 420,
  effects: [
    {
      from: 150,
      ramp: 20,
      pace: 0.38,
      gpus: [
        { of: 'target', utilization: 40, volatility: 0.55, work: 0.38 },
        { of: 'drafter', utilization: 97, work: 1.08 },
      ],
      threads: [
        {
          of: /^target-/,
          ...{ percent: 35, sway: 0.15 },
          stack: [frames.wait, frames.queuePut, pipeline('target_loop', 127), frames.run, frames.bootstrap],
        },
        { of: /^hs-pack-/, percent: 12 },
        { of: /^prefetch-/, percent: 6 },
        { of: /^worker-/, percent: 8 },
        { of: /^data-feeder/, percent: 3.5 },
        { of: /^drafter-/, percent: 78, sway: 0.08 },
      ],
      queue: { depth: 61, sway: 0.1 },
      stages: { 'drafter.forward': 231, 'drafter.backward': 458, 'queue.get_wait': 0.2 },
    },
  ],
  log: [{ at: 150, lines: ['[{time}] curriculum: speculative heads 1 -> 3'] }],
  truth: {
    findings: [
      { situation: 'compute-bound', scope: {}, from: 0, until: 150 },
      {
        situation: 'consumer-bound',
        scope: { queue: 'q_hs', side: 'consumer', role: 'drafter', gpus: [5, 6, 7] },
        from: 175,
      },
      { situation: 'compute-bound', scope: { role: 'drafter', gpus: [5, 6, 7] }, from: 175 },
    ],
    events: [],
    alarms: [
      { alarm: 'slow', at: 330, within: 90 },
      { alarm: 'queue-full', about: 'q_hs', at: 750, within: 150 },
    ],
  },
};
