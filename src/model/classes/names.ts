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

/** What py-spy and the kernel said of the thread whose stack it is; absent: it was not asked. */
export interface ClassState {
  /** py-spy's guess. */
  readonly active?: boolean;
  readonly ownsGil?: boolean;
  /** Another thread of the process had the GIL. */
  readonly gilElsewhere?: boolean;
  /** What the kernel had it wait for, in the words of the Threads panel: futex, poll, sleep. */
  readonly wait?: string;
}

/** A class, and what it was told by. */
export interface Classified {
  readonly class: StackClass;
  /** A sentence without its subject: `waits for the GIL`. */
  readonly because: string;
  /** Index of the frame that told. */
  readonly frame?: number;
}
