import type { Scenario } from '../../scenario.ts';
import { evaluate, evaluationLines } from '../pauses.ts';

/** The drafters are what the run was made for: that they always have work is as it should be (one that gets full: queue-full). */
export const queueFullAlways: Scenario = {
  name: 'queue-full-always',
  title: 'the queue has been full since the run began',
  story: ['The targets are a little faster than the drafters: q_hs has been at 58 to 60 of 60 all the time.'],
  seconds: 900,
  effects: [
    {
      from: -9000,
      gpus: [{ of: 'target', utilization: 90, work: 0.9 }],
      threads: [{ of: /^target-/, percent: 82, sway: 0.08 }],
      queue: { depth: 61, sway: 0.12 },
    },
  ],
  near: ['queue-full'],
  truth: { findings: [{ situation: 'compute-bound', scope: {}, from: 0 }], events: [], alarms: [] },
};

const evaluating = { from: 300, until: 335 };
const refilled = 700;

/** Minutes, not ten of them (one that stays empty: queue-empty). */
export const queueEmptyRefill: Scenario = {
  name: 'queue-empty-refill',
  title: 'after an evaluation the queue is empty for six minutes, until the targets are ahead again',
  story: [
    `From ${evaluating.from} s to ${evaluating.until} s the run evaluates. Then q_hs is empty for six minutes, for the caches of the targets are cold: the run makes four fifths of its steps.`,
  ],
  seconds: 900,
  effects: [
    evaluate(evaluating),
    {
      ...{ from: evaluating.until + 2, until: refilled, ramp: 8, pace: 0.8 },
      gpus: [{ of: 'drafter', utilization: 58, volatility: 0.6, work: 0.7 }],
      queue: { depth: 0.5, sway: 0.12 },
      stages: { 'queue.get_wait': 96 },
    },
  ],
  log: evaluationLines(evaluating, [10, 20, 30]),
  near: ['queue-empty', 'slow'],
  truth: {
    findings: [
      { situation: 'compute-bound', scope: {}, from: 0, until: evaluating.from },
      { situation: 'evaluating', scope: {}, ...evaluating },
      {
        ...{ situation: 'producer-bound', from: evaluating.until + 10, until: refilled },
        scope: { queue: 'q_hs', side: 'producer', role: 'target', gpus: [0, 1, 2, 3, 4] },
      },
      {
        situation: 'compute-bound',
        scope: { role: 'target', gpus: [0, 1, 2, 3, 4] },
        from: evaluating.until,
        until: refilled,
      },
      { situation: 'compute-bound', scope: {}, from: refilled + 8 },
    ],
    events: [
      { event: 'evaluation', at: evaluating.from, within: 10 },
      { event: 'evaluation', at: evaluating.until, within: 10 },
    ],
    alarms: [],
  },
};
