import type { ProcessGroup } from '../../model/find-run.ts';
import { isPython, type HostProcess } from '../../model/process-kinds.ts';
import type { Run } from '../../model/run.ts';
import type { Answer, WatchedRow } from './answer.ts';
import { learn, type Talk } from './learn.ts';
import type { ProcessTable } from './table.ts';

/** Watch ticks after which the whole host is looked at again: soon when something began, then ever less often. */
const rescanAfter = [3, 6, 12, 24, 60];

/** The run that is watched. */
export interface Watched {
  readonly id: string;
  readonly rootPid: number;
  /** By PID; with the start a reused PID is told. */
  readonly members: ReadonlyMap<number, number>;
  /** Whose end is the run's end: the root, the ranks and the holders of GPUs, but not their workers. */
  readonly mains: ReadonlySet<number>;
}

/** What one look at the run gave. */
export interface Look {
  /** Undefined when the run ended. */
  readonly watched: Watched | undefined;
  readonly rows: readonly WatchedRow[];
  /** Processes came, went or changed what they run. */
  readonly changed: boolean;
}

/** Keeps an eye on one run after another. */
export interface Watcher {
  look(watched: Watched): Talk<Look>;
  /** Whether the whole host should be scanned now; asked once a tick. */
  isRescanDue(): boolean;
  /** The next tick scans. */
  rescanNow(): void;
}

/** A watcher that learns of new processes into `table`. */
export function createWatcher(table: ProcessTable): Watcher {
  let followed = '';
  let quietTicks = 0;
  let rescans = 0;
  return {
    *look(watched) {
      const pids = [...watched.members.keys()].join(' ');
      const { answer, at } = yield pids === followed ? 'watch' : `follow ${pids}\nwatch`;
      followed = pids;
      const rows = answer.watched.filter(
        (row) => watched.members.get(row.pid) === row.startTicks && !/[ZXx]/.test(row.state),
      );
      const alive = new Map(rows.map((row) => [row.pid, row.startTicks]));
      const born = answer.fresh.filter((row) => !alive.has(row.pid));
      const kids = descend(alive, born);
      table.meet([...rows, ...born], at);
      if (born.some((row) => !kids.has(row.pid) && isTelling(row))) rescans = quietTicks = 0;

      const isAlive = [...watched.mains].some((pid) => alive.has(pid));
      // A wrapper may print among the rows, and spoil the very one: the next look tells.
      if (!isAlive && answer.rejected > 0) return { watched, rows, changed: false };
      if (!isAlive) return { watched: undefined, rows, changed: true };
      const members = new Map([...alive, ...kids]);
      const unnamed = table.unnamed(new Set(members.keys()));
      if (unnamed.length > 0) yield* learn(table, unnamed);
      const changed = unnamed.length > 0 || alive.size !== watched.members.size;
      if (!changed) return { watched, rows, changed };
      const processes = table.processes().filter((process) => members.has(process.pid));
      const mains = new Set([...watched.mains].filter((pid) => alive.has(pid)));
      for (const pid of mainsOf(watched.rootPid, processes)) mains.add(pid);
      return { watched: { ...watched, members, mains }, rows, changed };
    },
    rescanNow() {
      rescans = 0;
      quietTicks = rescanAfter[0] ?? 0;
    },
    isRescanDue() {
      const due = ++quietTicks >= (rescanAfter[Math.min(rescans, rescanAfter.length - 1)] ?? 60);
      if (due) {
        quietTicks = 0;
        rescans++;
      }
      return due;
    },
  };
}

/** The group as the run to watch, under the name that it had before if it had one. */
export function watch({ root, members }: ProcessGroup, before?: Watched): Watched {
  return {
    id: before?.id ?? `${root.pid}:${root.startTicks}`,
    rootPid: before?.rootPid ?? root.pid,
    members: new Map(members.map((member) => [member.pid, member.startTicks])),
    mains: mainsOf(root.pid, members),
  };
}

/** The run that was watched before the source began anew; its other processes are found by a scan. */
export function identityOf(run: Run): { readonly pid: number; readonly startTicks: number } {
  return { pid: run.rootPid, startTicks: Number(run.id.split(':')[1]) };
}

/** Loader workers inherit the rank and, when forked, the open GPUs: they count only under a parent of another rank. */
function mainsOf(rootPid: number, members: readonly HostProcess[]): ReadonlySet<number> {
  const byPid = new Map(members.map((member) => [member.pid, member]));
  const works = (process: HostProcess) => process.rank !== undefined || process.gpuMinors.length > 0;
  const mains = members.filter((member) => {
    const parent = byPid.get(member.parentPid);
    return member.pid === rootPid || (works(member) && !(parent && works(parent) && parent.rank === member.rank));
  });
  return new Set(mains.map((member) => member.pid));
}

function descend(alive: ReadonlyMap<number, number>, born: Answer['fresh']): ReadonlyMap<number, number> {
  const kids = new Map<number, number>();
  for (let size = -1; size !== kids.size;) {
    size = kids.size;
    for (const row of born) if (alive.has(row.parentPid) || kids.has(row.parentPid)) kids.set(row.pid, row.startTicks);
  }
  return kids;
}

/** A new process that may be of a run (a late rank, another run): by its name alone, the rest is not known yet. */
function isTelling({ comm }: { readonly comm: string }): boolean {
  return isPython({ pid: 0, parentPid: 0, startTicks: 0, comm, commandLine: [], gpuMinors: [] });
}

/** A command line as a part of a sentence. */
export function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
