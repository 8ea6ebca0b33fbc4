import type { SampleBase } from './sample-base.ts';

/** New lines of one log file. */
export interface LogSample extends SampleBase<'log'> {
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
  /** Of the record that begins with this line: all that its lines say together. */
  readonly values?: LogValues;
  /** What the record that begins with this line tells of. */
  readonly event?: LogEvent;
  /** Lines after this one that belong to its record: a block, a wrapped line, a traceback. */
  readonly continued?: number;
  /** The rank whose step this record tells again: counted once, whoever prints it. */
  readonly repeats?: number;
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
  /** Whether the trainer says that tokensPerSecond is one GPU's (torchtitan's `tps`) or all GPUs' together; absent: it does not say. */
  readonly tokensPerSecondScope?: 'gpu' | 'global';
  readonly samplesPerSecond?: number;
  readonly iterationsPerSecond?: number;
  readonly stepSeconds?: number;
  readonly etaSeconds?: number;
  /** Since the training began, as the log says it. */
  readonly elapsedSeconds?: number;
  readonly mfuPercent?: number;
  /** Of one GPU, in 10^12 floating point operations a second. */
  readonly tflopsPerSecond?: number;
  /** GPU memory as the trainer says it: the peak where it tells one. */
  readonly memoryBytes?: number;
  readonly validationLoss?: number;
  /** Where the trainer counts steps within an epoch (Lightning, Keras, fairseq). */
  readonly stepInEpoch?: number;
  readonly stepsPerEpoch?: number;
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
  /** Time that was spent waiting at it. */
  readonly waitSeconds?: number;
}

/** One stage's time in the last window. */
export interface StageReading {
  readonly name: string;
  readonly averageMs?: number;
  readonly maximumMs?: number;
  readonly count?: number;
}

/** What a log tells of beside its figures. The details that a kind has are in docs/formats.md; each is absent where the log does not tell it. */
export interface LogEvent {
  readonly kind: LogEventKind;
  /** What is known of it: `gpu`, `op`, `xid`, `exception`, `path`, ... Numbers are finite. */
  readonly details?: Readonly<Record<string, string | number>>;
}

/** Kinds of events in logs. */
export type LogEventKind =
  | 'cuda_oom'
  | 'host_oom'
  | 'nccl_timeout'
  | 'dist_backend'
  | 'xid'
  | 'gpu_lost'
  | 'traceback'
  | 'exception'
  | 'torchrun_child_failed'
  | 'rank_exit'
  | 'slurm_time_limit'
  | 'slurm_cancelled'
  | 'signal'
  | 'overflow'
  | 'not_finite'
  | 'loss_spike'
  | 'checkpoint'
  | 'evaluation'
  | 'epoch_end'
  | 'training_end';
