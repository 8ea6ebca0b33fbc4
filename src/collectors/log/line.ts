import type { LogLine } from '../../model/samples.ts';
import type { LogRecord, Piece } from './reader.ts';
import { readStamp, type HostClock } from './stamps.ts';

/** Characters of a line that are kept. */
const longestText = 2000;
/** Stamps are whole seconds: nearer to the arrival than this the arrival is the better time. */
const stampErrorMs = 1500;

/** A piece with what is known of its coming. */
export interface ArrivedPiece extends Piece {
  /** When it came; of a backlog, when it was written at the latest. */
  readonly arrival: number;
  readonly host: HostClock;
  /** The line was in the file before: its arrival says nothing. */
  readonly backlog: boolean;
}

/** The lines of a record as they go on a Sample: what the record says stands on the first one that is not empty. */
export function linesOf(record: LogRecord<ArrivedPiece>): readonly LogLine[] {
  const { pieces, texts, rank, level, values, event, repeats } = record;
  const lines = pieces.flatMap((piece, i) => dated(piece, texts[i] ?? '') ?? []);
  return lines.map((line, i) => ({
    ...line,
    ...(level && { level }),
    ...(rank !== undefined && { rank }),
    ...(i === 0 && values && { values }),
    ...(i === 0 && event && { event }),
    ...(i === 0 && lines.length > 1 && { continued: lines.length - 1 }),
    ...(i === 0 && repeats !== undefined && { repeats }),
  }));
}

/** Undefined for an empty one. */
function dated({ arrival, host, backlog }: ArrivedPiece, text: string): LogLine | undefined {
  const safe = text.trimEnd();
  if (safe.trim() === '') return undefined;
  const stamp = /\d:\d/.test(safe) ? readStamp(safe, arrival, host) : undefined;
  const trusted = stamp !== undefined && (backlog || !isNow(arrival - stamp));
  return {
    text: safe.length > longestText ? safe.slice(0, longestText) : safe,
    time: trusted ? stamp : arrival,
    ...(backlog && !trusted && { undated: true as const }),
  };
}

/** Printed just now: by the host's wall clock, or by that of another zone. Zones differ by quarters of an hour. */
function isNow(lateMs: number): boolean {
  const quarterMs = 15 * 60_000;
  return Math.abs(lateMs - Math.round(lateMs / quarterMs) * quarterMs) <= stampErrorMs;
}
