import type { HostFacts } from '../../model/facts.ts';
import type { ThreadsSample } from '../../model/samples.ts';
import { safeText } from '../../model/text.ts';
import type { Parser } from '../collector.ts';

/**
 * A frame that follows the last one sooner than this is not given, only taken in: after a stalled link the host reads the
 * waiting ticks all at once, and /proc/uptime counts in 10 ms.
 */
const shortestSeconds = 0.05;

/** What a thread has used since it began. Nanoseconds are absent where schedstat cannot be read; ticks are USER_HZ. */
interface Usage {
  readonly runNs: number | undefined;
  readonly delayNs: number | undefined;
  readonly userTicks: number;
  readonly systemTicks: number;
}

interface Thread {
  readonly pid: number;
  readonly tid: number;
  readonly startTicks: number;
  readonly comm: string;
  readonly state: string;
  readonly core: number | null;
  readonly usage: Usage;
  /** At the last frame given; undefined when it was not seen then and may be older than it. */
  base?: Usage | undefined;
}

interface Percentages {
  readonly cpu: number | null;
  readonly user: number | null;
  readonly system: number | null;
  readonly runQueue: number | null;
}

const rowPattern = /^(\d+) (\d+) (\d+) (\S) (-?\d+) (\d+) (\d+) (\d+|-) (\d+|-) \((.*)\)$/s;
const shortPattern = /^(\d+) (\S) (-?\d+) (\d+) (\d+) (\d+|-) (\d+|-)$/;
const nothing: Usage = { runNs: 0, delayNs: 0, userTicks: 0, systemTicks: 0 };
const unknown: Percentages = { cpu: null, user: null, system: null, runQueue: null };

/** What of the host reading needs. */
export interface ProcContext {
  readonly host: string;
  readonly facts: Pick<HostFacts, 'bootTime' | 'clockTicks'>;
}

/** Reads the frames of procScript: keeps the table of living threads and gives all of it at each tick. */
export function createProcParser({ host, facts }: ProcContext): Parser {
  const threads = new Map<number, Thread>();
  /** Processes of the last frame given: a thread that is new in one of them began after it. */
  let knownPids = new Set<number>();
  let baseUptime: number | undefined;
  let uptime: number | undefined;
  let rejected = 0;

  /** True when the line was understood. */
  function take(line: string): boolean {
    const gone = /^- (\d+) (\d+)$/.exec(line);
    if (gone) {
      const thread = threads.get(Number(gone[2]));
      // The TID may have been given again in another process.
      return thread?.pid !== Number(gone[1]) || threads.delete(thread.tid);
    }
    const row = readRow(line) ?? readShortRow(line, threads);
    if (!row) return false;
    const before = threads.get(row.tid);
    const isSame = before?.startTicks === row.startTicks && before.pid === row.pid;
    const base = isSame ? before.base : knownPids.has(row.pid) ? nothing : undefined;
    threads.set(row.tid, { ...row, base });
    return true;
  }

  function give(receivedAt: number): readonly ThreadsSample[] {
    if (uptime === undefined) return [];
    const seconds = baseUptime === undefined ? undefined : uptime - baseUptime;
    if (seconds !== undefined && seconds < shortestSeconds) return [];
    const rows = [...threads.values()];
    const shares = rows.map((row) => (seconds === undefined ? unknown : percentages(row, seconds, facts.clockTicks)));
    const sample: ThreadsSample = {
      kind: 'threads',
      host,
      source: 'threads',
      time: Math.round(facts.bootTime + uptime * 1000),
      receivedAt,
      reader: 'proc',
      ...(seconds !== undefined && { intervalSeconds: round(seconds) }),
      pid: rows.map((row) => row.pid),
      tid: rows.map((row) => row.tid),
      comm: rows.map((row) => row.comm),
      state: rows.map((row) => row.state),
      core: rows.map((row) => row.core),
      cpuPercent: shares.map((share) => share.cpu),
      userPercent: shares.map((share) => share.user),
      systemPercent: shares.map((share) => share.system),
      runQueuePercent: shares.map((share) => share.runQueue),
    };
    for (const row of rows) row.base = row.usage;
    knownPids = new Set(sample.pid);
    baseUptime = uptime;
    return [sample];
  }

  return {
    push(line, receivedAt) {
      const start = /^T (\d+(?:\.\d+)?)$/.exec(line);
      if (start) uptime = Number(start[1]);
      else if (line === '.') {
        const samples = give(receivedAt);
        uptime = undefined;
        return samples;
      } else if (line !== '' && !take(line)) rejected++;
      return [];
    },
    get rejected() {
      return rejected;
    },
  };
}

function readRow(line: string): Thread | undefined {
  const match = rowPattern.exec(line);
  if (!match) return undefined;
  const [, pid, tid, startTicks, state = '', core, userTicks, systemTicks, runNs, delayNs, comm = ''] = match;
  return {
    pid: Number(pid),
    tid: Number(tid),
    startTicks: Number(startTicks),
    comm: safeText(comm),
    state,
    core: Number(core) < 0 ? null : Number(core),
    usage: {
      runNs: runNs === '-' ? undefined : Number(runNs),
      delayNs: delayNs === '-' ? undefined : Number(delayNs),
      userTicks: Number(userTicks),
      systemTicks: Number(systemTicks),
    },
  };
}

/** A row of a thread that was named before, whose times count from its last row. */
function readShortRow(line: string, threads: ReadonlyMap<number, Thread>): Thread | undefined {
  const match = shortPattern.exec(line);
  const before = match ? threads.get(Number(match[1])) : undefined;
  if (!match || !before) return undefined;
  const [, , state = '', core, userTicks, systemTicks, run, delay] = match;
  const grown = (ns: number | undefined, us: string | undefined) =>
    ns === undefined || us === '-' ? undefined : ns + Number(us) * 1000;
  return {
    ...before,
    state,
    core: Number(core) < 0 ? null : Number(core),
    usage: {
      runNs: grown(before.usage.runNs, run),
      delayNs: grown(before.usage.delayNs, delay),
      userTicks: Number(userTicks),
      systemTicks: Number(systemTicks),
    },
  };
}

function percentages({ usage, base }: Thread, seconds: number, clockTicks: number): Percentages {
  if (!base) return unknown;
  const user = Math.max(0, usage.userTicks - base.userTicks);
  const system = Math.max(0, usage.systemTicks - base.systemTicks);
  const ran =
    usage.runNs !== undefined && base.runNs !== undefined
      ? (usage.runNs - base.runNs) / 1e9
      : (user + system) / clockTicks;
  const cpu = share(ran, seconds);
  const waited =
    usage.delayNs !== undefined && base.delayNs !== undefined
      ? share((usage.delayNs - base.delayNs) / 1e9, seconds)
      : null;
  // A tick is 10 ms: a thread that ran less may have counted none, and then nobody knows in which mode it ran.
  if (user + system === 0) return { cpu, runQueue: waited, user: cpu === 0 ? 0 : null, system: cpu === 0 ? 0 : null };
  return {
    cpu,
    runQueue: waited,
    user: round((cpu * user) / (user + system)),
    system: round((cpu * system) / (user + system)),
  };
}

/** A thread has one core at most: what is above is the clock's 10 ms, or a wait that ended in this frame. */
function share(part: number, whole: number): number {
  return round(Math.min(100, Math.max(0, (part / whole) * 100)));
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
