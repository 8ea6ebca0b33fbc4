import type { LogLine, LogSample } from '../../model/samples.ts';
import type { Parser } from '../collector.ts';
import { createGenericReader } from './generic.ts';
import { readLine } from './line.ts';
import { mark, type Position } from './script.ts';
import type { HostClock } from './stamps.ts';

/** Lines are given together: this many at most, or what came within this time. */
const mostLines = 500;
const longestWaitMs = 250;
/** Values are read from this many new lines a second: a line takes up to 0.1 ms, and a flood must not delay a key. */
const mostReadPerSecond = 500;

interface Init {
  readonly host: string;
  readonly source: string;
  readonly path: string;
  readonly clock: HostClock;
}

interface Held {
  readonly text: string;
  readonly receivedAt: number;
  readonly bytes: number;
}

/** Reads the answer of followScript. */
export interface LogParser extends Parser {
  /** After the last complete line. */
  position(): Position | undefined;
  /** A new script follows: its first line is the head. The host's clock may have been compared anew. */
  restart(clock: HostClock): void;
}

const head = new RegExp(`^${mark} at (\\d+) (\\d+) (\\d+) ?(\\w*)$`);

const notes: Readonly<Record<string, string>> = {
  replaced: 'the file was replaced: reading the new one from its beginning',
  truncated: 'the file was truncated: reading it from its beginning',
  skipped: 'too much was written while nothing was read: the lines between are left out',
};

/** A parser that follows one file, over all the scripts that are started for it. */
export function createLogParser({ host, source, path, ...init }: Init): LogParser {
  let { clock } = init;
  const reader = createGenericReader();
  let lines: LogLine[] = [];
  let backlogLines = false;
  let firstAt = 0;
  let begun = false;
  let skipFirst = false;
  let inode: string | undefined;
  let offset = 0;
  let sizeAtStart = 0;
  let rejected = 0;
  /** The newest line: it is taken when something follows it, or nothing does for a moment. */
  let held: Held | undefined;
  let unread = 0;
  let second = { begin: -Infinity, lines: 0 };

  const isFlood = (receivedAt: number): boolean => {
    if (receivedAt - second.begin >= 1000) second = { begin: receivedAt, lines: 0 };
    return ++second.lines > mostReadPerSecond;
  };

  const flush = (receivedAt: number): readonly LogSample[] => (lines.length === 0 ? [] : [give(receivedAt)]);

  const give = (receivedAt: number): LogSample => {
    const given = backlogLines ? lines.map((l) => (l.time === firstAt ? { ...l, time: receivedAt } : l)) : lines;
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
      ...(inode !== undefined && { endOffset: offset }),
      ...(backlogLines && { backlog: true as const }),
    };
  };

  const note = (word: string, receivedAt: number) => {
    const text = notes[word];
    if (text === undefined) return;
    if (lines.length === 0) firstAt = receivedAt;
    lines.push({ text: `-- ${text} --`, time: receivedAt, level: 'warning' });
  };

  /** True when the line is the script's own. */
  const readMark = (text: string, receivedAt: number): boolean => {
    if (!text.startsWith(mark)) return false;
    const [, at, size, from, word = ''] = head.exec(text) ?? [];
    if (!begun && at !== undefined) {
      begun = true;
      inode = at;
      sizeAtStart = Number(size);
      offset = Number(from);
      skipFirst = offset > 0;
      note(word, receivedAt);
      return true;
    }
    const what = text.slice(mark.length + 1);
    if (what !== 'truncated' && what !== 'replaced') return false;
    offset = 0;
    sizeAtStart = 0;
    if (what === 'replaced') inode = '';
    note(what, receivedAt);
    return true;
  };

  const take = ({ text, receivedAt, bytes }: Held): readonly LogSample[] => {
    const end = offset + bytes;
    const backlog = end <= sizeAtStart;
    const given = backlog !== backlogLines ? flush(receivedAt) : [];
    offset = end;
    if (skipFirst) {
      skipFirst = false;
      return given;
    }
    // All lines of a backlog without a stamp have one time, set when they are given.
    const arrival = backlog && lines.length > 0 ? firstAt : receivedAt;
    const flood = !backlog && isFlood(receivedAt);
    if (flood) unread++;
    const line = readLine(text, { reader: flood ? undefined : reader, arrival, host: clock, backlog });
    if (!line) return given;
    if (lines.length === 0) firstAt = receivedAt;
    backlogLines = backlog;
    lines.push(line);
    const due = lines.length >= mostLines || receivedAt - firstAt >= longestWaitMs;
    return due ? [...given, ...flush(receivedAt)] : given;
  };

  const release = (): readonly LogSample[] => {
    const line = held;
    held = undefined;
    return line ? take(line) : [];
  };

  return {
    push(text, receivedAt, bytes) {
      // The script ended: its mark's line end closed a line that the file has not ended yet.
      if (text === `${mark} end`) held = undefined;
      const given = release();
      const opened = begun;
      if (text === `${mark} end` || readMark(text, receivedAt)) {
        // A file that is empty or silent is followed too: a sample without lines says so.
        return begun && !opened ? [...given, give(receivedAt)] : given;
      }
      if (begun) held = { text, receivedAt, bytes };
      else rejected++;
      return given;
    },
    quiet: (receivedAt) => [...release(), ...flush(receivedAt)],
    position: () => (inode === undefined ? undefined : { inode, offset }),
    restart(now) {
      clock = now;
      begun = false;
      skipFirst = false;
      held = undefined;
    },
    get rejected() {
      return rejected;
    },
  };
}
