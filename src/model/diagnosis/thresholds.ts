import { gpuThresholds } from './thresholds-gpu.ts';

/** A border between two meanings of a signal. */
export interface Threshold {
  readonly value: number;
  /** The physical reason: why there and not elsewhere. */
  readonly because: string;
}

/** All borders that rules use, each once: none is fitted to one recording. */
export const thresholds = {
  busy: {
    value: 80,
    because:
      'a GPU that is fed always has a kernel in nearly every sample period of the driver (a sixth of a second to a second)',
  },
  notBusy: {
    value: 80,
    because: 'below it a fifth of the sample periods had no kernel: something else than the GPU sets the pace',
  },
  spinPower: {
    value: 15,
    because:
      'a kernel that only asks a flag again and again draws 1 to 3 % of the way from idle to the limit where clocks stay up, and up to 15 % where an idle GPU clocks down; work that moves memory or computes takes a third and more',
  },
  spinSms: {
    value: 25,
    because:
      'the kernel of a collective that waits holds one SM a channel, of which NCCL takes up to 32: 1 to 24 % of 132 SMs',
  },
  spinTensor: {
    value: 1,
    because: 'a kernel that waits never uses the tensor cores; shares are rounded to whole percents',
  },
  idle: {
    value: 5,
    because: 'a kernel that runs once in some sample periods, of a driver or a watchdog, is no work of the run',
  },
  silentPauses: {
    value: 3,
    because: 'the longest usual pause of a log came several times; one three times as long is something else',
  },
  longerThanErrands: {
    value: 15,
    because:
      'one rank plots, uploads or counts for seconds while the others wait for it; few do so for longer without a word or a write',
  },
  silentLong: {
    value: 6,
    because: 'a step that is slow for once is two or three steps long, not six',
  },
  silentSeconds: {
    value: 3,
    because: 'stamps of whole seconds, output that is written in blocks and the way to us hide a pause of two seconds',
  },
  stalledSeconds: {
    value: 10,
    because:
      'the collector of Python, a full disk cache or a worker that is started again hold a run up for some seconds, and it goes on',
  },
  one: { value: 1, because: 'there is at least one' },
  none: { value: 0, because: 'there is none' },
  spins: {
    value: 80,
    because: 'a thread that asks the driver again and again whether the GPU is done has a core for itself',
  },
  sleeps: {
    value: 20,
    because: 'a thread that waits to be woken uses no CPU; looks around it and its heartbeat take a few percent',
  },
  allBusy: {
    value: 90,
    because: 'a GPU that waits in a collective has a kernel all the time, and shows 100 % but for the steps between',
  },
  waitingPower: {
    value: 75,
    because:
      'GPUs that work all of a step draw nearly their limit on average; one that waits a quarter of it or more, less',
  },
  behind: {
    value: 15,
    because: 'ranks of one job do the same work: 15 points of utilization between them are seconds of a step, no noise',
  },
  jumps: {
    value: 10,
    because:
      'readings of a GPU that is fed differ by 1 to 7 points; one that waits in each step shows now 0 and now 100',
  },
  someIdle: {
    value: 10,
    because: 'a GPU that is fed has no empty sample periods; one in ten is a wait in every step',
  },
  mostly: { value: 70, because: 'more than two thirds of the readings: it is so all the time but for moments' },
  waits: {
    value: 75,
    because: 'a GPU that waits at a queue for a quarter of the time is not what sets the pace',
  },
  gapOfSides: {
    value: 20,
    because: 'of two sides of a queue the slow one is full: its GPUs show a fifth more than those that wait for it',
  },
  fewWork: {
    value: 15,
    because: 'at most one of eight GPUs: the others wait for what it does',
  },
  someWork: { value: 20, because: 'at least two of eight GPUs, or one of two: the run computes' },
  nearlyAll: { value: 90, because: 'all but one of ten GPUs and more, else all' },
  saves: {
    value: 50,
    because: 'a log and metrics are some KB/s; weights and optimizer are written as fast as storage takes them',
  },
  loads: {
    value: 50,
    because: 'weights are read as fast as storage gives them; a loader of tokens reads some MB/s',
  },
  quiet: { value: 5, because: 'a log, metrics and traces together are below it' },
  youngRun: {
    value: 1200,
    because:
      'imports, weights, compiling and the first batch take seconds to some minutes; after twenty it is no start',
  },
  pauseEnds: {
    value: 1800,
    because: 'checkpoints and evaluations take seconds to minutes; what was said half an hour ago explains no silence',
  },
  ...gpuThresholds,
} as const satisfies Readonly<Record<string, Threshold>>;

/** The name of one. */
export type ThresholdName = keyof typeof thresholds;
