import type { StackFrame } from '../stacks.ts';
import type { FoldedStack } from './fold.ts';
import { functionKey } from './intern.ts';
import { weightOf } from './weight.ts';

/** How alike stacks are: to the line, to the function, or in what they are about. */
export type Likeness = 'line' | 'function' | 'class';

/** Part of a rank's key: a thread of it was in many places. */
export const mixed = '~';

/** A thread is in a place when it was seen there so often. */
const settledShare = 0.8;
/** One that was seen there so often is with others that are settled there. */
const followingShare = 0.5;

/** Tells ranks with equal stacks by equal keys. */
export function createLikeness(by: Likeness) {
  const ids = new Map<unknown, number>();
  const idOf = (value: unknown) => {
    const known = ids.get(value) ?? ids.size;
    ids.set(value, known);
    return known;
  };
  const functions = new Map<readonly StackFrame[], string>();

  function keyOf({ frames, class: of }: FoldedStack): string {
    if (by === 'class') return of;
    if (by === 'line') return String(idOf(frames));
    const known = functions.get(frames) ?? frames.map((frame) => idOf(functionKey(frame))).join(' ');
    functions.set(frames, known);
    return known;
  }

  /** By rank; '' where it has no stack. Threads of a role are told apart by their stacks only: workers have no order. */
  function keysOf(byRank: ReadonlyMap<number, readonly FoldedStack[]>): ReadonlyMap<number, string> {
    const places = new Map([...byRank].map(([rank, stacks]) => [rank, placesOf(stacks)]));
    const settled = new Set(
      [...places.values()].flat().flatMap(({ key, share }) => (share >= settledShare ? key : [])),
    );
    const told = ({ key, share }: Place) =>
      share >= settledShare || (share >= followingShare && settled.has(key)) ? key : mixed;
    return new Map([...places].map(([rank, each]) => [rank, [...new Set(each.map(told))].sort().join('|')]));
  }

  /** Of each thread, where it was most often. */
  function placesOf(stacks: readonly FoldedStack[]): readonly Place[] {
    const threads = new Map<string, Map<string, number>>();
    for (const stack of stacks) {
      const thread = `${stack.pid}:${stack.tid ?? stack.thread}`;
      const counts = threads.get(thread) ?? new Map<string, number>();
      threads.set(thread, counts);
      const key = keyOf(stack);
      counts.set(key, (counts.get(key) ?? 0) + weightOf(stack));
    }
    return [...threads.values()].map((counts) => {
      let [best, most, total] = ['', 0, 0];
      for (const [key, count] of counts) {
        total += count;
        if (count > most) [best, most] = [key, count];
      }
      return { key: best, share: most / total };
    });
  }

  return { keysOf };
}

interface Place {
  readonly key: string;
  readonly share: number;
}
