import { acrossSignals } from './across-signals.ts';
import { stackSignals } from './stack-signals.ts';

/** How a signal can be had where nobody told it. */
export interface Source {
  /** Of the Samples: what a panel shows. */
  readonly source: 'gpu' | 'gpm' | 'threads' | 'waits' | 'stacks' | 'gil' | 'log' | 'host' | 'processes' | 'run';
  readonly get: string;
  readonly key?: string;
}

/** What a signal is. */
export interface SignalMeaning {
  /** Words that a figure stands behind: `utilization 98 %`. */
  readonly words: string;
  readonly unit: SignalUnit;
  readonly from: keyof typeof sources;
  /** How it is measured, a sentence for docs/diagnosis.md. */
  readonly measured: string;
}

/** Units of signals; '' is a count or a factor. */
export type SignalUnit = '%' | 'W' | 's' | 'MB/s' | 'cores' | 'points' | '';

/** Where signals are from, and what to do where they are missing. */
export const sources = {
  gpu: { source: 'gpu', get: 'nvidia-smi has to answer on the host (traintop doctor)' },
  gpm: { source: 'gpm', get: 'nvidia-smi dmon --gpm-metrics tells it on Hopper and later' },
  threads: { source: 'threads', get: 'the threads of the run have to be read (traintop doctor)' },
  waits: { source: 'waits', get: 'what threads wait in is read live only' },
  stacks: { source: 'stacks', get: 'take stacks for a few seconds', key: 'r' },
  native: {
    source: 'stacks',
    get: 'take native dumps: each is one look, and twenty tell that there is none',
    key: 'D',
  },
  gil: { source: 'gil', get: 'take a GIL profile', key: 'G' },
  log: { source: 'log', get: 'the log of the run has to be read (--log FILE)' },
  host: { source: 'host', get: 'the host has to be read (traintop doctor)' },
  processes: { source: 'processes', get: 'the processes of the run have to be read' },
  run: { source: 'run', get: 'the run has to be found (--pid PID)' },
} as const satisfies Readonly<Record<string, Source>>;

const s = (from: keyof typeof sources, unit: SignalUnit, words: string, measured: string): SignalMeaning => ({
  from,
  unit,
  words,
  measured,
});

/**
 * Every signal that a rule may ask for. All are of one subject (a GPU with the process that works on it, a queue, or the run), over the
 * window that the engine gives, and absent where nobody told them.
 */
