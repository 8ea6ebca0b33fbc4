/** The version of the format that is written; docs/recording.md states it. Readers read this one and all before it. */
export const formatVersion = 1;

/** How the name of a recording's file ends. */
export const recordingSuffix = '.jsonl.gz';

/** A target as a recording's folder names it behind the time: fit for a file's name, which may have 255 bytes. */
export function nameInFolder(target: string): string {
  return target.replace(/[^\w.@-]+/g, '-').slice(0, 100);
}

/** The first line of every file of a recording. */
export interface RecordingHeader {
  readonly kind: 'header';
  readonly format: number;
  /** traintop's version. */
  readonly traintop: string;
  /** All files of one recording have the same; `part` counts them from 1. */
  readonly session: string;
  readonly part: number;
  /** When this file was begun, by this machine's clock. */
  readonly startedAt: number;
  /** As the user named it. */
  readonly target: string;
  /** The host's own name, once it is known. */
  readonly hostname?: string;
  readonly wrap?: string;
  /** traintop's own. */
  readonly commandLine: readonly string[];
  readonly intervalMs: number;
  /** The host's clock minus this machine's, once it was measured. */
  readonly clockOffsetMs?: number;
  /** The data is simulated. */
  readonly demo?: DemoOrigin;
  /** It was made of saved command output, of these files. */
  readonly imported?: readonly string[];
}

/** What the demo played, so that what is found in it can be compared with the truth. */
export interface DemoOrigin {
  readonly scenario: string;
  readonly seed: number;
  /** What a diagnosis must find. */
  readonly truth: unknown;
}
