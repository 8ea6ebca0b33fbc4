import { safeText } from '../model/text.ts';

/** One frame of `top -H -b`. */
export interface TopFrame {
  /** Of the day, whole seconds. */
  readonly second: number;
  /** A top began here: its percentages are over the whole life of threads and host. */
  readonly isFirst: boolean;
  readonly load: readonly number[];
  readonly threadsTotal: number;
  /** Percent of all cores together, by top's two letters; undefined where it shows each core by itself. */
  readonly cpu?: ReadonlyMap<string, number>;
  readonly memoryTotalBytes?: number;
  readonly memoryAvailableBytes?: number;
  readonly swapUsedBytes?: number;
  readonly rows: readonly TopTextRow[];
}

/** One thread as top shows it: it says nothing of the process. */
export interface TopTextRow {
  readonly tid: number;
  readonly user: string;
  readonly state: string;
  readonly core: number | null;
  /** As it stands there: above 100 it cannot be one thread's. */
  readonly cpuPercent: number;
  readonly comm: string;
  /** VIRT, RES and SHR: the same for all threads of a process. */
  readonly memory: string;
}

/** Lines to frames. A frame is whole when the next begins or the file ends. */
export interface TopText {
  /** `false` for a line that cannot be read. */
  push(line: string): TopFrame | boolean;
  end(): TopFrame | undefined;
  /** Why this top's output is not read at all: one clause, once a frame has shown it. */
  readonly refused: string | undefined;
}

type Draft = { -readonly [Key in keyof Omit<TopFrame, 'rows'>]: TopFrame[Key] } & { rows: TopTextRow[] };

const head = /^top - (\d\d):(\d\d):(\d\d) up .*load average: +([\d.]+), +([\d.]+), +([\d.]+)\s*$/;
const otherTongue =
  'top spoke another language than English, whose words differ by version: run it with LC_ALL=C (LC_ALL=C top -H -b ...)';

/** A reader of procps top (3.3 and 4), English. */
export function createTopText(): TopText {
  let frame: Draft | undefined;
  let columns: readonly string[] | undefined;
  let refused: string | undefined;
  let hasBlank = false;
  let lastLine: string | undefined;

  function finish(): TopFrame | undefined {
    const done = frame && columns ? frame : undefined;
    frame = undefined;
    columns = undefined;
    return done;
  }

  function takeSummary(line: string, into: Draft): boolean {
    const threads = /^Threads: *(\d+) total/.exec(line);
    if (threads) {
      into.threadsTotal = Number(threads[1]);
      return true;
    }
    if (/^Tasks: *\d+ total/.test(line)) {
      refused ??= 'its rows are processes: run top with -H for threads (LC_ALL=C top -H -b -d 1 -w 512)';
      return true;
    }
    if (/^%?Cpu\(s\)/.test(line)) {
      into.cpu = readShares(line);
      return into.cpu.size > 0;
    }
    if (/^%?Cpu\d+/.test(line)) return true;
    if (/^[KMGTPE]iB (?:Mem|Swap)/.test(line)) {
      Object.assign(into, readMemory(line));
      return true;
    }
    if (/^\s*PID\b/.test(line)) {
      columns = line.trim().split(/\s+/);
      const missing = ['S', '%CPU'].filter((name) => !columns?.includes(name));
      if (columns.at(-1) !== 'COMMAND') refused ??= otherTongue;
      else if (missing.length > 0)
        refused ??= `it has no column ${missing.join(' and ')}: run top without its rc file (HOME=/nonexistent top -H -b ...)`;
      return true;
    }
    if (/%CPU|^(?:KiB|MiB|GiB)|^\S+:/.test(line)) {
      refused ??= otherTongue;
      return true;
    }
    return false;
  }

  return {
    push(line) {
      if (line.startsWith('top - ')) {
        const done = finish();
        // Between two frames of one top there is an empty line (procps 4.0.2, 4.0.4); where another one begins there is none.
        const isFirst = lastLine === undefined || (hasBlank && lastLine !== '');
        lastLine = line;
        hasBlank = false;
        const match = head.exec(line);
        if (!match) {
          refused ??= otherTongue;
          return false;
        }
        const [, hours, minutes, seconds, ...load] = match;
        frame = {
          second: Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds),
          load: load.map(Number),
          isFirst,
          threadsTotal: 0,
          rows: [],
        };
        return done ?? true;
      }
      lastLine = line.trim();
      hasBlank ||= lastLine === '';
      if (lastLine === '') return true;
      if (!frame) return false;
      if (!columns) return takeSummary(line, frame);
      const row = readRow(line, columns);
      if (row) frame.rows.push(row);
      return row !== undefined;
    },
    end: finish,
    get refused() {
      return refused;
    },
  };
}

/** `%Cpu(s):  0.0 us,  0.0 sy,  0.0 ni,100.0 id`: there is no space before 100.0. */
function readShares(line: string): ReadonlyMap<string, number> {
  const parts = line.slice(line.indexOf(':') + 1).split(',');
  return new Map(
    parts.flatMap((part) => {
      const match = /^\s*([\d.]+)%? *([a-z]{2})\s*$/.exec(part);
      return match?.[1] && match[2] ? [[match[2], Number(match[1])] as const] : [];
    }),
  );
}

const units: Readonly<Record<string, number>> = { K: 1, M: 2, G: 3, T: 4, P: 5, E: 6 };

/** Memory and swap, which `-1` of procps 4 puts on one line. A `+` means that top had no room for all digits. */
function readMemory(line: string): Partial<TopFrame> {
  const unit = 1024 ** (units[line[0] ?? ''] ?? 0);
  const [memory = '', swap = ''] = line.startsWith('S', 4) ? ['', line] : line.split(/[KMGTPE]iB Swap/);
  const bytes = (text: string, word: string) => {
    const match = new RegExp(`(?<![\\d.])(\\d[\\d.]*) +${word}`).exec(text);
    return match ? Math.round(Number(match[1]) * unit) : undefined;
  };
  const values = {
    memoryTotalBytes: bytes(memory, 'total'),
    memoryAvailableBytes: bytes(swap, 'avail'),
    swapUsedBytes: bytes(swap, 'used'),
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

function readRow(line: string, columns: readonly string[]): TopTextRow | undefined {
  const fields: string[] = [];
  let rest = line.trimStart();
  while (fields.length < columns.length - 1) {
    const match = /^(\S+) +/.exec(rest) ?? /^(\S+)$/.exec(rest);
    if (!match?.[1]) return undefined;
    fields.push(match[1]);
    rest = fields.length === columns.length - 1 ? rest.slice(match[1].length + 1) : rest.slice(match[0].length);
  }
  const cell = (name: string) => fields[columns.indexOf(name)] ?? '';
  const number = (name: string) => (/^\d+(?:\.\d+)?$/.test(cell(name)) ? Number(cell(name)) : null);
  const tid = number('PID');
  const cpu = number('%CPU');
  if (tid === null || cpu === null || !/^[A-Za-z]$/.test(cell('S'))) return undefined;
  return {
    tid,
    user: safeText(cell('USER')),
    state: cell('S'),
    core: number('P'),
    cpuPercent: cpu,
    comm: safeText(rest.trimEnd()),
    memory: `${cell('VIRT')} ${cell('RES')} ${cell('SHR')}`,
  };
}
