import type { LogEvent, LogEventKind } from '../../../model/samples.ts';
import type { JoinedRecord } from './detector.ts';

/** How lines of one matter are known. A line that has none of a rule's words is not searched by it. */
export interface EventRule {
  /** Runs of ASCII letters in lower case, as they stand in a line: `OutOfMemoryError` is one, `RESOURCE_EXHAUSTED` two. */
  readonly words: readonly string[];
  /** It needs one of these too. */
  readonly also?: readonly string[];
  find(line: EventLine): LogEvent | undefined;
}

/** One line of a record, with what a rule may lean on. */
export interface EventLine {
  readonly text: string;
  readonly record: JoinedRecord;
  readonly memory: EventMemory;
}

/** What is kept from record to record. */
export interface EventMemory {
  /** Ranks whose last record was a traceback: the next line names its exception, whatever that is called. */
  readonly afterTraceback: Set<number | undefined>;
  /** The rank that torchrun's summary speaks of. */
  summaryRank?: number | undefined;
}

/** An event of those details that are known. */
export function told(
  kind: LogEventKind,
  details: Readonly<Record<string, string | number | undefined>> = {},
): LogEvent {
  const known: Record<string, string | number> = {};
  let count = 0;
  for (const key in details) {
    const value = details[key];
    if (value === undefined || value === '') continue;
    known[key] = value;
    count++;
  }
  return count === 0 ? { kind } : { kind, details: known };
}

/** Digits of a count, with marks between thousands: no step or epoch has decimals. */
export const counted = String.raw`(?:\d{1,3}(?:[,.'’_\u00a0\u202f]\d{3})+(?!\d)|\d+)`;

/** As `numberOf`, where the group is a count. */
export function countOf(pattern: RegExp, text: string): number | undefined {
  const found = pattern
    .exec(text)
    ?.slice(1)
    .find((group) => group !== undefined);
  return found === undefined ? undefined : Number(found.replace(/\D/g, ''));
}

/** The first group that took part in the match, as a number. */
export function numberOf(pattern: RegExp, text: string): number | undefined {
  const found = pattern
    .exec(text)
    ?.slice(1)
    .find((group) => group !== undefined);
  return found === undefined ? undefined : Number(found);
}
