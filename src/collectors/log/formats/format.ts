import type { LogField, LogValues } from '../../../model/samples.ts';
import type { Draft } from '../draft.ts';

/** One trainer's way to print: a file of this folder, and a row of docs/formats.md. */
export interface LogFormat {
  /** As `--format` and the screen name it: `hf_trainer`. */
  readonly name: string;
  readonly title: string;
  /** Where its layout is known from: project, file, version. */
  readonly source: string;
  /** What a reader of its logs should know: one sentence, shown in docs/formats.md. */
  readonly note?: string;
  /** Each record has one of these texts in its first line: looked for before `detect` is tried. */
  readonly anchors: readonly string[];
  /** Tells a record of this format by its first line. */
  readonly detect: RegExp;
  /** Keys that mean something else here than in general, or have another unit. As printed. */
  readonly fields?: Readonly<Record<string, FieldRule>>;
  /** Of a rate that does not say it itself: one GPU's, or all GPUs' together. */
  readonly scope?: 'gpu' | 'global';
  /** This line goes on the record that began with `first`. Absent: each line is a record. */
  readonly continues?: (line: string, first: string) => boolean;
  /**
   * Reads what is not `key: value`, and returns the text that is left for the generic reader; undefined: all was read. Absent: the
   * generic reader reads all of it, by `fields`.
   */
  readonly read?: (text: string, draft: Draft, memory: FormatMemory) => string | undefined;
  /** What its progress bars count where they do not say it: all steps of the run, or those of one epoch. */
  readonly bar?: 'run' | 'epoch';
  readonly examples: readonly FormatExample[];
}

/** What a key of a format means. */
export interface FieldRule {
  /** `stage`: a time; `queue`: a depth; `metric`: a number under its own key; `nothing`: no number that measures. */
  readonly as: LogField | 'stage' | 'queue' | 'metric' | 'nothing';
  /** Of a bare number, where it is not the field's. */
  readonly unit?: Unit;
  /** Of tokens a second. */
  readonly scope?: 'gpu' | 'global';
}

/** Units of bare numbers. `fraction`: 0.38 is 38 %. */
export type Unit =
  'us' | 'ms' | 's' | 'min' | 'h' | 'fraction' | 'KiB' | 'MiB' | 'GiB' | 'KB' | 'MB' | 'GB' | 'k' | 'M' | 'G' | 'T';

/** What a format keeps from record to record, of one log: columns of a header, the total of a bar. Bounded by the format. */
export type FormatMemory = Map<string, unknown>;

/** A test of the format, and an example in docs/formats.md: lines as they are printed, and what is read from them. */
export interface FormatExample {
  readonly lines: string;
  /** One a record that says something, in order. */
  readonly values: readonly LogValues[];
}
