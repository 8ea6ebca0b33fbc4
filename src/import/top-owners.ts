import type { TopTextRow } from './top-text.ts';

/**
 * The process of each thread of a frame. top -H shows none: but all threads of a process have its memory, and its main thread
 * has the lowest number of them.
 */
export function ownersByMemory(rows: readonly TopTextRow[]): ReadonlyMap<number, number> {
  const lowest = new Map<string, number>();
  for (const row of rows) lowest.set(keyOf(row), Math.min(row.tid, lowest.get(keyOf(row)) ?? Infinity));
  return new Map(rows.map((row) => [row.tid, lowest.get(keyOf(row)) ?? row.tid]));
}

function keyOf({ user, memory }: TopTextRow): string {
  return `${user} ${memory}`;
}

/** Threads of the kernel and what has ended have none: that makes no process of them. */
function hasMemory({ memory }: TopTextRow): boolean {
  return memory !== '0 0 0';
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

/** Keeps which process a thread is of, from what is known and what a frame shows. Of a whole host there may be others than the known. */
export function createOwners(known: ReadonlyMap<number, number>, wholeHost: boolean) {
  const owners = new Map(known);
  const pids = [...new Set(known.values())];
  return {
    /**
     * A thread that came later is of the process whose memory it has in this frame, else of a new one or, where there is none, of
     * the last that began before it. That may only be memory that grew while top read it: the next frame is asked again.
     */
    of(rows: readonly TopTextRow[]): readonly number[] {
      const alike = new Map<string, Set<number>>();
      for (const row of rows) {
        const owner = owners.get(row.tid);
        if (owner === undefined || !hasMemory(row)) continue;
        const known = alike.get(keyOf(row));
        if (known) known.add(owner);
        else alike.set(keyOf(row), new Set([owner]));
      }
      const apart = ownersByMemory(rows.filter(hasMemory));
      return rows.map((row) => {
        const { tid } = row;
        const owner = owners.get(tid) ?? lastBefore(tid, [...(alike.get(keyOf(row)) ?? [])]);
        if (owner !== undefined) owners.set(tid, owner);
        return owner ?? (wholeHost ? apart.get(tid) : lastBefore(tid, pids)) ?? tid;
      });
    },
  };
}

function lastBefore(tid: number, pids: readonly number[]): number | undefined {
  const before = pids.filter((pid) => pid <= tid);
  return before.length > 0 ? Math.max(...before) : pids.toSorted((a, b) => a - b)[0];
}
