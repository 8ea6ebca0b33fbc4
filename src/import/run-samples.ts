import type { RunSample } from '../model/samples.ts';
import type { Run } from '../model/run.ts';
import type { StatProcess } from './stat-read.ts';

/** A process of the run, as far as saved output tells. */
export type KnownProcess = Pick<StatProcess, 'pid'> & Partial<Omit<StatProcess, 'pid'>>;

interface Init {
  readonly host: string;
  /** Of a process, where a dump tells: its words. */
  readonly commands: ReadonlyMap<number, string>;
}

/** Says which processes the run has and what they are called, whenever that changes. */
export function createRunTeller({ host, commands }: Init) {
  let before = '';
  let last: Run | undefined;

  const base = (time: number) => ({ kind: 'run', host, source: 'processes', time, receivedAt: time }) as const;

  return (time: number, processes: readonly KnownProcess[]): readonly RunSample[] => {
    // A name too: a wrapper in bash becomes python by exec.
    // In one order: top has the busiest first.
    const key = processes
      .map(({ pid, comm }) => `${pid} ${comm}`)
      .sort()
      .join();
    if (key === before) return [];
    before = key;
    if (processes.length === 0) {
      const reason = 'none of its threads is there any more';
      return [{ ...base(time), phase: 'ended', candidates: [], reason, ...(last && { run: last }) }];
    }
    const run = runOf(processes, last, commands);
    last = run;
    return [{ ...base(time), phase: 'running', run, candidates: [run] }];
  };
}

/** The root keeps its place while it lives: the process whose parent is none of the run, of several the first. */
function runOf(processes: readonly KnownProcess[], last: Run | undefined, commands: ReadonlyMap<number, string>): Run {
  const pids = new Set(processes.map(({ pid }) => pid));
  const roots = processes.filter(({ parentPid }) => parentPid === undefined || !pids.has(parentPid));
  const root = processes.find(({ pid }) => pid === last?.rootPid) ?? roots.toSorted((a, b) => a.pid - b.pid)[0];
  const rootPid = root?.pid ?? 0;
  return {
    id: `${rootPid}:${root?.startTicks ?? '?'}`,
    rootPid,
    processes: processes
      .toSorted((a, b) => Number(b.pid === rootPid) - Number(a.pid === rootPid) || a.pid - b.pid)
      .map(({ pid, parentPid, comm }) => ({
        pid,
        ...(parentPid !== undefined && { parentPid }),
        // As ps has it where nobody knows the command line.
        commandLine: commands.get(pid)?.split(' ') ?? (comm === undefined ? [] : [`[${comm}]`]),
        gpuMinors: [],
      })),
    outputs: [],
  };
}
