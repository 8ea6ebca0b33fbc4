import { groupBy } from './group-by.ts';
import { isLauncher } from './roles/role-of.ts';
import { scriptOf } from './process-kinds.ts';
import type { Run, RunProcess } from './run.ts';
import type { Member, ThreadGrouping, ThreadRow } from './thread-rows.ts';

/** What is said of a group beside its sums. */
export interface ThreadGroup {
  /** Names it over time. */
  readonly key: string;
  readonly title: string;
  readonly open: boolean;
  /** Its threads, those of processes below it and idle ones included. */
  readonly count: number;
  /** Those that are not idle, the busiest first. */
  readonly active: readonly ThreadRow[];
}

interface Grouping {
  readonly grouping: ThreadGrouping;
  readonly run: Run | undefined;
  readonly toggled?: ReadonlySet<string> | undefined;
  readonly order: (a: ThreadRow, b: ThreadRow) => number;
}

interface Grouped {
  readonly rows: readonly ThreadRow[];
  /** Threads of open groups that are folded away. */
  readonly idle: number;
  readonly groups: number;
}

/** A group before it is drawn. */
interface Node {
  readonly key: string;
  readonly title: string;
  readonly process?: RunProcess | undefined;
  readonly members: readonly Member[];
  readonly children: readonly Node[];
}

/** Groups in the wanted order, below each open one what is in it. */
export function groupRows(members: readonly Member[], how: Grouping): Grouped {
  const nodes = how.grouping === 'role' ? roleNodes(members) : processNodes(members, how.run);
  // A single process is the whole list: it need not be opened first.
  const rows = listed(nodes, { ...how, depth: 0, opens: how.grouping === 'process' && nodes.length === 1 });
  return { ...rows, groups: nodes.length };
}

/** What stands for the role of a thread of which nothing tells it. */
const noRoleTitle = 'unnamed';

function roleNodes(members: readonly Member[]): readonly Node[] {
  const byRole = groupBy(members, ({ row }) => row.role ?? '');
  return [...byRole].map(([role, own]) => ({
    key: `role ${role}`,
    title: role === '' ? noRoleTitle : role,
    members: own,
    children: [],
  }));
}

/** Levels below the left edge. */
const deepest = 4;

/** Ranks at the left edge, workers and helpers below the process that started them; launchers stand for themselves. */
function processNodes(members: readonly Member[], run: Run | undefined): readonly Node[] {
  const byPid = groupBy(members, ({ row }) => row.pid);
  const processes = new Map(run?.processes.map((process) => [process.pid, process]));
  const parentOf = (pid: number): number | undefined => {
    const seen = new Set([pid]);
    const own = processes.get(pid);
    for (let at = own?.parentPid; at !== undefined && !seen.has(at); at = processes.get(at)?.parentPid) {
      const parent = processes.get(at);
      if (!parent) return undefined;
      if (isLauncher(parent.commandLine) || (own?.rank !== undefined && parent.rank === undefined)) return undefined;
      if (byPid.has(at)) return at;
      seen.add(at);
    }
    return undefined;
  };
  const below = groupBy(byPid.keys(), parentOf);
  // A recording may name two processes as each other's parents, or a thousand below one another: what is left over stands for itself.
  const placed = new Set<number>();
  const unplaced = (pids: readonly number[] = []) => pids.filter((pid) => !placed.has(pid));
  const nodeOf = (pid: number, depth = 0): Node => {
    placed.add(pid);
    const own = byPid.get(pid) ?? [];
    const process = processes.get(pid);
    const children = depth >= deepest ? [] : unplaced(below.get(pid)).map((child) => nodeOf(child, depth + 1));
    return { key: `process ${pid}`, title: titleOf(own, process), process, members: own, children };
  };
  const top = unplaced(below.get(undefined)).map((pid) => nodeOf(pid));
  return [...top, ...unplaced([...byPid.keys()]).flatMap((pid) => (placed.has(pid) ? [] : [nodeOf(pid)]))];
}

