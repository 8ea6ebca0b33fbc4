import { project, site } from '../places.ts';
import type { Effect, Finding, Scenario } from '../scenario.ts';

/** A checkpoint every four minutes. */
const saving = { from: 120, until: 144, every: 240 };
/** An evaluation every twelve. */
const evaluating = { from: 290, until: 325, every: 720 };

const others = /^(target|drafter|hs-pack|prefetch|pt_autograd|worker|data-feeder|pin-memory)/;

const save: Effect = {
  ...saving,
  ramp: 1,
  pace: 0,
  gpus: [{ of: 'all', utilization: 0, work: 0 }],
  threads: [
    {
      of: /^MainThread/,
      ...{ percent: 82, sway: 0.06, systemShare: 0.6, rest: 'D' },
      stack: [
        ['_save', `${site}/torch/serialization.py`, 1190],
        ['save', `${site}/torch/serialization.py`, 943],
        ['save_checkpoint', `${project}/pipeline/checkpoint.py`, 41],
        ['main', `${project}/train_pipeline.py`, 209],
        ['<module>', `${project}/train_pipeline.py`, 231],
      ],
    },
    { of: others, percent: 0.2 },
  ],
  host: {
    ...{ ioWaitCores: 0.6, diskWriteBytesPerSecond: 1.9e9, diskBusyPercent: 78, ioPressurePercent: 9 },
    runWriteBytesPerSecond: 1.9e9,
  },
  gil: /^MainThread/,
};

const evaluate: Effect = {
  ...evaluating,
  ramp: 2,
  pace: 0,
  // Forward passes only, in smaller batches.
  gpus: [
    { of: 'target', utilization: 91, work: 0.78 },
    { of: 'drafter', utilization: 64, work: 0.55 },
  ],
  threads: [
    { of: /^pt_autograd_[567]/, percent: 0 },
    {
      of: /^drafter-/,
      percent: 55,
      stack: [
        ['forward', `${project}/pipeline/drafter.py`, 96],
        ['evaluate', `${project}/pipeline/evaluate.py`, 33],
      ],
    },
  ],
};

/** Pauses that belong to a healthy run: nothing may be raised here. */
export const checkpoints: Scenario = {
  name: 'checkpoints',
  title: 'a healthy run that saves checkpoints and evaluates',
  story: [
    'Every four minutes, first at 120 s, a checkpoint is saved for 24 s: all GPUs idle, the main thread writes 1.9 GB/s.',
    'Every twelve minutes, first at 290 s, an evaluation of 35 s: no steps, GPUs busy with forward passes.',
  ],
  seconds: 640,
  effects: [save, evaluate],
  log: [
    { at: saving.from, every: saving.every, lines: ['[{time}] saving checkpoint to runs/0612/ckpt/step_{step}.pt'] },
    { at: saving.until, every: saving.every, lines: ['[{time}] checkpoint saved in 24.0 s (45.1 GB)'] },
    { at: evaluating.from, every: evaluating.every, lines: ['[{time}] evaluating at step {step} on 512 batches'] },
    ...[10, 20, 30].map((after) => ({
      at: evaluating.from + after,
      every: evaluating.every,
      lines: [`[{time}] eval ${Math.round((after / 34) * 512)}/512`],
    })),
    {
      at: evaluating.until,
      every: evaluating.every,
      lines: ['[{time}] eval | step {step} | eval_loss 1.9716 | acceptance 0.742 | 34.6 s'],
    },
  ],
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
  },
};
