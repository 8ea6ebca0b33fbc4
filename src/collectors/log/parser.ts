import type { LogSample } from '../../model/samples.ts';
import type { Parser } from '../collector.ts';
import { createBatch } from './batch.ts';
import { planCourse, seenBytes, type Position, type Step } from './course.ts';
import { away, leftBehind, truncated, type Note } from './gaps.ts';
import { createListing, type Listing } from './listing.ts';
import { createMemory } from './memory.ts';
import type { ReaderOptions } from './reader.ts';
import { mark, notice } from './script.ts';
import type { HostClock } from './stamps.ts';

interface Init {
  readonly host: string;
  readonly source: string;
  readonly path: Path;
  readonly clock: HostClock;
  readonly reading?: ReaderOptions | undefined;
}

/** Where the file is said to be. */
export interface Path {
  readonly onHost: string;
  readonly shown: string;
}

/** Reads the answer of followScript, and tells the script what to do. */
export interface LogParser extends Parser {
  /** After the last complete line. */
  position(): Position | undefined;
  /** A new script follows. The host's clock may have been compared anew, the file have another path. */
  restart(clock: HostClock, path: Path): void;
  /** Says something about the log among its lines. */
  note(note: Note, receivedAt: number): readonly LogSample[];
  /** The line of a tick. */
  tick(path: Path): string;
}

interface Held {
  readonly text: string;
  readonly receivedAt: number;
  readonly bytes: number;
}

interface Following {
  readonly step: Step;
  readonly sizeAtStart: number;
  readonly writtenAt?: number;
}

/** Tries to open what the listing showed before it is given up. */
const mostTries = 3;
/** Nothing was asked of the script for so long: it is asked anew. */
const silentMs = 10_000;