/** What the process is for, where that is something special; else what it runs. */
function titleOf(members: readonly Member[], process: RunProcess | undefined): string {
  const main = members.find(({ row }) => row.tid === row.pid)?.row;
  if (main?.role !== undefined && main.role !== 'main') return main.role;
  const script = process && (scriptOf(process.commandLine) || process.commandLine[0]);
  return baseName(script ?? '') || main?.comm || 'process';
}

interface Listing extends Grouping {
  readonly depth: number;
  /** Groups are open unless they were closed. */
  readonly opens: boolean;
}

function listed(nodes: readonly Node[], how: Listing): Omit<Grouped, 'groups'> {
  const { depth, opens, toggled, order } = how;
  let idle = 0;
  const below = new Map<string, readonly ThreadRow[]>();
  const heads = nodes.map((node) => {
    const open = (toggled?.has(node.key) ?? false) !== opens;
    const head = headOf(node, { open, depth });
    if (open) {
      const inner = listed(node.children, { ...how, depth: depth + 1, opens: false });
      const own = node.members.filter((member) => !member.idle).map(({ row }) => ({ ...row, depth: depth + 1 }));
      idle += inner.idle + node.members.length - own.length;
      below.set(node.key, merged(own.sort(order), inner.rows, { depth: depth + 1, order }));
    }
    return head;
  });
  const rows = heads.sort(order).flatMap((head) => [head, ...(below.get(head.group?.key ?? '') ?? [])]);
  return { rows, idle };
}

/** Threads among the groups that stand beside them, each group with what is below it. */
function merged(
  threads: readonly ThreadRow[],
  rows: readonly ThreadRow[],
  { depth, order }: Pick<Listing, 'depth' | 'order'>,
): readonly ThreadRow[] {
  if (rows.length === 0) return threads;
  const blocks: ThreadRow[][] = threads.map((row) => [row]);
  for (const row of rows) {
    if (row.depth === depth && row.group) blocks.push([row]);
    else blocks.at(-1)?.push(row);
  }
  const first = ([row]: readonly ThreadRow[]) => row as ThreadRow;
  return blocks.sort((a, b) => order(first(a), first(b))).flat();
}

function headOf(node: Node, { open, depth }: { readonly open: boolean; readonly depth: number }): ThreadRow {
  const all = membersOf(node).filter(({ row }) => row.life !== 'gone');
  const active = all
    .filter((member) => !member.idle)
    .map(({ row }) => row)
    .sort((a, b) => (b.cpuPercent ?? -1) - (a.cpuPercent ?? -1) || a.tid - b.tid);
  const busiest = active[0] ?? all[0]?.row ?? node.members[0]?.row;
  const sum = (key: 'cpuPercent' | 'userPercent' | 'systemPercent') => {
    const values = all.flatMap(({ row }) => row[key] ?? []);
    return values.length === 0 ? {} : { [key]: values.reduce((a, b) => a + b, 0) };
  };
  const waits = all.flatMap(({ row }) => row.runQueuePercent ?? []);
  const { process } = node;
  return {
    pid: process?.pid ?? busiest?.pid ?? 0,
    tid: busiest?.tid ?? 0,
    comm: busiest?.comm ?? '',
    ...(process?.rank !== undefined && { rank: process.rank }),
    ...sum('cpuPercent'),
    ...sum('userPercent'),
    ...sum('systemPercent'),
    ...(waits.length > 0 && { runQueuePercent: waits.reduce((a, b) => Math.max(a, b), 0) }),
    ...(depth > 0 && { depth }),
    group: { key: node.key, title: node.title, open, count: all.length, active },
  };
}

function membersOf({ members, children }: Node): readonly Member[] {
  return children.length === 0 ? members : [...members, ...children.flatMap(membersOf)];
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
