import type { TopTextRow } from './top-text.ts';

/**
 * The process of each thread of a frame. top -H shows none: but all threads of a process have its memory, and its main thread
 * has the lowest number of them.
 */
export function ownersByMemory(rows: readonly TopTextRow[]): ReadonlyMap<number, number> {
  const lowest = new Map<string, number>();
  const key = ({ user, memory }: TopTextRow) => `${user} ${memory}`;
  for (const row of rows) lowest.set(key(row), Math.min(row.tid, lowest.get(key(row)) ?? Infinity));
  return new Map(rows.map((row) => [row.tid, lowest.get(key(row)) ?? row.tid]));
}

/**
 * Gathers how frames fall into processes. Memory that grew while top read it makes one process look like two, and two ranks
 * may have the same for a moment: what most frames show is taken.
 */
export function createPartitions() {
  const byCount = new Map<number, { readonly owners: ReadonlyMap<number, number>; frames: number }>();
  return {
    add(owners: ReadonlyMap<number, number>): void {
      const count = new Set(owners.values()).size;
      const known = byCount.get(count);
      if (known) known.frames++;
      else byCount.set(count, { owners, frames: 1 });
    },
    most(): ReadonlyMap<number, number> {
      const all = [...byCount].filter(([count]) => count > 0).sort(([a, x], [b, y]) => y.frames - x.frames || a - b);
      return all[0]?.[1].owners ?? new Map();
    },
  };
}

/** Keeps which process a thread is of, from what is known and what a frame shows. */
export function createOwners(known: ReadonlyMap<number, number>) {
  const owners = new Map(known);
  const pids = [...new Set(known.values())].sort((a, b) => a - b);
  return {
    /** A thread that came later is of the process whose memory it has, else of the last that began before it. */
    of(rows: readonly TopTextRow[]): readonly number[] {
      const byMemory = new Map(rows.flatMap((row) => (owners.has(row.tid) ? [[row.memory, owners.get(row.tid)]] : [])));
      return rows.map(({ tid, memory }) => {
        const owner = owners.get(tid) ?? byMemory.get(memory) ?? pids.findLast((pid) => pid <= tid) ?? pids[0] ?? tid;
        owners.set(tid, owner);
        return owner;
      });
    },
  };
}
