import type { HostFacts } from '../../model/facts.ts';
import type { HostProcess } from '../../model/process-kinds.ts';
import type { Run, RunProcess } from '../../model/run.ts';
import type { ProcessGroup } from '../../model/find-run.ts';
import type { Answer, FreshRow } from './answer.ts';
import { readEnvironment } from './environment.ts';
import { createLogFiles } from './log-files.ts';

/** What has been learnt of one process; forgotten when it is gone or its PID names another. */
interface Entry extends HostProcess {
  state: string;
  cpuTicks?: number;
  seenAt: number;
  named: boolean;
  described: boolean;
  uid?: number;
  cwd?: string;
  outputs: ReadonlyMap<number, string>;
}

/** All processes of the host, as far as the answers told. */
export interface ProcessTable {
  /** Takes a scan: processes that are not in it are gone. */
  scan(answer: Answer, at: number): void;
  /** Takes new processes and new names between scans. */
  meet(rows: readonly FreshRow[], at: number): void;
  /** Takes the answers to `names`, `describe`, `fds`, `links` and `users`, that were asked for these PIDs. */
  name(pids: readonly number[], answer: Answer): void;
  describe(pids: readonly number[], answer: Answer): void;
  open(pids: readonly number[], answer: Answer): void;
  exact(answer: Answer): void;
  users(uids: readonly number[], answer: Answer): void;
  /** Living processes. */
  processes(): readonly HostProcess[];
  isMeasured(): boolean;
  unnamed(among?: ReadonlySet<number>): readonly number[];
  undescribed(pids: readonly number[]): readonly number[];
  /** `PID/NAME` of links that were shown with `?` in them. */
  inexact(pids: readonly number[]): readonly string[];
  unknownUsers(pids: readonly number[]): readonly number[];
  toRun(group: ProcessGroup, identity?: Pick<Run, 'id' | 'rootPid'>): Run;
}

