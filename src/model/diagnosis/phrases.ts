import type { Readings, SignalName } from './signals.ts';
import { thresholds } from './thresholds.ts';

/** A figure that a headline tells. */
export interface Said {
  /** With its unit: `98 %`. */
  readonly figure: string;
  readonly value: number;
  /** Whose it is. */
  readonly of?: string;
  /** `its `, `their `; '' where no GPU was named before. */
  readonly whose: string;
  /** What else was told of the same. */
  readonly readings: Readings;
}

/** A phrase of a headline; undefined: not worth its room. */
export type Phrase = (said: Said) => string | undefined;

const stacks =
  (words: string): Phrase =>
  ({ figure, whose }) =>
    `${figure} of ${whose}stacks ${words}`;

const ofTime = ({ figure, value }: Said) => (value >= 99.5 ? 'all the time' : `${figure} of the time`);

const threads = ({ figure, whose }: Said) =>
  `${whose}training thread${whose === 'their ' ? 's' : ''} ${figure} of a core`;

/** Of GPUs and what works on them, behind their name: `GPU 0 98 % busy, SMs 94 % active`. */
export const ownPhrases: Partial<Record<SignalName, Phrase>> = {
  utilization: ({ figure }) => `${figure} busy`,
  lateUtilization: ({ figure }) => `${figure} busy`,
  power: ({ figure }) => figure,
  latePower: ({ figure }) => figure,
  powerShare: ({ figure, whose }) => `at ${figure} of ${whose}power limit`,
  latePowerShare: ({ figure, whose }) => `at ${figure} of ${whose}power limit`,
  smActive: ({ figure }) => `SMs ${figure} active`,
  tensorActive: ({ figure }) => `tensor cores ${figure}`,
  lateTensor: ({ figure }) => `tensor cores ${figure}`,
  dramActive: ({ figure }) => `DRAM ${figure} active`,
  lateDram: ({ figure }) => `DRAM ${figure} active`,
  kernelFill: ({ figure, whose }) => `${whose}kernels on ${figure} of the SMs`,
  memoryMoves: ({ figure, value, whose }) =>
    value >= thresholds.manyTurns.value ? `${whose}memory in use up and down ${figure} times in 10 s` : undefined,
  clockShare: ({ figure, whose }) => `SM clock at ${figure} of ${whose}maximum`,
  thermalShare: (said) => `slowed by heat ${ofTime(said)}`,
  powerCapShare: (said) => `at the power cap ${ofTime(said)}`,
  powerBrakeShare: (said) => `slowed by the hardware ${ofTime(said)}`,
  mainCpu: threads,
  mainSpins: threads,
  autogradCpu: ({ figure }) => `autograd ${figure}`,
  feedCpu: ({ figure, whose }) => `${whose}training and autograd threads ${figure} of a core`,
  mainSleeps: ({ figure, whose }) => `${whose}training thread asleep or reading ${figure} of the time`,
  runQueue: ({ figure, whose }) => `${whose}training thread without a core ${figure} of the time`,
  processCpu: ({ figure, value, whose, readings: { feedCpu } }) =>
    // Hardly more than its threads that were named.
    feedCpu && value - feedCpu.value < 5 ? undefined : `${whose}process ${figure} of a core`,
  oneCore: ({ whose, readings: { rivals } }) =>
    rivals && rivals.value > 1 ? `${rivals.value} other threads share its core` : `${whose}busy threads share one core`,
  rivalsCpu: ({ figure, whose, readings: { oneCore } }) =>
    oneCore && oneCore.value <= thresholds.nearOneCore.value
      ? undefined
      : `${whose}other busy threads ${figure} of a core`,
  workersBusy: ({ figure, whose }) => `${figure} of ${whose}loader workers at work`,
  workersInDisk: ({ figure, whose }) => `${whose}loader workers in D ${figure} of the time`,
  stackSync: stacks('wait for the GPU'),
  stackAllocator: stacks('in the CUDA allocator'),
  stackLaunch: stacks('launch kernels'),
  stackInput: stacks('wait for data'),
  stackPython: stacks("in the run's own code"),
  stackCopy: stacks('in copies'),
  stackCollective: stacks('in collectives'),
  stackGilWait: stacks('wait for the GIL'),
  stackNative: stacks('in calls of its own lines'),
  stackHooks: stacks('in its own hooks'),
  stackCompile: stacks('compile'),
  gilHeld: ({ figure }) => `the GIL held ${figure} of the time`,
  gilRivals: ({ figure }) => `others hold the GIL ${figure} of the time`,
};

