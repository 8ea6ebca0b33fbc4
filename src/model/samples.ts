import type { AlarmSample, MuteSample } from './alarm-samples.ts';
import type { BlackBoxSample } from './black-box-samples.ts';
import type { CaptureSample, ProfileSample } from './capture-samples.ts';
import type { HostFacts } from './facts.ts';
import type { GpuProcessesSample, GpusSample } from './gpu-samples.ts';
import type { GpuRolesSample, LabelsSample } from './label-samples.ts';
import type { LogSample } from './log-samples.ts';
import type { Run } from './run.ts';
import type { Column, SampleBase } from './sample-base.ts';
import type { DisksSample, KernelSample } from './space-samples.ts';
import type { StackThread } from './stacks.ts';
import type { VerdictsSample } from './verdict-samples.ts';
import type { WaitsSample } from './wait-samples.ts';

export type * from './alarm-samples.ts';
export type * from './black-box-samples.ts';
export type * from './capture-samples.ts';
export type * from './gpu-samples.ts';
export type * from './label-samples.ts';
export type * from './log-samples.ts';
export type * from './sample-base.ts';
export type * from './space-samples.ts';
export type * from './verdict-samples.ts';
export type * from './wait-samples.ts';

/**
 * The one waist: everything learned about a run is a Sample, and nothing passes around it. Samples are plain, read-only and
 * JSON-safe, so that a recording is a file of them. Absent values are `undefined` on an object and `null` in a column:
 * never 0, never -1. Times are epoch milliseconds, units are in the names, `cpuPercent` is of one core.
 */
export type Sample =
  | LinkSample
  | FactsSample
  | SourceSample
  | RunSample
  | ProcessesSample
  | ThreadsSample
  | WaitsSample
  | BusiestSample
  | GpusSample
  | GpuProcessesSample
  | HostSample
  | DisksSample
  | KernelSample
  | LogSample
  | StacksSample
  | CaptureSample
  | ProfileSample
  | LabelsSample
  | GpuRolesSample
  | IntervalSample
  | SettingsSample
  | VerdictsSample
  | AlarmSample
  | MuteSample
  | BlackBoxSample
  | EventSample
  | MarkSample;

/** The connection to the host. */
export interface LinkSample extends SampleBase<'link'> {
  readonly state: 'connecting' | 'up' | 'lost' | 'failed';
  /** One sentence when not up. */
  readonly reason?: string;
  /** When the next attempt to get it back begins, by this machine's clock. */
  readonly retryAt?: number;
  /** When something last came, where nothing comes now: of a link that is up, nobody knows then whether it still is. */
  readonly silentSince?: number;
  /** From a line sent to its answer, the host's work included. */
  readonly roundTripMs?: number;
}

/** What the probe found on the host. */
export interface FactsSample extends SampleBase<'facts'> {
  readonly facts: HostFacts;
}

/** The state of one source. A failure is data: panels draw these four states (and `off`, with why). */
export interface SourceSample extends SampleBase<'source'> {
  readonly status: SourceStatus;
  /** One sentence: what was tried, what came back, what to do. */
  readonly reason?: string;
  /** Lines that no parser could read, since the source started. */
  readonly rejectedLines?: number;
}

/** `off`: nothing reads it here, and the reason says why; no restart is tried. */
export type SourceStatus = 'waiting' | 'live' | 'stale' | 'failed' | 'off';

/** Which run is watched, and which could be. */
export interface RunSample extends SampleBase<'run'> {
  readonly phase: 'finding' | 'choosing' | 'running' | 'ended';
  /** The watched run; after its end, the run that ended. */
  readonly run?: Run;
  /** All runs seen on the host, for the picker. */
  readonly candidates: readonly Run[];
  /** One sentence for finding and ended. */
  readonly reason?: string;
}

/** The run's processes, read at a slow pace. Rows are parallel. */
export interface ProcessesSample extends SampleBase<'processes'> {
  readonly pid: readonly number[];
  readonly state: Column<string>;
  readonly rssBytes: Column;
  readonly threadCount: Column;
  /** /proc/PID/io read_bytes and write_bytes (storage), counters. */
  readonly readBytes: Column;
  readonly writtenBytes: Column;
}

/** One frame of all threads of the run, idle ones included. Rows are parallel. */
export interface ThreadsSample extends SampleBase<'threads'> {
  readonly reader: 'proc' | 'top' | 'pidstat';
  /** The time the frame covers; percentages are over it. Absent in a first frame, which has no percentages. */
  readonly intervalSeconds?: number;
  readonly pid: readonly number[];
  readonly tid: readonly number[];
  /** /proc comm: at most 15 bytes, made safe for a terminal. */
  readonly comm: readonly string[];
  /** R S D T t Z X I. */
  readonly state: Column<string>;
  /** The core it last ran on. */
  readonly core: Column;
  readonly cpuPercent: Column;
  readonly userPercent: Column;
  readonly systemPercent: Column;
  /** Share of the time it was runnable but not running (schedstat's run_delay, pidstat's %wait). */
  readonly runQueuePercent: Column;
}

