import { isUnended } from '../lines.ts';
import type { LogLine, LogSample } from '../../model/samples.ts';
import { noteLine, type Note } from './gaps.ts';
import { linesOf, type ArrivedPiece } from './line.ts';
import { createLogReader, type LogRecord, type ReaderOptions } from './reader.ts';
import type { HostClock } from './stamps.ts';

/** Lines are given together: this many at most, or what came within this time. */
const mostLines = 500;
const longestWaitMs = 250;
/**
 * Values are read from this many new lines a second, and from so many at once: with all that comes after it (speed, history, recording) a line
 * takes some 25 µs, half of a core. What is left out is spread evenly, not the end of each second.
 */
const mostReadPerSecond = 20_000;
/** And from so many where more was always there for so long: on a machine that is busy or slow what is shown would get ever older. */
const behind = { perSecond: 4000, afterMs: 500 };

interface Init {
  readonly host: string;
  readonly source: string;
  readonly reading?: ReaderOptions;
}

/** What is known of a file when lines of it are given. */
export interface FileState {
  readonly path: string;
  readonly offset: number;
  readonly clock: HostClock;
}

interface Arrived {
  readonly text: string;
  /** On the host, with its end. */
  readonly bytes: number;
  readonly receivedAt: number;
  /** It stood in the file before; the time of the file's last change then, on our axis. */
  readonly backlog: false | { readonly writtenAt?: number };
}

/** Makes lines into Samples, several at a time. `file` says where the file stands when they are given. */
export function createBatch({ host, source, reading }: Init, file: () => FileState) {
  const reader = createLogReader<ArrivedPiece>(reading);
  let lines: LogLine[] = [];
  let backlogLines = false;
  let writtenAt: number | undefined;
  let firstAt = 0;
  let unread = 0;
  /** The piece before had no end: what follows goes on it. */
  let isUnder = false;
  /** Lines that may be read now, and as of when. */
  let room = mostReadPerSecond;
  let roomAt = -Infinity;
  /** The first new line that came since all had been read; where nobody says that it was, none is late. */
  let readingSince: number | undefined = Infinity;

  const isFlood = (receivedAt: number): boolean => {
    readingSince ??= receivedAt;
    const most = receivedAt - readingSince > behind.afterMs ? behind.perSecond : mostReadPerSecond;
    const passedMs = Math.max(0, Math.min(1000, receivedAt - roomAt));
    room = Math.min(most, room + (passedMs * most) / 1000);
    roomAt = receivedAt;
    if (room < 1) return true;
    room--;
    return false;
  };

  const give = (receivedAt: number): LogSample => {
    const { path, offset } = file();
    const given = lines;
    const unreadLines = unread;
    lines = [];
    unread = 0;
    return {
      kind: 'log',
      host,
      source,
      time: given.at(-1)?.time ?? receivedAt,
      receivedAt,
      path,
      format: reader.format,
      lines: given,
      ...(unreadLines > 0 && { unreadLines }),
      endOffset: offset,
      ...(backlogLines && { backlog: true as const, ...(writtenAt !== undefined && { writtenAt }) }),
    };
  };

  /** Nothing more comes for now. */
  const flush = (receivedAt: number): readonly LogSample[] => {
    const held = take(reader.flush(), receivedAt);
    return lines.length === 0 ? held : [...held, give(receivedAt)];
  };

  const take = (records: readonly LogRecord<ArrivedPiece>[], receivedAt: number): readonly LogSample[] =>
    records.flatMap((record) => linesOf(record).flatMap((line) => push(line, receivedAt)));

  const push = (line: LogLine, receivedAt: number): readonly LogSample[] => {
    if (lines.length === 0) firstAt = receivedAt;
    lines.push(line);
    return lines.length >= mostLines || receivedAt - firstAt >= longestWaitMs ? [give(receivedAt)] : [];
  };

  return {
    /** Before the file's offset moves behind a line: gives those before it, when that line is of the other kind. */
    turn: (toBacklog: boolean, receivedAt: number) => (toBacklog === backlogLines ? [] : flush(receivedAt)),
    add({ text, bytes, receivedAt, backlog }: Arrived): readonly LogSample[] {
      const old = backlog !== false;
      const flood = !old && isFlood(receivedAt);
      const arrival = Math.min((old && backlog.writtenAt) || receivedAt, receivedAt);
      // A file that was truncated while its writer went on begins with NULs, up to where that writer stood.
      const written = text.startsWith('\0') ? text.replace(/^\0+/, '') : text;
      if (flood) unread++;
      backlogLines = old;
      writtenAt = backlog === false ? undefined : backlog.writtenAt && arrival;
      const goesOn = isUnder && !flood;
      isUnder = isUnended({ text, bytes });
      const piece = {
        text: written,
        arrival,
        host: file().clock,
        backlog: old,
        ...(flood && { unread: true }),
        ...(goesOn && { goesOn }),
      };
      return take(reader.push(piece), receivedAt);
    },
    /** After the lines that came before it. */
    note: (note: Note, receivedAt: number): readonly LogSample[] => [
      ...take(reader.flush(), receivedAt),
      ...push(noteLine(note, receivedAt), receivedAt),
    ],
    flush,
    caughtUp: () => void (readingSince = undefined),
    /** A Sample even without lines: a file that is empty or silent is followed too. */
    flushAlways: (receivedAt: number): readonly LogSample[] => [...take(reader.flush(), receivedAt), give(receivedAt)],
  };
}
