import { isPython, isWorkHost, type HostProcess } from './process-kinds.ts';

/** Parents and children among the processes of one scan. */
export interface ProcessTree {
  readonly all: readonly HostProcess[];
  find(pid: number): HostProcess | undefined;
  /** From the parent up; ends at a loop, which a scan of a changing host can show. */
  ancestors(process: HostProcess): readonly HostProcess[];
  /** The highest of its consecutive Python parents (torchrun, accelerate, multiprocessing), itself if there is none. */
  pythonRoot(process: HostProcess): HostProcess;
  /** The process and all that descends from it, but not the separate work under a server or scheduler among them. */
  descendants(root: HostProcess): readonly HostProcess[];
}

/** Builds the tree of one scan. */
export function createProcessTree(all: readonly HostProcess[]): ProcessTree {
  const byPid = new Map(all.map((process) => [process.pid, process]));
  const children = new Map<number, HostProcess[]>();
  for (const process of all) children.set(process.parentPid, [...(children.get(process.parentPid) ?? []), process]);

  const ancestors = (process: HostProcess) => {
    const found: HostProcess[] = [];
    const seen = new Set([process.pid]);
    let next = byPid.get(process.parentPid);
    while (next && !seen.has(next.pid)) {
      found.push(next);
      seen.add(next.pid);
      next = byPid.get(next.parentPid);
    }
    return found;
  };

  return {
    all,
    find: (pid) => byPid.get(pid),
    ancestors,
    pythonRoot(process) {
      let root = process;
      for (const ancestor of ancestors(process)) {
        // A raylet that the driver itself started (ray.init()) stands between the driver and its workers.
        if (ancestor.comm === 'raylet') continue;
        if (!isPython(ancestor) || isWorkHost(ancestor)) break;
        root = ancestor;
      }
      return root;
    },
    descendants(root) {
      const found: HostProcess[] = [];
      const seen = new Set([root.pid]);
      const pending = [root];
      for (let next = pending.pop(); next; next = pending.pop()) {
        found.push(next);
        for (const child of children.get(next.pid) ?? []) {
          if (seen.has(child.pid)) continue;
          seen.add(child.pid);
          if (isWorkHost(next) && next.comm !== 'raylet' && isPython(child) && !isWorkHost(child)) continue;
          pending.push(child);
        }
      }
      return found;
    },
  };
}
