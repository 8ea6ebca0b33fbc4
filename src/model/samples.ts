import type { HostFacts } from './facts.ts';
import type { Run } from './run.ts';
import type { StackThread } from './stacks.ts';

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
  | BusiestSample
  | GpusSample
  | GpuProcessesSample
  | HostSample
  | LogSample
  | StacksSample;

/** One value a row; null where the host gave none. */
export type Column<T = number> = readonly (T | null)[];

interface Base<Kind extends string> {
  readonly kind: Kind;
  /** Which host, as the transport names it. */
  readonly host: string;
  /** Which source (see SourceSample). */
  readonly source: string;
  /** When it was so: the host's clock plus the measured offset. Lines fetched late keep their own time. */
  readonly time: number;
  /** When it reached us. */
  readonly receivedAt: number;
}

/** The connection to the host. */
export interface LinkSample extends Base<'link'> {
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
export interface FactsSample extends Base<'facts'> {
  readonly facts: HostFacts;
}

/** The state of one source. A failure is data: panels draw these four states (and `off`, with why). */
export interface SourceSample extends Base<'source'> {
  readonly status: SourceStatus;
  /** One sentence: what was tried, what came back, what to do. */
  readonly reason?: string;
  /** Lines that no parser could read, since the source started. */
  readonly rejectedLines?: number;
}

/** `off`: nothing reads it here, and the reason says why; no restart is tried. */
export type SourceStatus = 'waiting' | 'live' | 'stale' | 'failed' | 'off';

/** Which run is watched, and which could be. */
export interface RunSample extends Base<'run'> {
  readonly phase: 'finding' | 'choosing' | 'running' | 'ended';
  /** The watched run; after its end, the run that ended. */
  readonly run?: Run;
  /** All runs seen on the host, for the picker. */
  readonly candidates: readonly Run[];
  /** One sentence for finding and ended. */
  readonly reason?: string;
}

/** The run's processes, read at a slow pace. Rows are parallel. */
export interface ProcessesSample extends Base<'processes'> {
  readonly pid: readonly number[];
  readonly state: Column<string>;
  readonly rssBytes: Column;
  readonly threadCount: Column;
  /** /proc/PID/io read_bytes and write_bytes (storage), counters. */
  readonly readBytes: Column;
  readonly writtenBytes: Column;
}

/** One frame of all threads of the run, idle ones included. Rows are parallel. */
export interface ThreadsSample extends Base<'threads'> {
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
export interface BusiestSample extends Base<'busiest'> {
  readonly pid: Column;
  readonly tid: readonly number[];
  readonly user: readonly string[];
  readonly comm: readonly string[];
  readonly state: Column<string>;
  readonly cpuPercent: Column;
  readonly threadsTotal?: number;
}

/** One frame of all GPUs. Rows are parallel, keyed by UUID; a column the driver does not have is absent. */
export interface GpusSample extends Base<'gpus'> {
  readonly uuid: readonly string[];
  /** nvidia-smi's index (PCI order). */
  readonly index: readonly number[];
  readonly name: Column<string>;
  readonly utilizationPercent?: Column;
  readonly memoryUtilizationPercent?: Column;
  readonly memoryUsedBytes?: Column;
  readonly memoryTotalBytes?: Column;
  readonly powerWatts?: Column;
  readonly powerLimitWatts?: Column;
  readonly temperatureCelsius?: Column;
  readonly memoryTemperatureCelsius?: Column;
  readonly smClockMhz?: Column;
  readonly memoryClockMhz?: Column;
  readonly smClockMaxMhz?: Column;
  readonly fanPercent?: Column;
  readonly pstate?: Column<string>;
  /** Short names of the active clock event reasons ("power cap", "hw thermal"), idle left out; null = not known. */
  readonly throttleReasons?: Column<readonly string[]>;
  readonly eccUncorrected?: Column;
  readonly pcieGeneration?: Column;
  readonly pcieWidth?: Column;
  readonly mig?: Column<string>;
  readonly persistence?: Column<string>;
  /** What stood in a cell that is no value, for the ones worth showing: `GPU requires reset`, `Unknown Error`. */
  readonly faults?: Column<string>;
}

/** Which process holds how much memory on which GPU, as nvidia-smi says (its PIDs are the host's). Rows are parallel. */
export interface GpuProcessesSample extends Base<'gpuProcesses'> {
  readonly uuid: readonly string[];
  readonly pid: readonly number[];
  readonly name: readonly string[];
  readonly memoryBytes: Column;
}

/** The host as a whole. */
export interface HostSample extends Base<'host'> {
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

/** New lines of one log file. */
export interface LogSample extends Base<'log'> {
  readonly path: string;
  /** The format that read the values, e.g. `generic`. */
  readonly format: string;
  readonly lines: readonly LogLine[];
  /** Lines here whose values were not read, because too many came in a second; their text is whole. */
  readonly unreadLines?: number;
  /** Bytes of the file that have been read, for going on after a break. */
  readonly endOffset?: number;
  /** The lines stood in the file before we read it: their times are those of their stamps, else they are `undated`. */
  readonly backlog?: true;
  /** Of a backlog: when the file was last changed, where that is known. */
  readonly writtenAt?: number;
}

/** One line of a log: text made safe for a terminal, and what was read from it. */
export interface LogLine {
  readonly text: string;
  readonly time: number;
  readonly level?: 'error' | 'warning';
  readonly rank?: number;
  readonly values?: LogValues;
  /** Of a backlog and without a stamp: it was written at `time` at the latest (the file's last change, else `receivedAt`). */
  readonly undated?: true;
  /** No line of the file: what the monitor says of it there. */
  readonly note?: true;
  /** Of a note: here lines are missing. */
  readonly gap?: LogGap;
}

/** Lines that are not read: the file was cut or written anew, a file is gone or unreadable, or it was too much at once. */
export interface LogGap {
  readonly reason: 'truncated' | 'lost' | 'skipped';
  /** Bytes of the file that had been read. */
  readonly fromOffset?: number;
  /** What is missing, where it is known. */
  readonly bytes?: number;
}

/** What one log line says. Non-finite numbers stay what they are. */
export interface LogValues {
  readonly step?: number;
  readonly totalSteps?: number;
  readonly epoch?: number;
  readonly loss?: number;
  readonly learningRate?: number;
  readonly gradNorm?: number;
  readonly tokensPerSecond?: number;
  /** The trainer says that tokensPerSecond is one GPU's (torchtitan's `tps`); absent: it does not say. */
  readonly tokensPerSecondScope?: 'gpu';
  readonly samplesPerSecond?: number;
  readonly stepSeconds?: number;
  readonly etaSeconds?: number;
  readonly mfuPercent?: number;
  readonly queues?: readonly QueueReading[];
  readonly stages?: readonly StageReading[];
  /** Every other number under its own key, in the unit its name says. */
  readonly other?: Readonly<Record<string, number>>;
}

/** The values that are one number. */
export type LogField = Exclude<keyof LogValues, 'queues' | 'stages' | 'other' | 'tokensPerSecondScope'>;

/** One queue as a log line shows it: `q_hs=[9-10]` gives low 9 and high 10, `7/16` depth 7 and capacity 16. */
export interface QueueReading {
  readonly name: string;
  readonly depth?: number;
  readonly capacity?: number;
  readonly low?: number;
  readonly high?: number;
}

/** One stage's time in the last window. */
export interface StageReading {
  readonly name: string;
  readonly averageMs?: number;
  readonly maximumMs?: number;
  readonly count?: number;
}

/** The answer to one py-spy dump of one process. */
export interface StacksSample extends Base<'stacks'> {
  readonly pid: number;
  readonly command: string;
  readonly threads: readonly StackThread[];
  /** Where the text was saved on this machine. */
  readonly savedTo?: string;
  /** One sentence when there is no dump, or only a part. */
  readonly failure?: string;
}
