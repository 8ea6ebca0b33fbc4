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
