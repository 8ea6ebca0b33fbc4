import type { Finding, Scenario } from '../scenario.ts';
import { evaluate, evaluationLines, save, saveLines } from './pauses.ts';

/** A checkpoint every four minutes. */
const saving = { from: 120, until: 144, every: 240 };
/** An evaluation every twelve. */
const evaluating = { from: 290, until: 325, every: 720 };

/** Pauses that belong to a healthy run: nothing may be raised here. */
export const checkpoints: Scenario = {
  name: 'checkpoints',
  title: 'a healthy run that saves checkpoints and evaluates',
  story: [
    'Every four minutes, first at 120 s, a checkpoint is saved for 24 s: all GPUs idle, the main thread writes 1.9 GB/s.',
    'Every twelve minutes, first at 290 s, an evaluation of 35 s: no steps, GPUs busy with forward passes.',
  ],
  seconds: 640,
  effects: [save(saving), evaluate(evaluating)],
  log: [...saveLines(saving), ...evaluationLines(evaluating, [10, 20, 30])],
  truth: {
    findings: [
      { situation: 'checkpointing', scope: {}, ...saving },
      { situation: 'evaluating', scope: {}, ...evaluating },
      { situation: 'compute-bound', scope: {}, from: 0, until: saving.from },
      // Between them; while it evaluates the drafters' GPUs wait for a third of the time.
      ...[
        [saving.until, evaluating.from],
        [evaluating.until, saving.from + saving.every],
        [saving.until + saving.every, saving.from + 2 * saving.every],
        [saving.until + 2 * saving.every, saving.from + 3 * saving.every],
      ].map(([from = 0, until = 0]): Finding => ({
        ...{ situation: 'compute-bound', scope: {}, from, until },
        every: evaluating.every,
      })),
    ],
    events: [
      { event: 'checkpoint', at: saving.from, within: 5 },
      { event: 'evaluation', at: evaluating.from, within: 5 },
      { event: 'evaluation', at: evaluating.until, within: 5 },
      { event: 'checkpoint', at: saving.from + saving.every, within: 5 },
      { event: 'checkpoint', at: saving.from + 2 * saving.every, within: 5 },
    ],
    alarms: [],
  },
};
