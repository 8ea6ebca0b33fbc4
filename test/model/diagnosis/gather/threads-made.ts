import type { RunProcess } from '../../../../src/model/run.ts';
import type { RunSample, ThreadsSample, WaitsSample } from '../../../../src/model/samples.ts';

const start = Date.UTC(2026, 4, 1, 12);
const base = (time: number) => ({ host: 'h', source: 'threads', time, receivedAt: time }) as const;

/** A process that trains. */
export function rank(process: Pick<RunProcess, 'pid'> & Partial<RunProcess>): RunProcess {
  return { parentPid: 1, commandLine: ['python3', 'train.py'], gpuMinors: [], ...process };
}

/** A run of these processes, found before all frames. */
export function runOf(processes: readonly RunProcess[]): RunSample {
  const run = { id: '1:1', rootPid: processes[0]?.pid ?? 0, processes, outputs: [] };
  return { ...base(start - 60_000), kind: 'run', phase: 'running', run, candidates: [run] };
}

/** PID, TID, comm, percent of a core, state, percent of the time runnable but not running. */
export type Row = readonly [
  pid: number,
  tid: number,
  comm: string,
  cpu: number | null,
  state?: string,
  runQueue?: number,
];

/** So many equal frames, a second each, from second `from` on. A fifth of the time is in the kernel. */
export function framesOf(count: number, rows: readonly Row[], from = 0): readonly ThreadsSample[] {
  return Array.from({ length: count }, (_, n) => ({
    ...base(start + (from + n + 1) * 1000),
    kind: 'threads',
    reader: 'proc',
    intervalSeconds: 1,
    pid: rows.map(([pid]) => pid),
    tid: rows.map(([, tid]) => tid),
    comm: rows.map(([, , comm]) => comm),
    state: rows.map(([, , , , state]) => state ?? 'S'),
    core: rows.map(() => 0),
    cpuPercent: rows.map(([, , , cpu]) => cpu),
    userPercent: rows.map(([, , , cpu]) => cpu && cpu * 0.8),
    systemPercent: rows.map(([, , , cpu]) => cpu && cpu * 0.2),
    runQueuePercent: rows.map(([, , , , , runQueue]) => runQueue ?? null),
  }));
}

/** A look at one thread, at the end of second `at`. */
export function waitsOf(
  at: number,
  row: Readonly<Record<'pid' | 'tid', number>> & Readonly<Record<'call' | 'where', string | null>> & { readonly state: string }, // prettier-ignore
): WaitsSample {
  return {
    ...base(start + (at + 1) * 1000),
    kind: 'waits',
    ...{ pid: [row.pid], tid: [row.tid], state: [row.state], call: [row.call], where: [row.where] },
    ...{ file: [null], operand: [null], futex: [null], since: [null], notBefore: [null], stack: [null], cpus: [null] },
    ...{ voluntaryPerSecond: [null], involuntaryPerSecond: [null], lacks: {} },
  };
}
