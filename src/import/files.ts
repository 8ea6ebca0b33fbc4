/** What kinds of saved output are read; each is the name of its option. */
export type FileKind = 'top' | 'nvidia-smi' | 'dmon' | 'log' | 'stat' | 'pidstat' | 'stacks';

/** One file (or folder, for stacks) that the user gave. */
export interface InputFile {
  readonly kind: FileKind;
  /** Where it is opened. */
  readonly path: string;
  /** The end of its path by which it is told from the others, safe for a terminal. */
  readonly name: string;
  /** When it was last changed, epoch ms: often the end of what it holds, if the copy kept it. Absent for a pipe. */
  readonly modifiedAt?: number;
}

/** Where a file's times lie. */
export interface Span {
  /**
   * `epoch`: seconds since 1970. `wall`: date and time of day of the host's zone. `day`: time of day alone, days counted on
   * at midnight. `rounds`: no times, only an order.
   */
  readonly clock: 'epoch' | 'wall' | 'day' | 'rounds';
  /** Milliseconds as the file tells them: of `wall` as though it were UTC, of `day` since its first midnight, of `rounds` since the first. */
  readonly from: number;
  readonly to: number;
}

/** What became of one file, grown while it is read. */
export interface FileReport {
  readonly file: InputFile;
  /** What it gives, in words: `8 frames of 16 threads`. */
  readonly gives: string;
  /** On the axis of the recording, epoch ms; absent when nothing in it has a time. */
  readonly from?: number;
  readonly to?: number;
  /** What is not in the recording, and what must be known of it: one sentence each. */
  readonly notes: readonly string[];
  /** Lines that could not be read, and the first of them. */
  readonly rejected: Rejected;
}

/** Counts what cannot be read. */
export interface Rejected {
  count: number;
  first?: { readonly line: number; readonly text: string };
}
