import type { LogLine } from '../../model/samples.ts';
import { safeText } from '../../model/text.ts';
import type { LogReader } from './generic.ts';
import { levelOf } from './level.ts';
import { takePrefix } from './prefix.ts';
import { readStamp, type HostClock } from './stamps.ts';

/** Characters of a line that are kept. */
const longestText = 2000;
/** A line's values lie near its beginning; verl prints 10 kB of them. */
const longestRead = 16_000;
/** Stamps are whole seconds: nearer to the arrival than this the arrival is the better time. */
const stampErrorMs = 1500;

interface Init {
  /** Absent: no values are read. */
  readonly reader: LogReader | undefined;
  /** When it came; of a backlog, when it was written at the latest. */
  readonly arrival: number;
  readonly host: HostClock;
  /** The line was in the file before: its arrival says nothing. */
  readonly backlog: boolean;
}

/** One line of a log as it goes on a Sample; undefined for an empty one. */
export function readLine(raw: string, { reader, arrival, host, backlog }: Init): LogLine | undefined {
  const safe = safeText(raw.length > longestRead ? raw.slice(0, longestRead) : raw).trimEnd();
  if (safe.trim() === '') return undefined;
  const { rank, rest } = takePrefix(safe);
  const level = levelOf(rest);
  const stamp = /\d:\d/.test(rest) ? readStamp(rest, arrival, host) : undefined;
  const trusted = stamp !== undefined && (backlog || !isNow(arrival - stamp));
  const values = level === 'error' ? undefined : reader?.read(rest);
  // What a warning counts is no reading, unless it is a line of metrics that warns.
  const kept = level === undefined || values?.step !== undefined ? values : undefined;
  return {
    text: safe.length > longestText ? safe.slice(0, longestText) : safe,
    time: trusted ? stamp : arrival,
    ...(level && { level }),
    ...(rank !== undefined && { rank }),
    ...(kept && { values: kept }),
    ...(backlog && !trusted && { undated: true as const }),
  };
}

/** Printed just now: by the host's wall clock, or by that of another zone. Zones differ by quarters of an hour. */
function isNow(lateMs: number): boolean {
  const quarterMs = 15 * 60_000;
  return Math.abs(lateMs - Math.round(lateMs / quarterMs) * quarterMs) <= stampErrorMs;
}
