import type { FoundRuns, ProcessGroup } from '../../model/find-run.ts';
import type { HostProcess } from '../../model/process-kinds.ts';

/** Below this share of a core a Python tree without a GPU is no training run. */
const busyPercent = 5;

/** What the user asked for. */
export interface Wish {
  /** A PID that has not been found to have ended yet. */
  readonly pid?: number | undefined;
  readonly match?: RegExp | undefined;
  /** The run that ended: its next is waited for. */
  readonly ended?: EndedRun | undefined;
}

/** What the next run is told by. */
export interface EndedRun {
  readonly commandLine: string;
  /** It was asked for by PID: only one with the same command line follows. */
  readonly byPid: boolean;
  readonly hadGpu: boolean;
  /** What was there when it was last seen alive (see identify): no follower. */
  readonly known: ReadonlySet<string>;
}

/** The outcome: one run, or several to choose from, or none yet. */
export interface Choice {
  readonly group?: ProcessGroup;
  /** The group was taken for want of one with a GPU. */
  readonly makeshift?: boolean;
  readonly candidates: readonly ProcessGroup[];
  /** More than one fits. */
  readonly many: boolean;
}

/** Decides which run to watch. `ours`: processes of the monitor itself, that no pattern may find. */
export function chooseRun(found: FoundRuns, wish: Wish, ours: ReadonlySet<number>): Choice {
  const busy = found.withoutGpu.filter((group) => (group.cpuPercent ?? 0) >= busyPercent);
  const candidates = [...found.withGpu, ...busy];
  const choose = (fitting: readonly ProcessGroup[]): Choice => {
    const all = [
      ...fitting,
      ...candidates.filter((each) => !fitting.some((group) => group.root.pid === each.root.pid)),
    ];
    const [group] = fitting;
    return { candidates: all, many: fitting.length > 1, ...(group && fitting.length === 1 && { group }) };
  };
  if (wish.pid !== undefined) {
    const group = found.around(wish.pid);
    return choose(group ? [group] : []);
  }
  if (wish.match && !wish.ended?.byPid) return choose(matching(found, wish.match, ours));
  if (wish.ended) return choose(following(found, wish.ended, ours));
  if (found.withGpu.length > 0) return choose(found.withGpu);
  return { ...choose(busy.slice(0, 1)), makeshift: busy.length > 0 };
}

function matching(found: FoundRuns, pattern: RegExp, ours: ReadonlySet<number>): readonly ProcessGroup[] {
  const matches = (process: HostProcess) => lineOf(process).search(pattern) >= 0;
  return found.matching((process) => !ours.has(process.pid) && !isMonitor(process) && matches(process));
}

/** By itself the next is one with the same command line, or any that came after: with a GPU when the last had one. */
function following(found: FoundRuns, ended: EndedRun, ours: ReadonlySet<number>): readonly ProcessGroup[] {
  const isNew = (process: HostProcess) => !ended.known.has(identify(process)) && !ours.has(process.pid);
  const same = found.matching((process) => isNew(process) && lineOf(process) === ended.commandLine);
  if (same.length > 0 || ended.byPid) return same.slice(0, 1);
  const withGpu = found.withGpu.filter((group) => isNew(group.root));
  if (withGpu.length > 0 || ended.hadGpu) return withGpu;
  return found.withoutGpu.filter((group) => isNew(group.root) && (group.cpuPercent ?? 0) >= busyPercent).slice(0, 1);
}

/** The command line as the pattern sees it: arguments joined by spaces. */
export function lineOf(process: Pick<HostProcess, 'commandLine' | 'comm'>): string {
  return process.commandLine.join(' ') || process.comm;
}

/** Names a program in a process: a shell that waited and then ran the next trainer in its place is a new one. */
export function identify({ pid, startTicks, executable }: HostProcess): string {
  return `${pid}:${startTicks}:${executable ?? ''}`;
}

/** traintop's own command line holds the pattern. */
function isMonitor({ commandLine }: HostProcess): boolean {
  return commandLine.slice(0, 6).some((arg) => /(^|\/)traintop(\.js)?$/.test(arg));
}

/** Our shells on the host, all under them, and all above them (sshd, a terminal, the monitor). */
export function ownProcesses(all: readonly HostProcess[], shellPids: readonly number[]): ReadonlySet<number> {
  const own = new Set(shellPids);
  for (let size = -1; size !== own.size;) {
    size = own.size;
    for (const process of all) if (own.has(process.parentPid)) own.add(process.pid);
  }
  const parents = new Map(all.map((process) => [process.pid, process.parentPid]));
  for (const shell of shellPids)
    for (let up = parents.get(shell); up !== undefined && up > 1 && !own.has(up); up = parents.get(up)) own.add(up);
  return own;
}
