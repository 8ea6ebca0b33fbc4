import { isPython, isWorkHost, scriptOf, type HostProcess } from './process-kinds.ts';
import { createProcessTree, type ProcessTree } from './process-tree.ts';

/** Processes that belong to one run. */
export interface ProcessGroup {
  readonly root: HostProcess;
  /** The root first, then by rank, then by PID. */
  readonly members: readonly HostProcess[];
  /** GPUs that they hold together. */
  readonly gpuCount: number;
  /** Of one core, all members together, when it was measured. */
  readonly cpuPercent?: number;
}

/** The runs of a host. */
export interface FoundRuns {
  /** Python trees that hold a GPU, most GPUs first. */
  readonly withGpu: readonly ProcessGroup[];
  /** The other Python trees, busiest first; servers and schedulers are none. */
  readonly withoutGpu: readonly ProcessGroup[];
  /** The run that contains this process, or the tree under it when it is in none; undefined when there is no such PID. */
  around(pid: number): ProcessGroup | undefined;
  /** The runs with a process that `matches`: those of Python processes if there are any (not the editor of train.py). */
  matching(matches: (process: HostProcess) => boolean): readonly ProcessGroup[];
}

/** Groups the processes of one scan into runs. Pure: the same processes, the same runs, in the same order. */
export function findRuns(all: readonly HostProcess[]): FoundRuns {
  const tree = createProcessTree(all);
  const unions = joinRoots(tree);
  const hasGpu = (process: HostProcess) => isPython(process) && process.gpuMinors.length > 0;
  const unionOf = (process: HostProcess) => unions.get(tree.pythonRoot(process).pid) ?? [tree.pythonRoot(process)];
  const unique = (chosen: readonly HostProcess[]) => [...new Set(chosen.map(unionOf))];

  const withGpu = dropNested(unique(all.filter(hasGpu)).map((roots) => toGroup(tree, roots)));
  const taken = new Set(withGpu.flatMap((group) => group.members.map((member) => member.pid)));
  const others = unique(all.filter((process) => isPython(process) && !isWorkHost(process)))
    .map((roots) => toGroup(tree, roots))
    .filter((group) => !group.members.some((member) => taken.has(member.pid)));
  const withoutGpu = dropNested(others);
  withGpu.sort((a, b) => b.gpuCount - a.gpuCount || a.root.pid - b.root.pid);
  withoutGpu.sort((a, b) => (b.cpuPercent ?? 0) - (a.cpuPercent ?? 0) || a.root.pid - b.root.pid);

  const around = (pid: number) => {
    const process = tree.find(pid);
    if (!process) return undefined;
    const known = [...withGpu, ...withoutGpu].find((group) => group.members.some((member) => member.pid === pid));
    if (known) return known;
    return toGroup(tree, isPython(process) && !isWorkHost(process) ? unionOf(process) : [process]);
  };
  return {
    withGpu,
    withoutGpu,
    around,
    matching(matches) {
      const matched = all.filter(matches);
      const pythons = matched.filter((process) => isPython(process) && !isWorkHost(process));
      if (pythons.length > 0) return [...new Map(pythons.flatMap((p) => keyed(around(p.pid)))).values()];
      const pids = new Set(matched.map((process) => process.pid));
      const tops = matched.filter((process) => !tree.ancestors(process).some((ancestor) => pids.has(ancestor.pid)));
      return tops.map((process) => toGroup(tree, [process]));
    },
  };
}

function keyed(group: ProcessGroup | undefined): readonly [number, ProcessGroup][] {
  return group ? [[group.root.pid, group]] : [];
}

/**
 * Roots of ranks that were started side by side, without a Python parent (srun, mpirun, a shell loop), joined to one run.
 * They share the master's address, or the parent and the script, or the raylet; and no rank is there twice: two containers
 * may both use localhost:29500, two runs may come from one shell.
 */
function joinRoots(tree: ProcessTree): ReadonlyMap<number, readonly HostProcess[]> {
  const unionOf = new Map<number, HostProcess[]>();
  const clues = new Map<string, Map<HostProcess, Set<number>>>();
  for (const process of tree.all) {
    if (!isPython(process) || isWorkHost(process)) continue;
    const root = tree.pythonRoot(process);
    if (!unionOf.has(root.pid)) unionOf.set(root.pid, [root]);
    for (const clue of cluesOf(tree, process, root)) {
      const roots = clues.get(clue) ?? new Map<HostProcess, Set<number>>();
      clues.set(clue, roots.set(root, (roots.get(root) ?? new Set()).add(process.rank ?? -process.pid)));
    }
  }
  for (const roots of clues.values()) {
    const unions: { readonly roots: HostProcess[]; readonly ranks: Set<number> }[] = [];
    for (const [root, ranks] of [...roots].sort(([a], [b]) => a.pid - b.pid)) {
      const fitting = unions.find((union) => ![...ranks].some((rank) => union.ranks.has(rank)));
      if (!fitting) unions.push({ roots: [root], ranks: new Set(ranks) });
      fitting?.roots.push(root);
      for (const rank of ranks) fitting?.ranks.add(rank);
    }
    for (const union of unions) {
      const joined = [...new Set(union.roots.flatMap((root) => unionOf.get(root.pid) ?? []))];
      for (const root of joined) unionOf.set(root.pid, joined);
    }
  }
  return unionOf;
}

function cluesOf(tree: ProcessTree, process: HostProcess, root: HostProcess): readonly string[] {
  const clues: string[] = [];
  if (process.rank !== undefined && process.master && (process.worldSize ?? 0) > 1)
    clues.push(`master ${process.master} ${process.worldSize}`);
  const script = scriptOf(process.commandLine);
  if (process === root && process.rank !== undefined && script) clues.push(`parent ${process.parentPid} ${script}`);
  const parent = tree.find(process.parentPid);
  if (process === root && parent?.comm === 'raylet' && process.gpuMinors.length > 0) clues.push(`raylet ${parent.pid}`);
  return clues;
}

function toGroup(tree: ProcessTree, roots: readonly HostProcess[]): ProcessGroup {
  const byRank = (a: HostProcess, b: HostProcess) =>
    (a.rank ?? Number.MAX_SAFE_INTEGER) - (b.rank ?? Number.MAX_SAFE_INTEGER) || a.pid - b.pid;
  const sorted = [...roots].sort(byRank);
  const root = sorted[0] as HostProcess;
  const members = [...new Set(sorted.flatMap((each) => tree.descendants(each)))];
  const measured = members.flatMap((member) => member.cpuPercent ?? []);
  return {
    root,
    members: [root, ...members.filter((member) => member !== root).sort(byRank)],
    gpuCount: new Set(members.flatMap((member) => member.gpuMinors)).size,
    ...(measured.length > 0 && { cpuPercent: measured.reduce((sum, each) => sum + each, 0) }),
  };
}

/** Without the groups that lie inside another: a trainer that a notebook started by a shell, when the notebook is a run too. */
function dropNested(groups: readonly ProcessGroup[]): ProcessGroup[] {
  return groups.filter(
    (group) =>
      !groups.some((other) => other !== group && other.members.some((member) => member.pid === group.root.pid)),
  );
}