/** The host's busiest threads beside the run's (`top -H`), so that a neighbour who takes cores is seen. Rows are parallel. */
export interface BusiestSample extends SampleBase<'busiest'> {
  readonly pid: Column;
  readonly tid: readonly number[];
  readonly user: readonly string[];
  readonly comm: readonly string[];
  readonly state: Column<string>;
  readonly cpuPercent: Column;
  readonly threadsTotal?: number;
}

/** The host as a whole. */
export interface HostSample extends SampleBase<'host'> {
  readonly load1?: number;
  readonly load5?: number;
  readonly load15?: number;
  /** Cores online. */
  readonly cores?: number;
  /** CPU the cgroup may use, in cores, when it is limited. */
  readonly coreLimit?: number;
  /** Busy share of all online cores together, 0 to 100. */
  readonly busyPercent?: number;
  readonly ioWaitPercent?: number;
  readonly memoryTotalBytes?: number;
  readonly memoryAvailableBytes?: number;
  /** The cgroup's, when limited. */
  readonly memoryLimitBytes?: number;
  readonly memoryUsedBytes?: number;
  readonly swapUsedBytes?: number;
  /** /proc/pressure `some` avg10 (share of the last 10 s in which some task waited), percent. */
  readonly cpuPressurePercent?: number;
  readonly memoryPressurePercent?: number;
  readonly ioPressurePercent?: number;
  /** All physical disks together. */
  readonly diskReadBytesPerSecond?: number;
  readonly diskWriteBytesPerSecond?: number;
  /** Of the busiest disk: share of the time with a request in flight. */
  readonly diskBusyPercent?: number;
  /** The run's processes together, from /proc/PID/io. */
  readonly runReadBytesPerSecond?: number;
  readonly runWriteBytesPerSecond?: number;
  /** What traintop itself costs there: percent of one core over the last 30 s, its sshd included. */
  readonly costCpuPercent?: number;
  readonly costMemoryBytes?: number;
  readonly costProcesses?: number;
  /** Who they are, the monitor itself included where it runs on that host: no neighbours of the run. */
  readonly costPids?: readonly number[];
}

/** The answer to one py-spy dump of one process. */
export interface StacksSample extends SampleBase<'stacks'> {
  readonly pid: number;
  readonly command: string;
  readonly threads: readonly StackThread[];
  /** The capture's `id`. Absent: a dump of before there were ids. */
  readonly capture?: string;
  /** Taken for the threads' names, not asked for by the user. */
  readonly auto?: true;
  /** The process was held for it, and the frames of libraries are there. */
  readonly native?: true;
  /** Where the text was saved on this machine. */
  readonly savedTo?: string;
  /** One sentence when there is no dump, or only a part. */
  readonly failure?: string;
}

/** Something happened that a reader of the night looks for; found in the other Samples (events.ts). */
export interface EventSample extends SampleBase<'event'> {
  readonly event: EventKind;
  /** A sentence that goes on from the kind: `link lost: no answer for 14 s`. */
  readonly text: string;
}

/** Kinds of events: what a seek goes to, and what is counted. */
export type EventKind =
  | 'run started'
  | 'run ended'
  | 'run restarted'
  | 'host rebooted'
  | 'link lost'
  | 'link back'
  | 'source failed'
  | 'source back'
  | 'log error'
  | 'log gap'
  | 'loss not finite'
  | 'out of memory'
  | 'NCCL timeout'
  | 'gpu error'
  | 'job cancelled'
  | 'rank exit'
  | 'norm not finite'
  | 'loss spike'
  | 'steps skipped'
  | 'checkpoint'
  | 'evaluation'
  | 'epoch end'
  | 'training end'
  | 'gpu lost'
  | 'gpu back'
  | 'capture'
  | 'signal'
  | 'recording gap'
  | 'alarm untold'
  | 'oom kill'
  | 'black box';

/** The user wants frames this often from now on: what is shown follows it, live and replayed. */
export interface IntervalSample extends SampleBase<'interval'> {
  readonly intervalMs: number;
}

/** What the user said that figures lean on: a replay shows the same. */
export interface SettingsSample extends SampleBase<'settings'> {
  /** Tokens of one step of the log, all GPUs together. */
  readonly batchTokens?: number;
  /** A speed to compare with, per second. */
  readonly baseline?: number;
  /** In what it is; absent: in that of the log. */
  readonly baselineUnit?: 'tokens' | 'samples' | 'steps';
  /** The recording that it is from. */
  readonly baselineFrom?: string;
}

/** A moment that the user marked. */
export interface MarkSample extends SampleBase<'mark'> {
  readonly text: string;
}