/** A parser that follows one file, over all the scripts that are started for it. */
export function createLogParser({ host, source, ...init }: Init): LogParser {
  let { clock, path } = init;
  let position: Position | undefined;
  /** Bytes of the file that have come, to the end of the last whole line. */
  let offset = 0;
  let collecting = createListing();
  let listing: Listing | undefined;
  let steps: readonly Step[] = [];
  let current: Following | undefined;
  let pending: Step | undefined;
  let skipFirst = false;
  /** The newest line: the envelope's last words may follow a line that the file has not ended. Then it is read again. */
  let held: Held | undefined;
  let tries = 0;
  /** When the script last said something else than that it waits. */
  let heardAt = 0;
  /** tail said that the file was truncated. */
  let noticed = false;
  /** Files that cannot be opened. */
  let closed = new Set<string>();
  let rejected = 0;
  let questions: string[] = [];
  const memory = createMemory();
  const batch = createBatch({ host, source, ...(init.reading && { reading: init.reading }) }, () => ({
    path: path.shown,
    offset,
    clock,
  }));

  const look = () => {
    current = undefined;
    collecting = createListing();
    const seen = seenBytes(position);
    const inode = position?.inode ?? '0';
    questions.push(seen ? `l ${inode} ${seen.end} ${seen.hex.length / 2}` : `l ${inode} 0 0`);
  };

  const say = (notes: readonly Note[], receivedAt: number) => notes.flatMap((note) => batch.note(note, receivedAt));

  const next = () => {
    const [step, ...rest] = steps;
    steps = rest;
    pending = step;
    if (step) questions.push(`${step.follow ? 'f' : 'r'} ${step.file.inode} ${fromOf(step)} ${step.file.ref}`);
    else questions.push('e');
  };

  const begin = (step: Step, [, size, from, changed]: readonly string[], receivedAt: number) => {
    const { inode } = step.file;
    const given = say(step.notes, receivedAt);
    const stays = position?.inode === inode && Number(from) === offset;
    if (!stays) memory.forget();
    offset = Number(from);
    skipFirst = step.align;
    tries = 0;
    noticed = false;
    const writtenAt = changed ? Number(changed) * 1000 - clock.clockOffsetMs : undefined;
    current = { step, sizeAtStart: Number(size), ...(writtenAt !== undefined && { writtenAt }) };
    // What was read to its end before it follows nothing, where a lost link ends this course and another begins here.
    const passed = listing?.files.filter((file) => file.inode === position?.inode && file.inode !== inode) ?? [];
    const beside = step.follow ? listing?.files : [...(position?.neighbours ?? []), ...passed];
    position = {
      inode,
      offset,
      ...(stays && position?.seen && { seen: position.seen }),
      neighbours: beside ?? [],
      since: (step.follow ? listing?.now : position?.since) ?? 0,
    };
    pending = undefined;
    return [...given, ...batch.flushAlways(receivedAt)];
  };

  const release = (): readonly LogSample[] => {
    const line = held;
    held = undefined;
    return line ? take(line, 1) : [];
  };

  /** `end`: bytes of its line end. */
  const take = ({ text, receivedAt, bytes }: Held, end: number): readonly LogSample[] => {
    if (!current || !position) {
      rejected++;
      return [];
    }
    const start = offset;
    const { sizeAtStart, writtenAt } = current;
    const isRest = skipFirst;
    skipFirst = false;
    const again = isRest || memory.knows(start, text);
    const backlog = start + bytes <= sizeAtStart && { ...(writtenAt !== undefined && { writtenAt }) };
    const given = again ? [] : batch.turn(backlog !== false, receivedAt);
    offset = start + bytes;
    const more = again ? [] : batch.add({ text, bytes, receivedAt, backlog });
    memory.add(start, text);
    const length = Buffer.byteLength(text);
    const seen = length > 0 && bytes - length === end ? { text, end: start + length } : position.seen;
    position = { ...position, offset, ...(seen && { seen }) };
    return [...given, ...more];
  };

  /** The file was cut behind our back: it is read anew, or from where tail began anew. */
  const cut = (from: number, at: number, receivedAt: number): readonly LogSample[] => {
    offset = at;
    if (position) {
      const { inode, neighbours, since } = position;
      position = { inode, offset, neighbours, since };
    }
    return say([truncated(from)], receivedAt);
  };

  const stopped = (why: string, fragment: number, receivedAt: number, position?: number): readonly LogSample[] => {
    look();
    const here = offset + fragment;
    const behind = position !== undefined && position < here;
    if (behind) return cut(here - position, Math.max(0, position - fragment), receivedAt);
    if (why === 'away') return say([away(path.shown, host)], receivedAt);
    if (why !== 'changed' || noticed) return why === 'busy' ? say([leftBehind()], receivedAt) : [];
    memory.recall();
    return cut(memory.surelyRead(), 0, receivedAt);
  };

  /** The script's own words; `fragment`: bytes of an unfinished line before them. */
  const obey = (words: string, text: string, fragment: number, receivedAt: number): readonly LogSample[] => {
    const [word = '', ...rest] = words.split(' ');
    switch (word) {
      case 'hello':
        look();
        return [];
      case 'at':
        return pending ? begin(pending, rest, receivedAt) : [];
      case 'end': {
        const given = text === '' ? [] : take({ text, receivedAt, bytes: fragment }, 0);
        next();
        return given;
      }
      case 'stop':
        return stopped(rest[0] ?? '', fragment, receivedAt, rest[1] ? Number(rest[1]) : undefined);
      case 'other':
        if (++tries > mostTries && pending) closed.add(pending.file.ref);
        if (closed.has('@')) questions.push('e');
        else look();
        return [];
      case 'idle':
        // An answer of ours may have been lost in a line that was too long.
        if (receivedAt - heardAt < silentMs) return [];
        heardAt = receivedAt;
        look();
        return [];
      default:
        listing = collecting.add(word, words.slice(word.length + 1));
        if (!listing) return [];
        listing = openable(listing, closed);
        steps = planCourse(position, listing);
        next();
        return [];
    }
  };

  return {
    push(text, receivedAt, bytes) {
      const at = text.indexOf(mark);
      const words = at < 0 ? undefined : text.slice(at + mark.length + 1);
      if (words !== 'idle') heardAt = receivedAt;
      const given = release();
      if (words !== undefined) {
        const own = Buffer.byteLength(text.slice(at)) + 1;
        return [...given, ...obey(words, text.slice(0, at), bytes - own, receivedAt)];
      }
      const [, before, said] = text.includes('//') ? (notice.exec(text) ?? []) : [];
      if (before === undefined || said === undefined) {
        held = { text, receivedAt, bytes };
        return given;
      }
      // tail's own words, on the line that it had begun.
      const own = Buffer.byteLength(text.slice(before.length)) + 1;
      const rest = before === '' ? [] : take({ text: before, receivedAt, bytes: bytes - own }, 0);
      if (!said.includes('truncated')) return [...given, ...rest];
      noticed = true;
      questions.push('s');
      return [...given, ...rest, ...cut(offset, 0, receivedAt)];
    },
    quiet: (receivedAt) => [...release(), ...batch.flush(receivedAt)],
    ended: batch.flush,
    caughtUp: batch.caughtUp,
    ask() {
      const all = questions.join('\n');
      questions = [];
      return all === '' ? undefined : all;
    },
    position: () => position,
    note: batch.note,
    restart(now, where) {
      clock = now;
      path = where;
      current = undefined;
      pending = undefined;
      held = undefined;
      steps = [];
      questions = [];
      closed = new Set();
      tries = 0;
    },
    tick(where) {
      memory.tick(offset);
      const line = `t ${current?.step.follow ? offset : 0}`;
      if (where.onHost === path.onHost || where.onHost.includes('\n')) return line;
      path = where;
      return `p ${where.onHost}\n${line}`;
    },
    get rejected() {
      return rejected;
    },
  };
}

function openable({ found, ...listing }: Listing, closed: ReadonlySet<string>): Listing {
  const files = listing.files.filter(({ ref }) => !closed.has(ref));
  return { ...listing, files, ...(found && !closed.has(found.ref) && { found }) };
}

/** One byte before what is wanted, so that a line that begins there is whole after the rest of the one before. */
const fromOf = ({ from, align }: Step): number => (align && from > 0 ? from - 1 : from);
