import type { WaitsSample } from '../model/samples.ts';
import { safeText } from '../model/text.ts';
import { callName, type Machine } from '../model/waits/calls.ts';

/** What the threads of one process waited in at one moment, as somebody saved it. */
export interface SavedWaits {
  readonly pid: number;
  readonly modifiedAt: number;
  readonly rows: readonly Row[];
  readonly rejected: number;
}

interface Row {
  readonly tid: number;
  readonly state: string | null;
  /** The call's number; null: it runs, or is in none. */
  readonly call: number | null;
  /** The call's first argument. */
  readonly argument: string | undefined;
  readonly where: string | null;
}

const rowOf = /^(\d+) (.*?) ?(\S+) (running|-1|\d+)((?: 0x[0-9a-f]+)*)\s*$/;
/** The kernel's are shorter by far: the time that the pattern takes grows with the square of the length. */
const mostLength = 1000;

/**
 * Lines of `TID COMM WCHAN SYSCALL...`, from /proc/PID/task/TID/{comm,wchan,syscall}; the first may be `State:` of /proc/PID/status.
 * Undefined when there is no such line. The process is the one whose number its first thread has.
 */
export function readWaits(text: string, modifiedAt: number): SavedWaits | undefined {
  const rows: Row[] = [];
  let rejected = 0;
  const mainState = /^State:\s+([A-Za-z])/m.exec(text)?.[1];
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.startsWith('State:')) continue;
    const found = line.length > mostLength ? null : rowOf.exec(line);
    if (!found) {
      rejected++;
      continue;
    }
    const [, tid, , where = '', call = '', rest = ''] = found;
    rows.push({
      tid: Number(tid),
      state: call === 'running' ? 'R' : null,
      call: /^\d+$/.test(call) ? Number(call) : null,
      argument: rest.trim().split(' ')[0],
      where: where === '0' ? null : safeText(where).slice(0, 100),
    });
  }
  const [first] = rows;
  if (!first) return undefined;
  const main = { ...first, state: first.state ?? mainState ?? null };
  return { pid: first.tid, modifiedAt, rows: [main, ...rows.slice(1)], rejected };
}

/** The Sample of what was saved. */
export function waitsSample(
  { pid, rows }: SavedWaits,
  { host, time }: Pick<WaitsSample, 'host' | 'time'>,
): WaitsSample {
  const machine = machineOfCalls(rows);
  const isFutex = (row: Row) => machine !== undefined && row.call !== null && callName(machine, row.call) === 'futex';
  const none = () => rows.map(() => null);
  return {
    kind: 'waits',
    host,
    source: 'waits',
    time,
    receivedAt: time,
    pid: rows.map(() => pid),
    tid: rows.map(({ tid }) => tid),
    state: rows.map(({ state }) => state),
    call: rows.map(({ call }) => (call === null ? null : ((machine && callName(machine, call)) ?? `call ${call}`))),
    file: none(),
    operand: none(),
    futex: rows.map((row) => (isFutex(row) ? (row.argument ?? null) : null)),
    where: rows.map(({ where }) => where),
    since: none(),
    notBefore: none(),
    voluntaryPerSecond: none(),
    involuntaryPerSecond: none(),
    cpus: none(),
    stack: none(),
    lacks: machine === undefined ? { call: 'unnamed' } : {},
  };
}

/** The machine is not told: numbers of calls are those of the one on which a thread in a futex is in the call futex. */
function machineOfCalls(rows: readonly Row[]): Machine | undefined {
  const futex = rows.find(({ where, call }) => call !== null && where?.startsWith('futex_'));
  return (['x86_64', 'aarch64'] as const).find(
    (machine) => futex?.call != null && callName(machine, futex.call) === 'futex',
  );
}
