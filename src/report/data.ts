import type { AlarmSample, BlackBoxPart, EventSample, MarkSample } from '../model/samples.ts';
import type { State } from '../model/state.ts';
import type { VerdictSpan } from '../model/verdict-spans.ts';
import type { RecordingHeader } from '../recording/format.ts';
import type { Losses } from './losses.ts';
import type { Pace } from './pace.ts';
import type { Slots } from './slots.ts';

/** All that is read of a recording for a report. */
export interface ReportData {
  readonly path: string;
  readonly header: RecordingHeader;
  readonly from: number;
  readonly to: number;
  /** Of the recording, where the report is of a part. */
  readonly whole: { readonly from: number; readonly to: number };
  /** More is to come. */
  readonly isWritten: boolean;
  readonly run?: RunOf;
  readonly runs: number;
  readonly gpus: readonly GpuOf[];
  /** Of all GPUs of the host these are the run's. */
  readonly runGpus: readonly GpuOf[];
  readonly slots: Slots;
  readonly pace?: Pace;
  readonly steps?: Steps;
  readonly loss?: Loss;
  readonly losses?: Losses;
  readonly spans: readonly VerdictSpan[];
  readonly troubles: readonly Trouble[];
  readonly events: readonly Happened[];
  readonly alarms: readonly AlarmSample[];
  readonly evidence: readonly EvidenceOf[];
  readonly worst?: Worst;
  readonly stages?: StagesOf;
  readonly queues: readonly string[];
  readonly holes: readonly { readonly from: number; readonly to: number }[];
  readonly end: State;
  /** How the run ended, where it did. */
  readonly ending?: Ending;
  /** Each a sentence: what there is none of, and why. */
  readonly missing: readonly string[];
}

/** An event, or a mark of the user's. */
export type Happened = EventSample | MarkSample;

/** The run that was watched last. */
export interface RunOf {
  readonly title: string;
  readonly command: string;
  readonly pid: number;
  readonly ranks: number;
  readonly startedAt?: number;
}

/** A GPU of the host. */
export interface GpuOf {
  readonly uuid: string;
  readonly index: number;
  readonly name?: string;
}

/** What the log told of steps. */
export interface Steps {
  /** Those that are done again after a restart are counted again. */
  readonly done: number;
  readonly first: number;
  readonly last: number;
  readonly lastAt: number;
  readonly restarts: number;
  readonly seconds?: number;
}

/** What became of the loss. */
export interface Loss {
  readonly first: number;
  readonly last: number;
  readonly lowest: number;
  /** How often it was no number. */
  readonly odd: number;
  /** From then on it was never a number again. */
  readonly oddSince?: number;
}

/** A time in which something was wrong. */
export interface Trouble {
  readonly span: VerdictSpan;
  /** GPU-hours that were lost in it. */
  readonly lost: number;
}

/** Stacks of one time, and what was taken with them. */
export interface EvidenceOf {
  readonly at: number;
  readonly title: string;
  readonly reason?: string;
  /** One sentence: which rank is where. */
  readonly finding?: string;
  readonly groups: readonly StackGroupOf[];
  readonly parts: readonly BlackBoxPart[];
  readonly notes: readonly string[];
  readonly folder?: string;
  readonly alarm?: string;
}

/** Equal stacks, and whose they are. */
export interface StackGroupOf {
  /** `7 ranks (0-4, 6, 7)`, `rank 5`, `PID 4711`. */
  readonly who: string;
  readonly role: string;
  readonly class: string;
  readonly count: number;
  /** Innermost first. */
  readonly frames: readonly string[];
}

/** The window that cost most. */
export interface Worst {
  readonly from: number;
  readonly to: number;
  /** GPU-hours; absent: it was the slowest. */
  readonly lost?: number;
  readonly rate?: number;
  readonly state: State;
}

/** Stages of the step in two times. */
export interface StagesOf {
  readonly before: string;
  readonly after: string;
  readonly rows: readonly { readonly name: string; readonly before?: number; readonly after?: number }[];
}

/** How a run ended. */
export interface Ending {
  readonly at: number;
  /** Goes on from `ended at 03:22`: ` by NCCL's watchdog`. */
  readonly by: string;
}
