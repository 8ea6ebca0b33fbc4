/** One thread's stack, innermost frame first. */
export interface StackThread {
  readonly name?: string;
  /** The kernel's TID: joins the Threads panel. Absent before Python 3.11 with --nonblocking. */
  readonly tid?: number;
  /** py-spy's guess; one dump does not show that a thread is busy (py-spy 0.4.2 calls sleeping children active). */
  readonly active: boolean;
  readonly ownsGil: boolean;
  readonly frames: readonly StackFrame[];
  /** It had not run for a second or longer by then: the kind of call that it was in. */
  readonly stillIn?: string;
}

/** One frame of a stack, Python's or, in a native dump, of a library. */
export interface StackFrame {
  /** Of a native frame the demangled symbol, or an address where the library has none. */
  readonly function: string;
  /** The source file, or the library of a native frame. */
  readonly file: string;
  readonly line?: number;
  /** The frame is machine code of the library `file`. */
  readonly native?: true;
}
