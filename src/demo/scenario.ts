import type { AlarmName } from '../model/alarm-samples.ts';
import type { PatternAlarm } from '../model/alarms/settings.ts';
import type { EventKind } from '../model/samples.ts';
import type { Situation } from '../model/situations.ts';
import type { CastName, Frames } from './cast.ts';
import type { Span } from './span.ts';

/** What happens on the demo host, as data. All times are seconds since the demo began. */
export interface Scenario {
  readonly name: string;
  /** One line for lists. */
  readonly title: string;
  /** What happens when: a sentence each. */
  readonly story: readonly string[];
  /** By then all of it has happened. */
  readonly seconds: number;
  /** One after the other. Absent: the pipeline, since hours and for ever. */
  readonly runs?: readonly RunPlan[];
  readonly effects?: readonly Effect[];
  /** Lines beside those of the steps. */
  readonly log?: readonly LogEntry[];
  /**
   * Lines of the kernel's log, without their stamps: `NVRM: Xid (PCI:0000:3b:00): 79, pid={pid}, name=python3, GPU has fallen off the bus.`
   * (`gpuAddress` in places.ts has a GPU's), `Out of memory: Killed process {pid} (python3) total-vm:...`. It is looked at every 30 s.
   */
  readonly kernel?: readonly LogEntry[];
  /** When the SSH connection breaks, and for how long none can be made. */
  readonly drops?: readonly { readonly at: number; readonly seconds: number }[];
  /** What its user asked to hear of. */
  readonly patterns?: readonly PatternAlarm[];
  /** Alarms that it comes near to, and that stay silent. */
  readonly near?: readonly AlarmName[];
  readonly truth: Truth;
}

/** One run of the trainer. */
export interface RunPlan {
  readonly cast: CastName;
  /** Of its root process. */
  readonly pid: number;
  /** Absent: hours before the demo. */
  readonly from?: number;
  readonly until?: number;
  /** The step it goes on from; absent: 0. */
  readonly firstStep?: number;
  /** When its loader's workers end and others begin, as with each epoch. */
  readonly epochs?: readonly number[];
  /** Its lines stay in a buffer, which is written every so many seconds. Absent: each at once. */
  readonly flushSeconds?: number;
}

/** What is other than in a healthy run while a span lasts. Where effects overlap, the later one in the list wins. */
export interface Effect extends Span {
  /** Steps a second as a share of the healthy pace; 0: it stands. Those of overlapping effects are added up: their sum of loss is at most 1. */
  readonly pace?: number;
  readonly gpus?: readonly GpuEffect[];
  readonly threads?: readonly ThreadEffect[];
  /** The filling of the queue, and how much of its healthy sway it keeps. */
  readonly queue?: { readonly depth: number; readonly sway: number };
  /** Mean times of stages, ms. */
  readonly stages?: Readonly<Record<string, number>>;
  readonly host?: HostEffect;
  /** Factors of what the log says; NaN and Infinity stand for themselves. */
  readonly values?: { readonly loss?: number; readonly gradNorm?: number };
  /** Whose stack a dump finds with the GIL; null: nobody's. */
  readonly gil?: RegExp | null;
  /** A dump with native frames, for which py-spy stops a process, leaves it so (py-spy issue 390). */
  readonly nativeLeavesStopped?: true;
  /**
   * nvidia-smi fails, saying `Failed to initialize NVML: ` and this (true: `Unknown Error`, a container that lost its devices): the source
   * `gpu` is failed within two seconds, and back within 30 s after the effect is over. The run goes on. It has no ramp.
   */
  readonly nvmlBroken?: true | NvmlFault;
}

/** What nvidia-smi 580 says behind `Failed to initialize NVML: `. */
export type NvmlFault = 'Unknown Error' | 'Driver/library version mismatch' | 'Insufficient Permissions';

