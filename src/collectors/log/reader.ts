import type { LogEvent, LogLine, LogValues } from '../../model/samples.ts';
import { safeText } from '../../model/text.ts';
import type { LogFormat } from './formats/format.ts';
import { levelOf } from './level.ts';
import { takePrefix } from './prefix.ts';
import { createChoice } from './records/choice.ts';
import { createValuesReader } from './records/values.ts';

/** What the user teaches or pins. */
export interface ReaderOptions {
  /** Only this format is tried, by its name. */
  readonly pinned?: string;
  /** What the user's own patterns read: tried before all others. */
  readonly taught?: readonly LogFormat[];
}

/** A line's values lie near its beginning; verl prints 10 kB of them. */
const longestRead = 16_000;

/** A piece of a log between two ends of lines: LF or CR. */
export interface Piece {
  /** Without its end; as the host wrote it. */
  readonly text: string;
  /** Too many came: it is no part of any record, and nothing is read from it. */
  readonly unread?: boolean;
}

/** What belongs together, and what it says. */
export interface LogRecord<P extends Piece> {
  /** In order; at least one. */
  readonly pieces: readonly P[];
  /** Absent: nothing was read. */
  readonly format?: string;
  readonly rank?: number;
  /** Of all its lines. */
  readonly level?: LogLine['level'];
  readonly values?: LogValues;
  readonly event?: LogEvent;
  /** The rank whose step this is. */
  readonly repeats?: number;
}

/**
 * Reads one log from its pieces to records: formats.md A.1. The same pieces give the same records, whenever they come; what is remembered
 * is bounded. Never throws.
 */
export interface LogReader<P extends Piece> {
  /** The format of this log, by the records so far; `generic` before there are any. */
  readonly format: string;
  /** Each piece comes out again in one record, in order; some only later. */
  push(piece: P): readonly LogRecord<P>[];
  /** Nothing more comes for now: gives what was held. */
  flush(): readonly LogRecord<P>[];
}

/** A reader at the beginning of a log. */
export function createLogReader<P extends Piece>(options: ReaderOptions = {}): LogReader<P> {
  const choice = createChoice(options);
  const readValues = createValuesReader(choice);
  let held: Held<P> | undefined;
  let name = 'generic';

  const close = (): readonly LogRecord<P>[] => {
    if (!held) return [];
    const { pieces, texts, rank, format } = held;
    held = undefined;
    const level = texts.map(levelOf).reduce(worse, undefined);
    const said = level === 'error' ? undefined : readValues(texts.join('\n'), format);
    // What a warning counts is no reading, unless it is a line of metrics that warns.
    const kept = level === undefined || said?.values.step !== undefined ? said : undefined;
    if (kept) name = kept.format;
    return [{ pieces, ...(rank !== undefined && { rank }), ...(level && { level }), ...kept }];
  };

  return {
    get format() {
      return name;
    },
    push(piece) {
      if (piece.unread) return [...close(), { pieces: [piece] }];
      const { rest, rank } = takePrefix(safeText(piece.text.slice(0, longestRead)));
      if (held?.format?.continues?.(rest, held.texts[0] ?? '')) {
        held.pieces.push(piece);
        held.texts.push(rest);
        return [];
      }
      const closed = close();
      const format = choice.of(rest);
      held = { pieces: [piece], texts: [rest], rank, format };
      return format?.continues ? closed : [...closed, ...close()];
    },
    flush: close,
  };
}

interface Held<P extends Piece> {
  readonly pieces: P[];
  readonly texts: string[];
  readonly rank: number | undefined;
  readonly format: LogFormat | undefined;
}

const worse = (a: LogLine['level'], b: LogLine['level']) => (a === 'error' || b === undefined ? a : b);
