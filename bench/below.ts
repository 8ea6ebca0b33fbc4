import { readdirSync, readFileSync } from 'node:fs';
import { cpuOf, ticksPerSecond } from './processes.ts';

/** A process that lives. */
interface Entry {
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
  readonly commandLine: string;
}

/** What the processes below an sshd have used so far, seconds of CPU. */
export interface Below {
  /** sshd's own for the connection. */
  readonly link: number;
  /** The simulated tool. */
  readonly simulated: number;
  /** Our commands, by channel: the PID of its first process. */
  readonly channels: ReadonlyMap<number, Channel>;
  /** Bytes that sshd's processes of the connection read and wrote: network and pipes together. */
  readonly read: number;
  readonly written: number;
}

/** One channel's processes on the host. */
interface Channel {
  readonly source: string;
  readonly seconds: number;
  /** Of these, what its parents have of children that ended: in whole ticks, from 0 on. */
  readonly endedSeconds: number;
  readonly processes: number;
  readonly bytes: number;
}

/** What stands in the command lines of a source's processes and in no other's. */
const signs: readonly (readonly [source: string, sign: RegExp])[] = [
  ['gpu', /nvidia-smi/],
  ['busiest', /\0-o\0PID|top\0-H/],
  ['log', /(^|\/)tail\0/],
  ['waits', /Cpus_allowed_list/],
  ['threads', /schedstat/],
  ['host', /diskstats/],
  ['processes', /followed/],
];

/** Adds up everything below the sshd that listens. Reading an ended process is no fault. */
export function readBelow(sshdPid: number): Below {
  const children = childrenByParent();
  const channels = new Map<number, Channel>();
  const sum = { link: 0, simulated: 0, read: 0, written: 0 };
  const walk = (pid: number, channel: Entry[] | undefined) => {
    for (const child of children.get(pid) ?? []) {
      if (/(^|\/)nvidia-smi\0/.test(child.commandLine)) {
        sum.simulated += tree(child, children).reduce((total, { pid }) => total + secondsOf(pid), 0);
        channel?.push({ ...child, pid: -1 });
      } else if (channel) {
        channel.push(child);
        walk(child.pid, channel);
      } else if (child.name.startsWith('sshd')) {
        sum.link += secondsOf(child.pid);
        const io = readOr(`/proc/${child.pid}/io`, '');
        sum.read += Number(/rchar: (\d+)/.exec(io)?.[1]);
        sum.written += Number(/wchar: (\d+)/.exec(io)?.[1]);
        walk(child.pid, undefined);
      } else {
        const all = [child];
        walk(child.pid, all);
        channels.set(child.pid, toChannel(all));
      }
    }
  };
  walk(sshdPid, undefined);
  return { ...sum, channels };
}

/** The processes that a process started and that live. */
export function childrenOf(pid: number): readonly number[] {
  return (childrenByParent().get(pid) ?? []).map((child) => child.pid);
}

/** The sshd that listens among the children of a process. */
export function listeningSshd(initPid: number): number | undefined {
  return childrenByParent()
    .get(initPid)
    ?.find(({ name }) => name === 'sshd')?.pid;
}

function toChannel(all: readonly Entry[]): Channel {
  const own = all.filter(({ pid }) => pid > 0);
  return {
    source: signs.find(([, sign]) => all.some(({ commandLine }) => sign.test(commandLine)))?.[0] ?? unsigned(all),
    seconds: own.reduce((total, { pid }) => total + secondsOf(pid), 0),
    endedSeconds: own.reduce((total, { pid }) => total + endedSecondsOf(pid), 0),
    processes: own.length,
    bytes: own.reduce((total, { pid }) => total + memoryOf(pid), 0),
  };
}

/** Several logs are followed by shells alone. */
function unsigned(all: readonly Entry[]): string {
  return all.every(({ name }) => name === 'sh' || name === 'sleep') ? 'log:2 and on' : 'other';
}

function tree(root: Entry, children: ReadonlyMap<number, readonly Entry[]>): Entry[] {
  return [root, ...(children.get(root.pid) ?? []).flatMap((child) => tree(child, children))];
}

/**
 * Of a process and the children that it waited for: a child that ended stands in its parent's figure, so the sum over a channel
 * only grows. The scheduler's own count is exact, that of ticks in 10 ms.
 */
function secondsOf(pid: number): number {
  try {
    const ran = Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e9;
    return ran + endedSecondsOf(pid);
  } catch {
    return 0;
  }
}

function endedSecondsOf(pid: number): number {
  try {
    const { own, withChildren } = cpuOf(pid);
    return (withChildren - own) / ticksPerSecond;
  } catch {
    return 0;
  }
}

/** Its part of memory that is shared, as in `Pss`. */
function memoryOf(pid: number): number {
  return Number(/^Pss:\s+(\d+) kB/m.exec(readOr(`/proc/${pid}/smaps_rollup`, ''))?.[1] ?? 0) * 1024;
}

function childrenByParent(): ReadonlyMap<number, readonly Entry[]> {
  const children = new Map<number, Entry[]>();
  for (const pid of readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)) {
    const stat = readOr(`/proc/${pid}/stat`, '');
    const end = stat.lastIndexOf(')');
    const [state, parent] = stat.slice(end + 2).split(' ');
    if (stat === '' || state === 'Z') continue;
    const commandLine = readOr(`/proc/${pid}/cmdline`, '');
    const entry = { pid, parent: Number(parent), name: stat.slice(stat.indexOf('(') + 1, end), commandLine };
    children.set(entry.parent, [...(children.get(entry.parent) ?? []), entry]);
  }
  return children;
}

function readOr(path: string, otherwise: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return otherwise;
  }
}
