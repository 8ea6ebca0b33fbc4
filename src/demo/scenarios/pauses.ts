import { project, site } from '../places.ts';
import type { Effect, Finding, LogEntry } from '../scenario.ts';

/** A pause of the steps that belongs to a healthy run. */
export interface Pause {
  readonly from: number;
  readonly until: number;
  readonly every?: number;
}

const others = /^(target|drafter|hs-pack|prefetch|pt_autograd|worker|data-feeder|pin-memory)/;

/** The pipeline saves a checkpoint: its main thread writes, all GPUs are idle. */
export const save = (pause: Pause, bytesPerSecond = 1.9e9): Effect => ({
  ...pause,
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
    ...{ ioWaitCores: 0.6, diskWriteBytesPerSecond: bytesPerSecond, diskBusyPercent: 78, ioPressurePercent: 9 },
    runWriteBytesPerSecond: bytesPerSecond,
  },
  gil: /^MainThread/,
});

/** What the log has of it. */
export const saveLines = ({ from, until, every }: Pause, bytesPerSecond = 1.9e9): readonly LogEntry[] => [
  { at: from, ...again(every), lines: ['[{time}] saving checkpoint to runs/0612/ckpt/step_{step}.pt'] },
  {
    at: until,
    ...again(every),
    lines: [`[{time}] checkpoint saved in ${until - from}.0 s (${gigabytes((until - from) * bytesPerSecond)} GB)`],
  },
];

/** The pipeline evaluates: forward passes only, in smaller batches. */
export const evaluate = (pause: Pause): Effect => ({
  ...pause,
  ramp: 2,
  pace: 0,
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
});

/** What the log has of it: its begin, how far it is at some seconds, its end. */
export const evaluationLines = ({ from, until, every }: Pause, told: readonly number[] = []): readonly LogEntry[] => [
  { at: from, ...again(every), lines: ['[{time}] evaluating at step {step} on 512 batches'] },
  ...told.map((after) => ({
    at: from + after,
    ...again(every),
    lines: [`[{time}] eval ${Math.round((after / (until - from - 1)) * 512)}/512`],
  })),
  {
    at: until,
    ...again(every),
    lines: [`[{time}] eval | step {step} | eval_loss 1.9716 | acceptance 0.742 | ${(until - from - 0.4).toFixed(1)} s`],
  },
];

/** True of a run that computes but for these pauses, which come once each and in this order. */
export function betweenPauses(pauses: readonly (Pause & Pick<Finding, 'situation'>)[]): readonly Finding[] {
  const begins = [0, ...pauses.map(({ until }) => until)];
  return [
    ...pauses.map((pause): Finding => ({ scope: {}, ...pause })),
    ...begins.map((from, i): Finding => {
      const next = pauses[i];
      return { situation: 'compute-bound', scope: {}, from, ...(next && { until: next.from }) };
    }),
  ];
}

const again = (every: number | undefined) => (every === undefined ? {} : { every });
const gigabytes = (bytes: number) => (bytes / 1e9).toFixed(1);