/** An empty table; `facts` turn ticks into times and shares. */
export function createProcessTable(facts: HostFacts): ProcessTable {
  let entries = new Map<number, Entry>();
  const userNames = new Map<number, string | undefined>();
  const logFiles = createLogFiles();
  const change = (pid: number, news: Partial<Entry>) => {
    const entry = entries.get(pid);
    if (entry) entries.set(pid, { ...entry, ...news });
  };
  const missing = (pids: readonly number[], has: 'named' | 'described') =>
    pids.filter((pid) => entries.get(pid)?.[has] === false);

  return {
    scan(answer, at) {
      const before = entries;
      entries = new Map(
        answer.stats.map(({ cpuTicks, state, ...row }) => {
          const old = before.get(row.pid);
          const entry = merge(old, row, at);
          const cpuPercent = share(old?.startTicks === row.startTicks ? old : undefined, { cpuTicks, at });
          return [row.pid, { ...entry, state, cpuTicks, ...(cpuPercent !== undefined && { cpuPercent }) }];
        }),
      );
    },
    meet(rows, at) {
      for (const row of rows) {
        const old = entries.get(row.pid);
        const { cpuTicks, seenAt } = old ?? {};
        // The CPU share is measured from scan to scan.
        entries.set(row.pid, { ...merge(old, row, at), ...(cpuTicks !== undefined && { seenAt: seenAt ?? at }) });
      }
    },
    name(pids, answer) {
      for (const pid of pids) {
        const { uid, target } = answer.executables.get(pid) ?? {};
        const commandLine = answer.commandLines.get(pid) ?? [];
        change(pid, { named: true, commandLine, executable: target, ...(uid !== undefined && { uid }) });
      }
    },
    describe(pids, answer) {
      for (const pid of pids) {
        const cwd = answer.directories.get(pid)?.target;
        change(pid, { described: true, ...readEnvironment(answer.environments.get(pid)), ...(cwd && { cwd }) });
      }
    },
    open(pids, answer) {
      for (const pid of pids) {
        const gpuMinors = [...(answer.gpus.get(pid) ?? [])].sort((a, b) => a - b);
        change(pid, { gpuMinors, outputs: answer.outputs.get(pid) ?? new Map() });
      }
    },
    exact(answer) {
      for (const [name, target] of answer.exactLinks) {
        const [pid = '', what, fd] = name.split('/');
        const entry = entries.get(Number(pid));
        if (!entry || target === '') continue;
        if (what === 'cwd') change(entry.pid, { cwd: target });
        else change(entry.pid, { outputs: new Map(entry.outputs).set(Number(fd), target) });
      }
    },
    users(uids, answer) {
      for (const uid of uids) userNames.set(uid, answer.users.get(uid));
    },
    processes: () => [...entries.values()].filter((entry) => !/[ZXx]/.test(entry.state)),
    isMeasured: () => [...entries.values()].some((entry) => entry.cpuPercent !== undefined),
    unnamed: (among) => missing(among ? [...among] : [...entries.keys()], 'named'),
    undescribed: (pids) => missing(pids, 'described'),
    inexact: (pids) =>
      pids.flatMap((pid) => {
        const entry = entries.get(pid);
        const outputs = [...(entry?.outputs ?? [])].filter(([, target]) => target.includes('?'));
        return [...(entry?.cwd?.includes('?') ? [`${pid}/cwd`] : []), ...outputs.map(([fd]) => `${pid}/fd/${fd}`)];
      }),
    unknownUsers: (pids) => {
      const uids = pids.flatMap((pid) => entries.get(pid)?.uid ?? []);
      return [...new Set(uids)].filter((uid) => !userNames.has(uid));
    },
    toRun(group, identity) {
      const members = group.members.map((member) => entries.get(member.pid)).filter((entry) => entry !== undefined);
      const id = identity?.id ?? `${group.root.pid}:${group.root.startTicks}`;
      return {
        id,
        rootPid: identity?.rootPid ?? group.root.pid,
        ...(facts.bootId !== undefined && { bootId: facts.bootId }),
        processes: members.map(toRunProcess),
        outputs: logFiles.of(id, members),
      };
    },
  };

  function toRunProcess(entry: Entry): RunProcess {
    const user = entry.uid === undefined ? undefined : userNames.get(entry.uid);
    const { executable, cwd, rank, localRank, worldSize, cpuPercent } = entry;
    return {
      pid: entry.pid,
      parentPid: entry.parentPid,
      commandLine: entry.commandLine,
      ...(executable !== undefined && { executable }),
      ...(user !== undefined && { user }),
      startTime: facts.bootTime + (entry.startTicks / facts.clockTicks) * 1000,
      ...(cwd !== undefined && { cwd }),
      ...(rank !== undefined && { rank }),
      ...(localRank !== undefined && { localRank }),
      ...(worldSize !== undefined && { worldSize }),
      gpuMinors: entry.gpuMinors,
      ...(cpuPercent !== undefined && { cpuPercent }),
    };
  }

  function share(old: Entry | undefined, { cpuTicks, at }: { cpuTicks: number; at: number }): number | undefined {
    if (old?.cpuTicks === undefined || at <= old.seenAt) return undefined;
    return Math.max(0, (((cpuTicks - old.cpuTicks) / facts.clockTicks) * 100_000) / (at - old.seenAt));
  }
}

/** A process that was known before, or a new one. A new name means that it ran another program, or renamed itself. */
function merge(old: Entry | undefined, { pid, parentPid, startTicks, comm }: FreshRow, seenAt: number): Entry {
  if (old?.startTicks !== startTicks)
    return {
      ...{ pid, parentPid, startTicks, comm, seenAt, state: 'R', named: false, described: false },
      ...{ commandLine: [], gpuMinors: [], outputs: new Map() },
    };
  const renamed = old.comm !== comm;
  return { ...old, parentPid, comm, seenAt, ...(renamed && { named: false, described: false }) };
}
