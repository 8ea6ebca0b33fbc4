import type { SampleBase } from './sample-base.ts';
import type { StacksSample } from './samples.ts';
import type { StackFrame } from './stacks.ts';

/** What py-spy is asked for: one dump, one with native frames, many dumps folded, a record, who held the GIL. */
export type CaptureKind = 'dump' | 'native' | 'many' | 'record' | 'gil';

/** What the user asks for; absent figures are the kind's own (`captureDefaults`). */
export interface CaptureRequest {
  readonly what: CaptureKind;
  /** One capture of all of them: two at once, the others after them. */
  readonly pids: readonly number[];
  /** Whole seconds of a record. */
  readonly seconds?: number;
  /** Samples a second of a record. */
  readonly rate?: number;
  /** Dumps of `many`. */
  readonly rounds?: number;
  /** Seconds between them. */
  readonly everySeconds?: number;
  /** The process is held for each sample of a record: exact stacks, at a price. */
  readonly blocking?: boolean;
  /** Taken for the threads' names, not asked for by the user: not saved, not told as a capture. */
  readonly auto?: true;
  /** Taken while nobody looks: nothing is asked of the user for it. */
  readonly unasked?: true;
}

/** How a capture is: `partial` ended before its time, or lacks processes, and has a part; `cancelled` and `failed` have nothing. */
export type CaptureState = 'waiting' | 'running' | 'done' | 'partial' | 'cancelled' | 'failed';

/** A capture as it goes on: one Sample at each change, by `id`; its results are Samples that name it. */
export interface CaptureSample extends SampleBase<'capture'> {
  readonly id: string;
  readonly what: CaptureKind;
  readonly state: CaptureState;
  readonly pids: readonly number[];
  readonly startedAt: number;
  /** From start to the planned end; what is over it is py-spy being late. */
  readonly plannedMs: number;
  readonly endedAt?: number;
  /** Dumps that came, or times that a record looked, of all processes; of a record known at its end. */
  readonly samples?: number;
  /** Of them, those that py-spy could not read. */
  readonly errors?: number;
  /** Samples a second, as it is now: py-spy that falls behind is slowed. */
  readonly rate?: number;
  /** Sentences: what was done otherwise than asked, and why. */
  readonly notes: readonly string[];
  /** On this machine, what was saved. */
  readonly files: readonly string[];
  /** One sentence when there is no result, or not from all processes. */
  readonly failure?: string;
  /** Processes that are stopped (state T) since, and were not before. */
  readonly stoppedPids?: readonly number[];
}

/** Stacks of one process over a time, equal ones folded. */
export interface ProfileSample extends SampleBase<'profile'> {
  /** The capture's `id`. */
  readonly capture: string;
  readonly what: CaptureKind;
  readonly pid: number;
  readonly command: string;
  /** Samples a second; absent: each count is a dump. */
  readonly rate?: number;
  /** How long it was sampled, s. */
  readonly seconds: number;
  /** Times the process was looked at: what a thread's counts are a share of. */
  readonly samples: number;
  readonly errors: number;
  readonly threads: readonly ProfileThread[];
  readonly frames: readonly StackFrame[];
  readonly stacks: readonly ProfileStack[];
  /** Counts of stacks that are left out: there were too many different ones. */
  readonly leftOut?: number;
}

/** What a capture found in one process. */
export type CaptureResult = StacksSample | ProfileSample;

/** A thread of a profile. */
export interface ProfileThread {
  readonly tid?: number;
  readonly name?: string;
  /** It did not run during the whole capture: the kind of call that it was in. */
  readonly stillIn?: string;
  /** Of the time of a record, the part in which it was on a CPU: 0 to 1. */
  readonly cpuShare?: number;
  /** The part of the time for which it had the GIL, in a capture of that shortly before: 0 to 1. */
  readonly gilShare?: number;
}

/** Equal stacks of one thread. */
export interface ProfileStack {
  /** Index into `threads`. */
  readonly thread: number;
  /** Indexes into `frames`, innermost first. */
  readonly frames: readonly number[];
  readonly count: number;
  /** Of them py-spy took the thread for active. Absent: a record does not tell. */
  readonly active?: number;
  /** Of them it held the GIL. Absent: it was not asked. */
  readonly gil?: number;
}
