import type { Classified, StackClass } from '../classes/names.ts';
import type { Run } from '../run.ts';
import type { CaptureResult, ThreadsSample } from '../samples.ts';
import type { StackFrame } from '../stacks.ts';
import { createFolder } from './folder.ts';

/** What any captures found, in one form: a dump is a profile of one look. */
export interface Folded {
  /** What a count is: one dump, or one of `rate` samples a second. */
  readonly unit: 'dumps' | 'samples';
  /** Samples a second, the highest where there are several; absent for dumps. */
  readonly rate?: number;
  /** The lowest, where there are several: py-spy that fell behind was slowed. */
  readonly lowestRate?: number;
  /** Times that one process was looked at; of more than one, the most. */
  readonly samples: number;
  /** Looks, of all processes, that py-spy could not read. */
  readonly errors: number;
  /** It has frames of libraries. */
  readonly native: boolean;
  /** Only stacks that held the GIL were counted. */
  readonly gilOnly: boolean;
  readonly processes: readonly FoldedProcess[];
  /** The most frequent first. Equal stacks share one `frames`, and equal frames are one object. */
  readonly stacks: readonly FoldedStack[];
  /** The counts of all stacks. */
  readonly count: number;
  /** Their weights; absent where each count weighs 1. */
  readonly weight?: number;
  /** Counts that are in no stack: there were too many different ones. */
  readonly leftOut: number;
}

/** One process that was captured. */
export interface FoldedProcess {
  readonly pid: number;
  readonly rank?: number;
  readonly command: string;
  readonly samples: number;
  readonly errors: number;
  /** Why there is no stack of it, or only a part. */
  readonly failure?: string;
}

/** Equal stacks of one thread that are of one class. */
export interface FoldedStack {
  readonly pid: number;
  readonly rank?: number;
  readonly tid?: number;
  /** Its name: Python's, else the kernel's, else by its number. */
  readonly thread: string;
  readonly role: string;
  /** Innermost first. */
  readonly frames: readonly StackFrame[];
  readonly count: number;
  /** What shares are made of, where rates differ: a sample at half the rate stands for twice the time. Absent: as `count`. */
  readonly weight?: number;
  /** Of them py-spy took the thread for active. Absent: not told. */
  readonly active?: number;
  /** Of them it held the GIL. Absent: not told. */
  readonly gil?: number;
  readonly class: StackClass;
  /** What told that class, where it was worked out from the frames. */
  readonly told?: Classified;
}

/** A thread whose role is asked for, with one of its stacks: the most frequent is asked for first. */
export interface StackOwner {
  readonly pid: number;
  readonly tid?: number;
  /** Python's name. */
  readonly name?: string;
  readonly comm?: string;
  readonly frames: readonly StackFrame[];
}

/** What is known of the run beside its stacks. */
export interface FoldContext {
  readonly run: Run | undefined;
  /** Python's, by `PID:TID`. */
  readonly threadNames: ReadonlyMap<string, string>;
  /** The newest frame of all threads, for the kernel's names. */
  readonly threads?: Pick<ThreadsSample, 'pid' | 'tid' | 'comm'> | undefined;
  readonly roleOf: (thread: StackOwner) => string | undefined;
}

/** Puts results together: of one capture, or of several of the same kind. */
export function foldResults(results: readonly CaptureResult[], context: FoldContext): Folded {
  const folder = createFolder(context);
  for (const result of results) {
    if (result.kind === 'stacks') folder.addDump(result);
    else folder.addProfile(result);
  }
  return folder.folded();
}