const ofGpus =
  (words: string): Phrase =>
  ({ figure, value }) =>
    value >= 100 ? `all GPUs ${words}` : value <= 0 ? `no GPU ${words}` : `${figure} of the GPUs ${words}`;

/** Of all else: of the other GPUs, the log, the host, the run. */
export const otherPhrases: Partial<Record<SignalName, Phrase>> = {
  peersUtilization: ({ figure }) => `the others ${figure} busy`,
  peersAtWork: ({ figure, value }) =>
    value < 1 ? 'no other GPU at work' : `${figure} other GPU${value > 1 ? 's' : ''} at work`,
  leastUtilization: ({ figure, value, readings: { utilizationGap: gap } }) =>
    gap && gap.value >= 1
      ? `GPUs ${Math.round(value)} to ${Math.round(value + gap.value)} % busy`
      : `GPUs ${figure} busy`,
  idleGpus: ofGpus('idle'),
  workingGpus: ofGpus('at work'),
  spinningGpus: ofGpus('spinning'),
  busiestProcess: ({ figure }) => `busiest process ${figure} of a core`,
  busiestMain: ({ figure }) => `busiest training thread ${figure} of a core`,
  queueFull: (said) => `queue full ${ofTime(said)}`,
  queueEmpty: (said) => `queue empty ${ofTime(said)}`,
  queueFill: ({ figure }) => `queue ${figure} filled`,
  stepSlowdown: ({ figure }) => `steps ${figure} times as long as before`,
  dataShare: ({ figure }) => `${figure} of a step is data`,
  silence: ({ figure }) => `last progress ${figure} ago`,
  checkpointAge: ({ figure }) => `checkpoint in the log ${figure} ago`,
  evaluationAge: ({ figure }) => `evaluation in the log ${figure} ago`,
  warmupAge: ({ figure }) => `loading or compiling in the log ${figure} ago`,
  outOfMemoryAge: ({ figure, of }) => `${of ?? 'a GPU'} had no memory left ${figure} ago`,
  hostMemoryAge: ({ figure }) => `the host had no memory left ${figure} ago`,
  workerKilledAge: ({ figure }) => `a loader worker was killed ${figure} ago`,
  collectiveTimeoutAge: ({ figure }) => `a collective timed out ${figure} ago`,
  diskFullAge: ({ figure }) => `a disk was full ${figure} ago`,
  errorAge: ({ figure }) => `an error in the log ${figure} ago`,
  ended: ({ figure }) => `ended ${figure} ago`,
  runAge: ({ figure }) => `began ${figure} ago`,
  zombies: ({ figure }) => `processes that are dead: ${figure}`,
  stopped: ({ figure }) => `processes that are stopped: ${figure}`,
  writeRate: ({ figure }) => `${figure} written`,
  readRate: ({ figure }) => `${figure} read`,
  diskBusy: ({ figure }) => `busiest disk ${figure} busy`,
  hostBusy: ({ figure }) => `all cores ${figure} busy`,
  neighbourCores: ({ figure }) => `others take ${figure}`,
};

/** They say nothing to who reads no further, or others say it in words that are known better. */
export const unsaid: ReadonlySet<SignalName> = new Set<SignalName>([
  'powerRise',
  'latePowerRise',
  'powerFill',
  'idleShare',
  'utilizationSpread',
  'utilizationShift',
  'utilizationGap',
  'peers',
  'peersPowerRise',
  'behindPeers',
  'feedSystemShare',
  'rivals',
  'queues',
  'steps',
  'progress',
  'silenceRatio',
]);

/** What a signal is about: of several about the same the first is told. */
export function matterOf(signal: SignalName): string {
  if (signal === 'mainSpins') return 'maincpu';
  if (signal.startsWith('queue')) return 'queue';
  if (failures.has(signal)) return 'failure';
  return signal.replace(/^late/, '').toLowerCase();
}

const failures: ReadonlySet<SignalName> = new Set<SignalName>([
  'outOfMemoryAge',
  'hostMemoryAge',
  'workerKilledAge',
  'collectiveTimeoutAge',
  'diskFullAge',
  'errorAge',
]);
