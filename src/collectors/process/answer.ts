import { safeText } from '../../model/text.ts';

/** One answer of the script (script.ts), read. PIDs that gave nothing are in none of its maps. */
export interface Answer {
  readonly stats: readonly StatRow[];
  readonly watched: readonly WatchedRow[];
  readonly fresh: readonly FreshRow[];
  /** By PID: the owner's UID and the target of exe or cwd, when it could be read. */
  readonly executables: ReadonlyMap<number, Link>;
  readonly directories: ReadonlyMap<number, Link>;
  readonly commandLines: ReadonlyMap<number, readonly string[]>;
  readonly environments: ReadonlyMap<number, ReadonlyMap<string, string>>;
  /** By PID, then by descriptor. */
  readonly outputs: ReadonlyMap<number, ReadonlyMap<number, string>>;
  readonly gpus: ReadonlyMap<number, readonly number[]>;
  /** By `PID/NAME`. */
  readonly exactLinks: ReadonlyMap<string, string>;
  readonly users: ReadonlyMap<number, string>;
  /** Processes that have the asked number in a PID namespace of their own. */
  readonly inner: readonly number[];
  /** Lines that could not be read. */
  readonly rejected: number;
}

/** A process of a scan. */
export interface StatRow extends FreshRow {
  readonly state: string;
  readonly cpuTicks: number;
}

/** A process that was not there at the last look. */
export interface FreshRow {
  readonly pid: number;
  readonly parentPid: number;
  readonly startTicks: number;
  readonly comm: string;
}

/** A followed process. */
export interface WatchedRow extends FreshRow {
  readonly state: string;
  readonly threadCount: number;
  readonly rssPages: number;
  readonly readBytes?: number;
  readonly writtenBytes?: number;
}

/** Where a link of /proc leads, and whose process it is. */
export interface Link {
  readonly uid: number;
  readonly target?: string;
}

const stat = /^s (\d+) (\d+) ([A-Za-z]) (\d+) (\d+) (\d+) \d+ (.*)$/;
const fresh = /^n (\d+) (\d+) (\d+) (.*)$/;
const watched = /^w (\d+) (\d+) ([A-Za-z]) (\d+) (\d+) (\d+) (\d+|-) (\d+|-) (.*)$/;
// `ls -ln`: lrwxrwxrwx 1 UID GID SIZE DATE PID/exe -> TARGET; without an arrow when the link may not be read.
const link = /^l[rwx-]{9}\S* +\d+ +(\d+) +\d+ +\d+ .*? (\d+)\/(exe|cwd)(?: -> (.*))?$/;
const argument = /^(\d+)\/cmdline:(.*)$/;
const variable = /^(\d+)\/environ:([A-Z_]+)=(.*)$/;
const output = /^f (\d+) (\d+) (.*)$/;
const gpu = /^g (\d+) (\d+)$/;
const exactLink = /^k (\d+\/\S+) (.*)$/;
// A kernel without NSpid (before 4.1) gives none; with one number the process is in no namespace below this one.
const inner = /^(\d+)\/status:NSpid:(?:\s+\d+){2,}$/;
const user = /^u (\d+) (.+)$/;

/** More arguments than this are not kept: some programs name every file of a data set. */
const mostArguments = 256;

/** Reads the lines of one answer, the closing `.` left out. */
export function readAnswer(lines: readonly string[]): Answer {
  const stats: StatRow[] = [];
  const watchedRows: WatchedRow[] = [];
  const freshRows: FreshRow[] = [];
  const executables = new Map<number, Link>();
  const directories = new Map<number, Link>();
  const commandLines = new Map<number, string[]>();
  const environments = new Map<number, Map<string, string>>();
  const outputs = new Map<number, Map<number, string>>();
  const gpus = new Map<number, number[]>();
  const exactLinks = new Map<string, string>();
  const users = new Map<number, string>();
  const innerPids: number[] = [];
  let rejected = 0;

  const readers: readonly (readonly [RegExp, (found: readonly string[]) => void])[] = [
    [argument, ([pid, text = '']) => void room(commandLines, Number(pid), () => []).push(safeText(text))],
    [
      stat,
      ([pid, parent, state = '', start, user, system, comm = '']) =>
        void stats.push({ ...row(pid, parent, start, comm), state, cpuTicks: Number(user) + Number(system) }),
    ],
    [fresh, ([pid, parent, start, comm = '']) => void freshRows.push(row(pid, parent, start, comm))],
    [
      watched,
      ([pid, parent, state = '', start, threads, rss, read, written, comm = '']) =>
        void watchedRows.push({
          ...row(pid, parent, start, comm),
          state,
          threadCount: Number(threads),
          rssPages: Number(rss),
          ...(read !== '-' && { readBytes: Number(read) }),
          ...(written !== '-' && { writtenBytes: Number(written) }),
        }),
    ],
    [
      link,
      ([uid, pid, name, target]) =>
        void (name === 'exe' ? executables : directories).set(Number(pid), {
          uid: Number(uid),
          ...(target !== undefined && { target: safeText(target) }),
        }),
    ],
    [
      variable,
      ([pid, name = '', value = '']) =>
        void room(environments, Number(pid), () => new Map<string, string>()).set(name, safeText(value)),
    ],
    [
      output,
      ([pid, fd, target = '']) =>
        void room(outputs, Number(pid), () => new Map<number, string>()).set(Number(fd), safeText(target)),
    ],
    [gpu, ([pid, minor]) => void room(gpus, Number(pid), () => []).push(Number(minor))],
    [exactLink, ([name = '', target = '']) => void exactLinks.set(name, safeText(target.replace(/\x01$/, '')))],
    [inner, ([pid]) => void innerPids.push(Number(pid))],
    [user, ([uid, name = '']) => void users.set(Number(uid), safeText(name))],
  ];

  for (const line of lines) {
    const reader = readers.find(([pattern]) => pattern.test(line));
    if (reader) reader[1]((reader[0].exec(line) as RegExpExecArray).slice(1));
    else if (!silent.test(line)) rejected++;
  }
  for (const [pid, args] of commandLines) commandLines.set(pid, trim(args));
  return {
    stats,
    watched: watchedRows,
    fresh: freshRows,
    executables,
    directories,
    commandLines,
    environments,
    outputs,
    gpus,
    exactLinks,
    users,
    inner: innerPids,
    rejected,
  };
}

/** No fault: an empty line, and a variable whose value's second line looks like one of ours (grep -z takes it for a start). */
const silent = /^$|^\d+\/status:|^\d+\/environ:|^k \d+\/\S+ ?$/;

function row(pid?: string, parent?: string, start?: string, comm = ''): FreshRow {
  return { pid: Number(pid), parentPid: Number(parent), startTicks: Number(start), comm: safeText(comm) };
}

/** A process that writes its title over argv leaves empty arguments behind. */
function trim(args: readonly string[]): string[] {
  let end = Math.min(args.length, mostArguments);
  while (end > 0 && args[end - 1]?.trim() === '') end--;
  return args.slice(0, end);
}

function room<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const value = map.get(key) ?? create();
  map.set(key, value);
  return value;
}