export const signals = {
  ...acrossSignals,
  // A GPU.
  utilization: s(
    'gpu',
    '%',
    'utilization',
    'mean of utilization.gpu: the share of time with a kernel, which may only wait',
  ),
  idleShare: s('gpu', '%', 'idle readings', 'readings of utilization.gpu at 5 % or below, of all readings'),
  utilizationSpread: s('gpu', 'points', 'utilization spread', 'standard deviation of the readings of utilization.gpu'),
  power: s('gpu', 'W', 'power', 'mean of power.draw'),
  powerShare: s('gpu', '%', 'power of its limit', 'power.draw as a share of the enforced limit'),
  memoryBusy: s('gpu', '%', 'memory controller busy', 'mean of utilization.memory'),
  memoryMoves: s(
    'gpu',
    '',
    'turns of the memory in use in 10 s',
    'times memory.used turned from growing to falling or back, by 16 MiB or more, per 10 s',
  ),
  clockShare: s(
    'gpu',
    '%',
    'SM clock of its maximum',
    'clocks.sm as a share of clocks.max.sm, or of the highest that was seen on a GPU of that name',
  ),
  thermalShare: s('gpu', '%', 'time in thermal slowdown', 'readings with a thermal reason in clocks_event_reasons'),
  powerCapShare: s('gpu', '%', 'time at the power cap', 'readings with the software power cap in clocks_event_reasons'),
  powerBrakeShare: s(
    'gpu',
    '%',
    'time in hardware slowdown',
    'readings with hw slowdown, power brake or sync boost in clocks_event_reasons',
  ),
  smActive: s('gpm', '%', 'SMs active', 'SMs with a warp on them, the mean over all'),
  smOccupancy: s('gpm', '%', 'SM occupancy', 'warps on the SMs, of those that would fit'),
  tensorActive: s('gpm', '%', 'tensor cores active', 'time in which the tensor cores worked'),
  dramActive: s('gpm', '%', 'DRAM active', 'time in which the memory moved data'),
  pcieRate: s('gpm', 'MB/s', 'PCIe', 'bytes received and sent over PCIe, together'),
  nvlinkRate: s('gpm', 'MB/s', 'NVLink', 'bytes received and sent over NVLink, together'),
  kernelFill: s('gpm', '%', 'SMs active while it has a kernel', 'smActive, as a share of utilization (2 % or more)'),
  powerFill: s(
    'gpu',
    '%',
    'power above idle while it has a kernel',
    'powerRise, as a share of utilization (2 % or more)',
  ),
  // The same since the log fell silent (else over the last 5 s): what happens now, not what was before.
  lateUtilization: s(
    'gpu',
    '%',
    'utilization since the last progress',
    'mean of utilization.gpu since the last progress of the log, else over the last 5 s',
  ),
  utilizationShift: s(
    'gpu',
    'points',
    'change of utilization in the window',
    'how far lateUtilization is from utilization: a window with two phases in it',
  ),
  latePowerShare: s('gpu', '%', 'power of its limit since the last progress', 'as powerShare, since the last progress'),
  latePower: s('gpu', 'W', 'power since the last progress', 'as power, since the last progress'),
  /** Between the least power that a GPU of this host showed while unused (0 %) and the most of any (100 %). */
  latePowerRise: s(
    'gpu',
    '%',
    'power above idle since the last progress',
    'where power lies between the least of a GPU with a context and no work and the limit (else the most that was seen on the host), since the last progress',
  ),
  powerRise: s(
    'gpu',
    '%',
    'power above idle',
    'where power lies between the least of a GPU with a context and no work and the limit (else the most that was seen on the host)',
  ),
  lateTensor: s('gpm', '%', 'tensor cores active since the last progress', 'as tensorActive, since the last progress'),
  lateDram: s('gpm', '%', 'DRAM active since the last progress', 'as dramActive, since the last progress'),
  // The process that works on it.
  mainCpu: s('threads', '%', 'training thread', 'CPU of the thread that runs the training loop'),
  autogradCpu: s('threads', '%', 'autograd threads', 'CPU of the threads that run the backward pass (pt_autograd_N)'),
  feedCpu: s(
    'threads',
    '%',
    'training and autograd threads',
    'CPU of both together: the backward pass runs while the training thread waits for it',
  ),
  feedSystemShare: s(
    'threads',
    '%',
    'system time of training and autograd threads',
    'system time of the training and autograd threads, of all their CPU time',
  ),
  mainSpins: s(
    'threads',
    '%',
    'training thread on a CPU since the last progress',
    'CPU of the training thread since the last progress of the log, else over the last 5 s',
  ),
  runQueue: s(
    'threads',
    '%',
    'training thread ready to run, without a core',
    'time the training and autograd threads waited for a CPU, of the time',
  ),
  processCpu: s('threads', '%', 'CPU of the process', 'CPU of all threads of the process together'),
  rivals: s('threads', '', 'other busy threads', 'other threads of the process with 10 % CPU or more'),
  rivalsCpu: s('threads', '%', 'CPU of its other busy threads', 'CPU of those threads together'),
  oneCore: s(
    'threads',
    'points',
    'all its busy threads, off one core by',
    'how far the CPU of all busy threads of the process together is from 100 %',
  ),
  workers: s('threads', '', 'loader workers', 'processes of the run below this one that hold no GPU'),
  workersCpu: s('threads', '%', 'CPU of a loader worker', 'mean CPU of the loader workers'),
  workersBusy: s('threads', '%', 'loader workers at work', 'loader workers with 70 % CPU or more, of all'),
  workersInDisk: s(
    'threads',
    '%',
    'loader workers in D',
    'looks at loader workers that found them in uninterruptible sleep',
  ),
  mainSleeps: s(
    'waits',
    '%',
    'training thread in sleep, file or network',
    'looks that found the training thread in nanosleep, a read of a file or socket, or poll',
  ),
  ...stackSignals,
  // The log.
  silence: s('log', 's', 'since the last progress of the log', 'time since a line with a step, a loss or a speed'),
  silenceRatio: s(
    'log',
    '',
    'silence of the log in usual pauses',
    'silence, or the time since the log last told of a checkpoint, an evaluation, loading or a bar, as a multiple of the longest usual pause of this log, a second at least; 0 once it said that the training is over',
  ),
  progress: s('log', '', 'lines with progress in the window', 'lines with a step, a loss or a speed'),
  stepTime: s('log', 's', 'step time', 'median of the window, as the log prints it or by its steps'),
  stepSlowdown: s(
    'log',
    '',
    'times the step time of before',
    'step time as a multiple of the median of the run so far',
  ),
  dataShare: s('log', '%', 'time for data, of a step', 'what the log prints as data or loader time, of the step time'),
  queueFill: s('log', '%', 'queue filled', 'mean depth of the queue, of what it can hold'),
  queueFull: s('log', '%', 'readings with the queue full', 'readings at nine tenths of what it can hold or above'),
  queueEmpty: s('log', '%', 'readings with the queue empty', 'readings at a tenth of what it can hold or below'),
  steps: s('log', '', 'steps so far', 'lines with progress since the run began, or since it is watched'),
  checkpointAge: s(
    'log',
    's',
    'since the log spoke of a checkpoint',
    'time since the last line of the log about a checkpoint that is not over, after the last progress',
  ),
  evaluationAge: s(
    'log',
    's',
    'since the log spoke of an evaluation',
    'time since the last line of the log about an evaluation that is not over, after the last progress',
  ),
  errorAge: s(
    'log',
    's',
    'since an error in the log',
    'time since the last line of the log that tells of a failure, with at most two steps after it',
  ),
  warmupAge: s(
    'log',
    's',
    'since the log spoke of loading or compiling',
    'time since the last line about loading, compiling or preparing data, after the last progress',
  ),
  // The host and the run.
  writeRate: s('host', 'MB/s', 'written by the run', 'bytes that the processes of the run write to storage'),
  readRate: s('host', 'MB/s', 'read by the run', 'bytes that the processes of the run read from storage'),
  diskBusy: s('host', '%', 'busiest disk at work', 'time in which the busiest disk had a request'),
  ioWait: s('host', '%', 'cores waiting for a disk', 'iowait of all cores'),
  hostBusy: s('host', '%', 'all cores busy', 'busy share of all cores together'),
  coreLimitShare: s('host', '%', 'CPU of the limit of its cgroup', 'CPU of the run, of what its cgroup may use'),
  cpuPressure: s(
    'host',
    '%',
    'CPU pressure',
    '/proc/pressure/cpu some avg10: time in which some task waited for a CPU',
  ),
  memoryPressure: s('host', '%', 'memory pressure', '/proc/pressure/memory some avg10'),
  ioPressure: s('host', '%', 'I/O pressure', '/proc/pressure/io some avg10'),
  neighbourCores: s(
    'host',
    'cores',
    'cores taken by others',
    "CPU of the host's busiest threads that are not of the run",
  ),
  runAge: s('run', 's', 'since the run began', 'age of the process that began it'),
  ended: s('run', 's', 'since the run ended', 'time since its processes are gone'),
  zombies: s('run', '', 'processes of the run that are dead', 'processes in state Z or X'),
  stopped: s('run', '', 'processes of the run that are stopped', 'processes in state T'),
} as const satisfies Readonly<Record<string, SignalMeaning>>;

/** The name of a signal. */
export type SignalName = keyof typeof signals;

/** What one subject's signals say; absent: nobody told. */
export type Readings = Partial<Record<SignalName, Reading>>;

/** A figure. */
export interface Reading {
  readonly value: number;
  /** Whose it is: `GPU 0`, `TID 1023`. */
  readonly of?: string;
  /** It may be more: not all of it could be seen. */
  readonly isLeast?: true;
}
