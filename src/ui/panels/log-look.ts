import type { LogLine } from '../../model/samples.ts';

/** How the user looks at the logs, beside what every panel has. Nothing of it is there before a key is pressed. */
export interface LogLook {
  /** The line under the cursor while the log does not follow: it stays there, whatever comes, goes or is filtered. */
  readonly line?: LogLine | undefined;
  /** Where the cursor stands in the panel: 0 at the top, 1 (absent) on the last row. */
  readonly share?: number | undefined;
  /** Long lines take several rows. */
  readonly wraps?: boolean | undefined;
  /** Cells that are scrolled out at the left, where lines are not wrapped. */
  readonly left?: number | undefined;
  /** What is sought; its matches stand out. */
  readonly search?: string | undefined;
  /** Only lines of this rank. */
  readonly rank?: number | undefined;
  /** Only lines of the log with this path. */
  readonly path?: string | undefined;
}
