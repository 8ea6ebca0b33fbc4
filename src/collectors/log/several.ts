import type { LogSample, Sample } from '../../model/samples.ts';
import { safeText } from '../../model/text.ts';
import type { Parser } from '../collector.ts';
import { instead } from './gaps.ts';
import { createLogParser, type LogParser } from './parser.ts';
import { createSearch, filesToFollow, type FoundFile } from './patterns.ts';
import type { ReaderOptions } from './reader.ts';
import { mark } from './script.ts';
import type { HostClock } from './stamps.ts';

/** A log to follow, or a pattern that names some. */
export interface WantedLog {
  readonly source: string;
  /** Names it while its path changes (the output of a run that is renamed); absent: its path does. */
  readonly id?: string;
  /** As the user or the run has it. */
  readonly path: string;
  readonly isPattern?: boolean;
  /** Of the one rank that writes it. */
  readonly rank?: number;
}

interface Init {
  readonly host: string;
  readonly clock: HostClock;
  readonly logs: readonly WantedLog[];
  /** For a file that a pattern names beside its first; undefined: there is no room for it. */
  readonly freeSource: (taken: ReadonlySet<string>) => string | undefined;
  /** Turns why a path cannot be read into a sentence. */
  readonly explain: (path: string, why: string) => string;
  readonly reading?: ReaderOptions | undefined;
}

/** Reads the answers of servantsScript, and tells the servants what to do. */
export interface SeveralParser extends Parser {
  /** A new script follows, perhaps for other logs. What goes on being followed keeps its place. */
  restart(clock: HostClock, logs: readonly WantedLog[]): void;
  /** The lines of a tick; undefined while the host has not answered the last. */
  tick(logs: readonly WantedLog[]): string | undefined;
}

/** A pattern named it. */
interface Named {
  isNamed: boolean;
  /** The host's seconds. */
  changed: number;
}

interface Log extends WantedLog, Named {
  path: string;
  readonly parser: LogParser;
  /** Its number in this script. */
  readonly servant: number;
  /** How far its servant knows that it was read. */
  told: string;
  /** Ticks until a path that cannot be read is tried again. */
  wait: number;
  /** How many these were the last time. */
  waited: number;
}

/** Logs that are not followed now, whose places are remembered. */
const mostKept = 64;
/** Ticks between two looks at what is quiet; at what a pattern names; at what cannot be read, at first and at last. */
const quietTicks = 4;
const patternTicks = 12;
const retryTicks = { first: 2, last: 30 };
/** Ticks after something new, in which those that are not quiet are looked at each time. */
const activeTicks = 12;
/** Ticks without a word, after which the servants are given their turn again; and what is too long for a disk. */
const silentTicks = 15;
const silentMs = 20_000;

const idOf = ({ id, path }: WantedLog) => id ?? path;
const told = (words: string) => `${mark} ${words}`;
const lengthOf = (words: string) => Buffer.byteLength(words) + 1;

