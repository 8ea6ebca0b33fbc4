import { firstPid, frames, pipeline } from '../../places.ts';
import type { Scenario } from '../../scenario.ts';
import { betweenPauses, evaluate, evaluationLines } from '../pauses.ts';

const stops = 150;
const waits = (fn: string, line: number) => [frames.wait, frames.queueGet, pipeline(fn, line), frames.run];

/** No collective is stuck, and no process is gone: only nothing comes any more. */
export const noStep: Scenario = {
  name: 'no-step',
  title: 'the thread that feeds the pipeline dies silently: all others wait for it for ever',
  story: [
    `At ${stops} s data-feeder ends by an exception that nobody prints. Within seconds all queues are empty and all GPUs idle; every thread waits in get, and the log is silent.`,
  ],
  seconds: 300,
  effects: [
    {
      from: stops,
      ramp: 6,
      pace: 0,
      gpus: [{ of: 'all', utilization: 0, work: 0 }],
      threads: [
        { of: /^data-feeder/, percent: 0, stack: [] },
        { of: /^target-/, percent: 0.1, stack: waits('target_loop', 104) },
        { of: /^drafter-/, percent: 0.1, stack: waits('drafter_step', 191) },
        { of: /^(hs-pack|prefetch|pt_autograd|worker|pin-memory)/, percent: 0 },
      ],
      queue: { depth: 0, sway: 0 },
    },
  ],
  truth: {
    findings: [
      { situation: 'compute-bound', scope: {}, from: 0, until: stops },
      { situation: 'stalled', scope: {}, from: stops + 20 },
    ],
    events: [],
    alarms: [{ alarm: 'no-step', at: stops + 55, within: 40 }],
  },
};

const short = { from: 120, until: 360 };
const long = { from: 600, until: 1080 };

/** The log is silent for minutes, and it has said why. */
export const noStepEvaluation: Scenario = {
  name: 'no-step-evaluation',
  title: 'an evaluation of eight minutes, after one of four',
  story: [
    `At ${short.from} s the run evaluates for four minutes, at ${long.from} s for eight: no steps, and no line between the first and the last; the GPUs are busy with forward passes.`,
  ],
  seconds: 1140,
  effects: [evaluate(short), evaluate(long)],
  log: [...evaluationLines(short), ...evaluationLines(long)],
  near: ['no-step'],
  truth: {
    findings: betweenPauses([
      { situation: 'evaluating', ...short },
      { situation: 'evaluating', ...long },
    ]),
    events: [
      { event: 'evaluation', at: short.from, within: 10 },
      { event: 'evaluation', at: short.until, within: 10 },
      { event: 'evaluation', at: long.from, within: 10 },
      { event: 'evaluation', at: long.until, within: 10 },
    ],
    alarms: [],
  },
};

/** A pipe without a terminal at its end is written block by block: 30 kB are five minutes of this log. */
export const noStepBuffered: Scenario = {
  name: 'no-step-buffered',
  title: 'the log is written by a buffer: it speaks every five minutes',
  story: [
    'The lines of steps leave a buffer every 300 s, all at once; between them the log is silent, and GPUs and threads work as ever.',
  ],
  seconds: 1000,
  runs: [{ cast: 'pipeline', pid: firstPid, flushSeconds: 300 }],
  near: ['no-step', 'slow'],
  truth: { findings: [{ situation: 'compute-bound', scope: {}, from: 0 }], events: [], alarms: [] },
};
