import type { WaitLacks, WaitsSample } from '../../model/samples.ts';
import { safeText } from '../../model/text.ts';
import { callName, machineOf, type Machine } from '../../model/waits/calls.ts';
import type { Parser } from '../collector.ts';
import type { ProcContext } from './proc-parser.ts';

/** What one look found (waits-script.ts). Undefined: not read, or not to be read. */
interface Look {
  readonly state: string;
  /** The call's number, or where it is instead. */
  readonly call: number | 'run' | 'none' | undefined;
  readonly operands: readonly string[];
  readonly where: string | undefined;
}

interface Thread {
  readonly pid: number;
  readonly tid: number;
  /** Absent since it ran. */
  look?: Look | undefined;
  file?: string | undefined;
  stack?: readonly string[] | undefined;
  cpus?: string | undefined;
  /** Uptime of the tick that found it as it is. */
  since: number;
  notBefore: number | undefined;
  switches?: Switches | undefined;
  /** A second, when the counts were read twice. */
  rates?: readonly [voluntary: number, involuntary: number] | undefined;
}

interface Switches {
  readonly up: number;
  readonly voluntary: number;
  readonly involuntary: number;
}

/** The parser, and how many threads it knows: the pace goes by it. */
export interface WaitsParser extends Parser {
  readonly threadCount: number;
}

const lookPattern =
  /^(\d+) (\d+) ([A-Za-z]) (?:-?\d+) (\d+|-) (\d+|-) (\d+|run|none|-1|-) (\S+) (\S+) (\S+) (\S+) (\S+)$/;
/** Counts of switches this old say nothing of now. */
const oldSeconds = 60;

