/** One Python thread's stack, innermost frame first. */
export interface StackThread {
  readonly name?: string;
  /** The kernel's TID: joins the Threads panel. Absent before Python 3.11 with --nonblocking. */
  readonly tid?: number;
  /** py-spy's guess; one dump does not show that a thread is busy (py-spy 0.4.2 calls sleeping children active). */
  readonly active: boolean;
  readonly ownsGil: boolean;
  readonly frames: readonly StackFrame[];
}

/** One frame of a Python stack. */
export interface StackFrame {
  readonly function: string;
  readonly file: string;
  readonly line?: number;
}