/** GPUs that do other than healthy ones. */
export interface GpuEffect {
  /** A role, or indices. */
  readonly of: GpuRole | 'all' | readonly number[];
  /** Mean utilization.gpu: the share of time with a kernel, which may only wait. */
  readonly utilization?: number;
  /** How much the readings of a second scatter about that mean: 0 as in a healthy run, 1 as in a starved one, half of them 0. */
  readonly volatility?: number;
  /** Arithmetic done, as a share of the healthy run: power and tensor activity follow it. */
  readonly work?: number;
  readonly smMhz?: number;
  /** A mask of clocks_event_reasons. */
  readonly reasons?: number;
  /** Degrees beyond what its power explains: a fan that fails. */
  readonly heatCelsius?: number;
  readonly memoryUsedMib?: number;
  /** Uncorrected ECC errors since the driver was loaded: from 0 to this over the ramp, and 0 again where the effect ends. */
  readonly eccUncorrected?: number;
  /**
   * `unlisted`: nvidia-smi has one row less. `GPU is lost`: it fails because of this one, as after Xid 79, and goes on with those that
   * answer. It has no ramp, and of the latter no end.
   */
  readonly lost?: 'unlisted' | 'GPU is lost';
}

/** What a GPU is for. */
export type GpuRole = 'target' | 'drafter' | 'rank';

/** Threads that do other than healthy ones. */
export interface ThreadEffect {
  /** Of the thread's key (cast.ts). */
  readonly of: RegExp;
  readonly percent?: number;
  readonly sway?: number;
  readonly systemShare?: number;
  readonly waitShare?: number;
  /** Its state while it does not run: D waits for a disk. */
  readonly rest?: 'S' | 'D';
  readonly stack?: Frames;
}

/** What else the host has to do. */
export interface HostEffect {
  /** Cores that only wait for a disk. */
  readonly ioWaitCores?: number;
  readonly diskReadBytesPerSecond?: number;
  readonly diskWriteBytesPerSecond?: number;
  /** Percent of the time that the disk has work, added to the healthy share. */
  readonly diskBusyPercent?: number;
  /** Of the above, what the run's root process writes and reads itself. */
  readonly runReadBytesPerSecond?: number;
  readonly runWriteBytesPerSecond?: number;
  readonly ioPressurePercent?: number;
  readonly cpuPressurePercent?: number;
  // Those below are not added to what is healthy, but where it goes to over the ramp, and back. They are read every 2 s (memory), else every 30 s.
  /** MemAvailable, healthy 1784 of 2113 GiB. */
  readonly memoryAvailableBytes?: number;
  /** Of /dev/shm, healthy 6 of 1056 GiB; pages there are memory, which this does not take away. */
  readonly shmUsedBytes?: number;
  /** What is left on a file system; healthy 212 of 440 GB on `/` (with /tmp), 9.4 of 28 TB on `/workspace` (the run's folder, log and checkpoints). */
  readonly diskAvailable?: Readonly<Partial<Record<DemoMount, number>>>;
  /** Files that it still takes; healthy 26 and 1,700 million. */
  readonly diskFreeInodes?: Readonly<Partial<Record<DemoMount, number>>>;
}

/** File systems of the demo host beside /dev/shm. */
export type DemoMount = '/' | '/workspace';

/** Lines of the log at a moment; `{time}` is the time of day, `{date}` month and day, `{step}` the step that is done, `{pid}` the run's. */
export interface LogEntry {
  readonly at: number;
  readonly every?: number;
  readonly lines: readonly string[];
}

/** What a diagnosis must find, and what must be seen to happen. */
export interface Truth {
  readonly findings: readonly Finding[];
  readonly events: readonly ExpectedEvent[];
  /** What rings, once each, and nothing else does. Absent: not held against it. */
  readonly alarms?: readonly ExpectedAlarm[];
}

/** A situation and when it holds; the first of those that hold at a time is the cause of the others. */
export interface Finding extends Span {
  readonly situation: Situation;
  readonly scope: Scope;
}

/** What a situation is about; nothing: the run as a whole. */
export interface Scope {
  readonly ranks?: readonly number[];
  readonly gpus?: readonly number[];
  readonly role?: GpuRole;
  readonly queue?: string;
  /** Who is slow. */
  readonly side?: 'producer' | 'consumer';
  readonly cause?: string;
}

/** An alarm that must ring once; not before `at`, and `within` seconds after, which can be later than all else of the scenario. */
export interface ExpectedAlarm {
  readonly alarm: AlarmName;
  readonly about?: string;
  readonly at: number;
  readonly within: number;
  /** When it is told resolved; absent: it rings to the end. */
  readonly resolvedAt?: number;
}

/** An event that must be found; `within` seconds after it happened. */
export interface ExpectedEvent {
  readonly event: EventKind;
  readonly at: number;
  readonly within: number;
}
