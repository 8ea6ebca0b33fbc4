import { groupBy } from '../group-by.ts';
import type { Folded, FoldedStack } from '../stacks/fold.ts';

/** Who held the GIL of one process, and for what part of the time. */
export interface GilShare {
  readonly pid: number;
  readonly rank?: number;
  /** Times it was looked at: all shares are of them. */
  readonly looks: number;
  /** Looks that py-spy could not read: with `--gil` it reads who holds it only, so that most of them were held too. */
  readonly unread: number;
  /** Looks at which any thread held it; 0 to 1. */
  readonly share: number;
  /** The longest holder first. */
  readonly threads: readonly (Holder & Pick<FoldedStack, 'tid' | 'thread' | 'role'>)[];
  readonly roles: readonly (Holder & Pick<FoldedStack, 'role'>)[];
}

/** A part of the time. */
export interface Holder {
  readonly count: number;
  readonly share: number;
}

/** Of each process that was asked for it; none of a record, in which nobody looked for the GIL. */
export function gilShares({
  processes,
  stacks,
  gilOnly,
}: Pick<Folded, 'processes' | 'stacks' | 'gilOnly'>): readonly GilShare[] {
  return processes.flatMap(({ pid, rank, samples: looks, errors }) => {
    const own = stacks.filter((stack) => stack.pid === pid);
    // With --gil no stack at all is an answer: nobody held it.
    const isAsked = gilOnly || own.some(({ gil }) => gil !== undefined);
    if (!isAsked || looks <= 0) return [];
    const held = own.filter(({ gil = 0 }) => gil > 0);
    const count = sum(held);
    return [
      {
        pid,
        ...(rank !== undefined && { rank }),
        looks,
        unread: errors,
        share: Math.min(1, count / looks),
        threads: holders(held, ({ tid, thread }) => `${tid} ${thread}`, looks).map(({ first, ...holder }) => ({
          ...holder,
          ...(first.tid !== undefined && { tid: first.tid }),
          thread: first.thread,
          role: first.role,
        })),
        roles: holders(held, ({ role }) => role, looks).map(({ first, ...holder }) => ({
          ...holder,
          role: first.role,
        })),
      },
    ];
  });
}

function holders(held: readonly FoldedStack[], keyOf: (stack: FoldedStack) => string, looks: number) {
  return [...groupBy(held, keyOf).values()]
    .flatMap((group) => {
      const [first] = group;
      const count = sum(group);
      return first ? [{ first, count, share: Math.min(1, count / looks) }] : [];
    })
    .sort((a, b) => b.count - a.count);
}

function sum(stacks: readonly FoldedStack[]): number {
  return stacks.reduce((total, { gil = 0 }) => total + gil, 0);
}