/** Reads the frames of waitsScript: keeps a table of what was looked at, and gives all of it at each tick. */
export function createWaitsParser({ host, facts }: ProcContext): WaitsParser {
  const threads = new Map<string, Thread>();
  let knownPids = new Set<number>();
  let has: ReadonlySet<string> = new Set();
  let machine: Machine | undefined;
  let countsRuns = true;
  let uptime: number | undefined;
  let before: number | undefined;
  let rejected = 0;

  function threadOf(pid: number, tid: number): Thread {
    const key = `${pid}:${tid}`;
    let thread = threads.get(key);
    // A new one of a process that was there before began since then.
    if (!thread)
      threads.set(key, (thread = { pid, tid, since: uptime ?? 0, notBefore: knownPids.has(pid) ? before : undefined }));
    return thread;
  }

  function takeRan([pid = 0, ...tids]: readonly number[]) {
    for (const tid of tids) {
      const thread = threadOf(pid, tid);
      Object.assign(thread, { look: undefined, file: undefined, stack: undefined, rates: undefined });
      thread.since = uptime ?? 0;
      thread.notBefore = before;
    }
  }

  /** False for a line that is none of the script's. */
  function takeLook(line: string): boolean {
    const found = lookPattern.exec(line);
    if (!found) return false;
    const [, pid, tid, state = '', voluntary, involuntary, call = '', a = '', b = '', c = '', where, cpus] = found;
    const thread = threadOf(Number(pid), Number(tid));
    const number = /^\d+$/.test(call) ? Number(call) : undefined;
    thread.look = {
      state,
      call: number ?? (call === 'run' || call === 'none' ? call : call === '-1' ? 'none' : undefined),
      operands: [a, b, c],
      where: where === undefined || where === '-' || where === '0' ? undefined : safeText(where),
    };
    if (cpus !== undefined && /^[\d,-]*\d$/.test(cpus)) thread.cpus = cpus;
    if (/^\d+$/.test(voluntary ?? '') && uptime !== undefined)
      takeSwitches(thread, { up: uptime, voluntary: Number(voluntary), involuntary: Number(involuntary) });
    return true;
  }

  function takeLine(line: string): boolean {
    const [kind = '', ...words] = line.split(' ');
    if (kind === '~') {
      if (!words.every((word) => /^\d+$/.test(word))) return false;
      takeRan(words.map(Number));
      return true;
    }
    if (line === 'N') {
      countsRuns = false;
      return true;
    }
    if (kind === 'H') {
      machine = machineOf(words[0] ?? '');
      has = new Set(words.slice(1));
      return true;
    }
    const thread = threads.get(`${words[0]}:${words[1]}`);
    if (kind === '-') return threads.delete(`${words[0]}:${words[1]}`);
    if (kind === 'F' && thread) thread.file = safeText(words.slice(3).join(' '));
    else if (kind === 'S' && thread) thread.stack = words.slice(2).map(safeText);
    else return takeLook(line);
    return true;
  }

  function give(receivedAt: number): readonly WaitsSample[] {
    if (uptime === undefined) return [];
    const up = uptime;
    const time = (at: number) => Math.round(facts.bootTime + at * 1000);
    const rows = [...threads.values()].flatMap((thread) => (thread.look ? { ...thread, look: thread.look } : []));
    const told = rows.map((row) => tellCall(row.look, machine));
    // Without counts of runs a thread at work, which nobody took from its core, looks as one that waits.
    const stands = rows.map(({ since, look }) => since < up && (countsRuns || look.state !== 'R'));
    const rate = (at: 0 | 1) => rows.map((row, i) => (stands[i] ? 0 : (row.rates?.[at] ?? null)));
    const sample: WaitsSample = {
      kind: 'waits',
      host,
      source: 'waits',
      time: time(up),
      receivedAt,
      pid: rows.map(({ pid }) => pid),
      tid: rows.map(({ tid }) => tid),
      state: rows.map(({ look }) => look.state),
      call: told.map(({ call }) => call),
      file: rows.map(({ file }) => file ?? null),
      operand: told.map(({ operand }) => operand),
      futex: told.map(({ futex }) => futex),
      where: rows.map(({ look }) => look.where ?? null),
      since: rows.map(({ since }, i) => (stands[i] ? time(since) : null)),
      notBefore: rows.map(({ notBefore }, i) => (stands[i] && notBefore !== undefined ? time(notBefore) : null)),
      voluntaryPerSecond: rate(0),
      involuntaryPerSecond: rate(1),
      cpus: rows.map(({ cpus }) => cpus ?? null),
      stack: rows.map(({ stack }) => stack ?? null),
      lacks: lacksOf(rows),
    };
    knownPids = new Set([...threads.values()].map(({ pid }) => pid));
    before = up;
    return [sample];
  }

  function lacksOf(rows: readonly (Thread & { readonly look: Look })[]): WaitLacks {
    const asleep = rows.filter(({ look }) => /[SD]/.test(look.state));
    const isRefused = asleep.some(({ look }) => look.call === undefined);
    const call = !has.has('syscall')
      ? 'missing'
      : isRefused
        ? 'refused'
        : machine === undefined
          ? 'unnamed'
          : undefined;
    const isHidden = asleep.length > 0 && asleep.every(({ look }) => look.where === undefined);
    const where = !has.has('wchan') ? 'missing' : isHidden ? 'hidden' : undefined;
    const lacksStack = asleep.some(({ look, stack }) => look.state === 'D' && stack === undefined);
    return {
      ...(call && { call }),
      ...(where && { where }),
      ...(lacksStack && { stack: has.has('stack') ? 'refused' : 'missing' }),
      ...((!has.has('schedstat') || !countsRuns) && { runs: 'uncounted' }),
    };
  }

  return {
    push(line, receivedAt) {
      const start = /^T (\d+(?:\.\d+)?)$/.exec(line);
      if (start) uptime = Number(start[1]);
      else if (line === '.') {
        const samples = give(receivedAt);
        uptime = undefined;
        return samples;
      } else if (line !== '' && !takeLine(line)) rejected++;
      return [];
    },
    get rejected() {
      return rejected;
    },
    get threadCount() {
      return threads.size;
    },
  };
}

function takeSwitches(thread: Thread, now: Switches) {
  const last = thread.switches;
  const seconds = last === undefined ? 0 : now.up - last.up;
  if (last && seconds > 0 && seconds < oldSeconds)
    thread.rates = [
      Math.max(0, Math.round((10 * (now.voluntary - last.voluntary)) / seconds) / 10),
      Math.max(0, Math.round((10 * (now.involuntary - last.involuntary)) / seconds) / 10),
    ];
  thread.switches = now;
}

function tellCall({ call, operands }: Look, machine: Machine | undefined) {
  const none = { call: null, operand: null, futex: null };
  if (typeof call !== 'number') return none;
  const name = machine === undefined ? undefined : callName(machine, call);
  if (name === undefined) return { ...none, call: `call ${call}` };
  const [first = '', second = ''] = operands;
  const isFutex = name === 'futex' || name === 'futex_wait';
  const number = name === 'poll' || name === 'ppoll' ? Number(second) : name === 'wait4' ? Number(first) : NaN;
  // A negative child, any of them, is 0xffffffff or longer.
  const operand = Number.isInteger(number) && number > 0 && number < 2 ** 31 ? number : null;
  return { call: name, operand, futex: isFutex && /^0x[0-9a-f]+$/.test(first) ? first : null };
}
