/** What a thread was doing when its stack was taken, as far as frames of libraries and machine code tell. */
export type StackClass =
  | 'kernel launch'
  | 'stream sync'
  | 'allocator'
  | 'copy'
  | 'collective'
  | 'input wait'
  | 'GIL wait'
  | 'lock wait'
  | 'Python'
  | 'native'
  | 'file I/O'
  | 'network I/O'
  | 'compile'
  | 'idle'
  | 'unknown';

/** What is known of the thread beside its stack; absent: it was not asked. */
export interface ClassState {
  /** py-spy's guess. */
  readonly active?: boolean;
  readonly ownsGil?: boolean;
  /** Another thread of the process had the GIL. */
  readonly gilElsewhere?: boolean;
  /** It had not run for a second or longer: the kind of call that it was in, as the Threads panel words it (`futex`, `poll`, `sleep`). */
  readonly stillIn?: string;
  /** Of a record that this stack has most of: the part of the time for which its thread was on a CPU, 0 to 1. */
  readonly cpuShare?: number;
  /** And for which it had the GIL. */
  readonly gilShare?: number;
}

/** A class, and what it was told by. */
export interface Classified {
  readonly class: StackClass;
  /** A sentence without its subject: `waits for the GIL`. */
  readonly because: string;
  /** Index of the frame that told; absent: the thread's state did. */
  readonly frame?: number;
}
