import type { LogEvent, LogLine, LogValues } from '../../../model/samples.ts';

/** A record as its lines, values and level are known: what an event is found by. */
export interface JoinedRecord {
  /** Its lines, clean and without launchers' prefixes; at least one. */
  readonly texts: readonly string[];
  readonly values?: LogValues | undefined;
  readonly rank?: number | undefined;
  readonly level?: LogLine['level'];
  /** Of a traceback: the line that follows it, which names the exception. */
  readonly next?: string | undefined;
}

/** Tells what the records of one log tell of beside their figures. What it remembers of the log is bounded. */
export interface EventDetector {
  /** Takes each record once, in their order. Never throws. */
  detect(record: JoinedRecord): LogEvent | undefined;
}

/** A detector at the beginning of a log. */
export function createEventDetector(): EventDetector {
  return { detect: () => undefined };
}