/** A parser for many files, over all the scripts that are started for them. */
export function createSeveralParser({ host, freeSource, explain, reading, ...init }: Init): SeveralParser {
  let { clock } = init;
  let patterns: readonly WantedLog[] = [];
  let logs: Log[] = [];
  /** Of logs that are not followed now: they may be wanted again. */
  const kept = new Map<string, LogParser>();
  let outbox: string[] = [];
  /** The servants have not had their turn yet. */
  let isTheirTurn = true;
  let isMute = false;
  let ticks = 0;
  let active = activeTicks;
  let silent = 0;
  let heardAt = 0;
  let current: Log | undefined;
  let held: { readonly text: string; readonly bytes: number } | undefined;
  /** What the file of an `end` has after its last line. */
  let fragment = held;
  let search = createSearch([]);
  let rejected = 0;

  function add(wanted: WantedLog & Partial<Named>, servant = logs.length + 1): Log {
    const where = { onHost: wanted.path, shown: safeText(wanted.path) };
    const id = idOf(wanted);
    const parser = kept.get(id) ?? createLogParser({ host, source: wanted.source, path: where, clock, reading });
    kept.delete(id);
    parser.restart(clock, where);
    const log: Log = { isNamed: false, changed: 0, ...wanted, parser, servant, told: '', wait: 0, waited: 0 };
    logs[servant - 1] = log;
    outbox.push(`${servant} h`, `${servant} p ${log.path}`);
    return log;
  }

  function setUp(wanted: readonly WantedLog[]) {
    for (const log of logs) kept.set(idOf(log), log.parser);
    for (const id of [...kept.keys()].slice(0, -mostKept)) kept.delete(id);
    const before = logs.filter((log) => !wanted.some((each) => idOf(each) === idOf(log)));
    logs = [];
    outbox = [];
    ticks = silent = heardAt = 0;
    isMute = false;
    isTheirTurn = true;
    current = held = fragment = undefined;
    patterns = wanted.filter((each) => each.isPattern);
    search = createSearch(patterns);
    for (const each of wanted) if (!each.isPattern) add(each);
    // What a pattern named goes on under it.
    if (patterns.length > 0) for (const log of before) add(log);
  }

  /** The log's own Samples: its rank is that of its process, unless a line says otherwise. */
  const own = ({ source, rank }: Log, samples: readonly Sample[]): readonly Sample[] =>
    samples.map((sample) => (sample.kind === 'log' ? withRank({ ...sample, source }, rank) : sample));

  const hear = (log: Log, words: string, receivedAt: number) =>
    own(log, log.parser.push(told(words), receivedAt, lengthOf(told(words))));

  const stateOf = (source: string, time: number, reason?: string): Sample => ({
    ...{ kind: 'source', host, source, time, receivedAt: time },
    ...(reason === undefined ? { status: 'live' } : { status: 'failed', reason }),
  });

  const isFile = ({ path, parser }: Log, file: FoundFile) =>
    path === file.path || parser.position()?.inode === file.id.slice(file.id.indexOf('.') + 1);

  /** What a pattern names is followed from now on: where there is no room, in the place of what was written to longest ago. */
  function takeFound({ pattern, files }: NonNullable<ReturnType<typeof search.hear>>, receivedAt: number) {
    const { source, path } = pattern;
    const hasFirst = () => logs.some((log) => log.source === source);
    if (files.length === 0 && !hasFirst())
      return [stateOf(source, receivedAt, `no file on ${host} is named ${safeText(path)} (yet); looking again`)];
    for (const log of logs) log.changed = files.find((file) => isFile(log, file))?.changed ?? log.changed;
    return filesToFollow(files, (file) => logs.some((log) => isFile(log, file))).flatMap(({ path, changed }) => {
      const free = hasFirst() ? freeSource(new Set([...logs, ...patterns].map((log) => log.source))) : source;
      const wanted = { path, isNamed: true, changed };
      if (free !== undefined) return hear(add({ ...wanted, source: free }), 'hello', receivedAt);
      const [oldest] = logs.filter((log) => log.isNamed).sort((a, b) => a.changed - b.changed);
      if (!oldest || oldest.changed >= changed) return [];
      kept.set(idOf(oldest), oldest.parser);
      const log = add({ ...wanted, source: oldest.source }, oldest.servant);
      return [...own(log, log.parser.note(instead(safeText(path)), receivedAt)), ...hear(log, 'hello', receivedAt)];
    });
  }

  function obey(log: Log, words: string, receivedAt: number): readonly Sample[] {
    const [word, rest = ''] = words.split(/ ([^]*)/);
    if (word === 'from') {
      current = log;
      log.waited = 0;
      active = activeTicks;
      held = fragment = undefined;
      return [];
    }
    if (word === 'cut') {
      fragment = held && held.bytes > 1 ? { ...held, bytes: held.bytes - 1 } : undefined;
      held = current = undefined;
      // What a servant knows by itself it is not told: a word passes through all those before it, byte by byte.
      if (rest !== '') log.told = `t ${rest}`;
      return own(log, log.parser.quiet?.(receivedAt) ?? []);
    }
    if (word === 'end') {
      const { text, bytes } = fragment ?? { text: '', bytes: 0 };
      fragment = undefined;
      return own(log, log.parser.push(text + told('end'), receivedAt, bytes + lengthOf(told('end'))));
    }
    if (word !== 'why') return hear(log, words, receivedAt);
    log.waited = log.waited === 0 ? retryTicks.first : Math.min(retryTicks.last, log.waited * 2);
    log.wait = log.waited;
    return [stateOf(log.source, receivedAt, explain(safeText(log.path), rest))];
  }

  /** The servants' own words; those of one begin with its number. */
  function listen(words: string, receivedAt: number): readonly Sample[] {
    if (words === 'turn') isTheirTurn = false;
    if (words === 'hello') {
      isTheirTurn = false;
      askPatterns();
      return logs.flatMap((log) => hear(log, words, receivedAt));
    }
    const [, number, rest = ''] = /^(\d+) ([^]*)$/.exec(words) ?? [];
    if (/^(?:found|globbed) /.test(rest)) {
      const answer = search.hear(rest);
      return answer ? takeFound(answer, receivedAt) : [];
    }
    const log = logs[Number(number) - 1];
    return log ? obey(log, rest, receivedAt) : [];
  }

  /** Nothing has come for long: the first word after that. */
  function awake(receivedAt: number): readonly Sample[] {
    silent = 0;
    heardAt = receivedAt;
    if (!isMute) return [];
    isMute = false;
    return logs.filter(({ wait }) => wait === 0).map(({ source }) => stateOf(source, receivedAt));
  }

  const all = (from: (parser: LogParser) => readonly Sample[] | undefined) =>
    logs.flatMap((log) => own(log, from(log.parser) ?? []));

  const askPatterns = () => outbox.push(...search.lines().map((line) => `1 ${line}`));

  setUp(init.logs);
  return {
    push(text, receivedAt, bytes) {
      const given = awake(receivedAt);
      if (text.startsWith(told(''))) return [...given, ...listen(text.slice(told('').length), receivedAt)];
      if (!current) {
        if (text !== '') rejected++;
        return given;
      }
      const line = held;
      held = { text, bytes };
      return line ? [...given, ...own(current, current.parser.push(line.text, receivedAt, line.bytes))] : given;
    },
    quiet: (receivedAt) => all((parser) => parser.quiet?.(receivedAt)),
    caughtUp: () => logs.forEach(({ parser }) => parser.caughtUp?.()),
    silence(now) {
      if (!isTheirTurn || isMute || heardAt === 0 || now - heardAt < silentMs) return [];
      isMute = true;
      return logs.map(({ source }) =>
        stateOf(source, now, `${host} has not answered for ${silentMs / 1000} s: a file system of its logs may hang`),
      );
    },
    ended: (receivedAt) => all((parser) => parser.ended?.(receivedAt)),
    ask() {
      return isTheirTurn ? undefined : send('.');
    },
    restart(now, wanted) {
      clock = now;
      setUp(wanted);
    },
    tick(wanted) {
      // The mark of their turn may have been lost: one more does no harm.
      if (isTheirTurn) return ++silent % silentTicks === 0 ? '.' : undefined;
      if (++ticks % patternTicks === 0) askPatterns();
      for (const log of logs) tell(log, wanted.find((each) => idOf(each) === idOf(log))?.path);
      active--;
      if (ticks % quietTicks === 0) return send(':');
      return send(active > 0 ? ';' : '.');
    },
    get rejected() {
      return rejected + logs.reduce((sum, { parser }) => sum + parser.rejected, 0);
    },
  };

  function tell(log: Log, path = log.path) {
    log.path = path;
    const where = { onHost: log.path, shown: safeText(log.path) };
    if (log.wait > 0) {
      if (--log.wait > 0) return;
      log.parser.restart(clock, where);
      hear(log, 'hello', heardAt);
    }
    const lines = log.parser.tick(where).split('\n');
    outbox.push(...lines.filter((line) => line !== log.told).map((line) => `${log.servant} ${line}`));
    log.told = lines.at(-1) ?? '';
  }

  function send(end: '.' | ':' | ';'): string | undefined {
    for (const log of logs) {
      const questions = log.parser.ask?.()?.split('\n') ?? [];
      // What a servant is told anew, it begins anew with.
      if (questions.length > 0) log.told = '';
      outbox.push(...questions.map((line) => `${log.servant} ${line}`));
    }
    if (outbox.length === 0 && end === '.') return undefined;
    const lines = [...outbox, end].join('\n');
    outbox = [];
    isTheirTurn = true;
    return lines;
  }
}

function withRank(sample: LogSample, rank: number | undefined): LogSample {
  if (rank === undefined) return sample;
  return {
    ...sample,
    lines: sample.lines.map((line) => (line.note || line.rank !== undefined ? line : { ...line, rank })),
  };
}
