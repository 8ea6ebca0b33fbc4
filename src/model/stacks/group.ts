import type { StackClass } from '../classes/names.ts';
import type { StackFrame } from '../stacks.ts';
import type { Folded, FoldedStack } from './fold.ts';
import { groupBy } from '../group-by.ts';
import { weightOf } from './weight.ts';

/** The ways to group stacks, in the order of the key that goes through them. */
export const groupings = ['role', 'thread', 'process'] as const;
/** One of them. */
export type Grouping = (typeof groupings)[number];

/** Stacks that belong together. Shares are of 1. */
export interface StackGroup {
  /** The same in another capture of the run. */
  readonly key: string;
  /** `main`, `loader-0 · TID 4711`, `rank 0 · PID 426`. */
  readonly title: string;
  readonly count: number;
  /** Of all counts. */
  readonly share: number;
  /** Different threads in it. */
  readonly threads: number;
  readonly pids: readonly number[];
  readonly ranks: readonly number[];
  /** The largest first. */
  readonly classes: readonly ClassShare[];
  /** Equal ones folded, the most frequent first. */
  readonly stacks: readonly MergedStack[];
}

/** What part of the counts is of a class. */
export interface ClassShare {
  readonly class: StackClass;
  readonly count: number;
  readonly share: number;
}

/** Equal stacks of all threads of a group. */
export interface MergedStack {
  readonly frames: readonly StackFrame[];
  readonly class: StackClass;
  readonly count: number;
  /** As of its stacks (fold.ts). */
  readonly weight?: number;
  /** Of the group. */
  readonly share: number;
  readonly active?: number;
  readonly gil?: number;
  /** Whose they are; the most frequent first. */
  readonly of: readonly FoldedStack[];
  readonly ranks: readonly number[];
}

/** Groups stacks, and folds the equal ones in each group. Groups with more counts come first, processes by rank and PID. */
export function groupStacks(folded: Folded, by: Grouping): readonly StackGroup[] {
  const groups = groupBy(folded.stacks, (stack) => keyOf(stack, by));
  const all = [...groups].map(([key, stacks]) => groupOf(key, stacks, { by, total: weightOf(folded) }));
  if (by === 'process') return all.sort((a, b) => (a.ranks[0] ?? Infinity) - (b.ranks[0] ?? Infinity) || byPid(a, b));
  return all.sort((a, b) => b.share - a.share || a.title.localeCompare(b.title) || byPid(a, b));
}

/** What part of some stacks each class is, the largest first. */
export function classShares(stacks: readonly Pick<FoldedStack, 'class' | 'count' | 'weight'>[]): readonly ClassShare[] {
  const total = weightsOf(stacks);
  return [...groupBy(stacks, (stack) => stack.class)]
    .map(([of, all]) => ({ class: of, count: sum(all), share: shareOf(weightsOf(all), total) }))
    .sort((a, b) => b.share - a.share || a.class.localeCompare(b.class));
}

/** All counts of some stacks. */
export function sum(stacks: readonly { readonly count: number }[]): number {
  let total = 0;
  for (const { count } of stacks) total += count;
  return total;
}

/** All weights of some stacks. */
export function weightsOf(stacks: readonly Pick<FoldedStack, 'count' | 'weight'>[]): number {
  let total = 0;
  for (const stack of stacks) total += weightOf(stack);
  return total;
}

/** A part of a whole; of nothing it is nothing. */
export function shareOf(count: number, total: number): number {
  return total > 0 ? count / total : 0;
}

function keyOf({ pid, tid, thread, role }: FoldedStack, by: Grouping): string {
  if (by === 'role') return role;
  return by === 'process' ? String(pid) : `${pid}:${tid ?? thread}`;
}

function groupOf(
  key: string,
  stacks: readonly FoldedStack[],
  { by, total }: { readonly by: Grouping; readonly total: number },
): StackGroup {
  const weight = weightsOf(stacks);
  const [first] = stacks;
  return {
    key,
    title: first ? titleOf(first, by) : key,
    count: sum(stacks),
    share: shareOf(weight, total),
    threads: new Set(stacks.map(({ pid, tid, thread }) => `${pid}:${tid ?? thread}`)).size,
    pids: numbers(stacks.map(({ pid }) => pid)),
    ranks: ranksOf(stacks),
    classes: classShares(stacks),
    stacks: [...groupBy(stacks, ({ frames }) => frames).values()]
      .flatMap((equal) => [...groupBy(equal, (stack) => stack.class).values()])
      .map((of) => mergedOf(of, weight))
      .sort((a, b) => b.share - a.share),
  };
}

function mergedOf(of: readonly FoldedStack[], total: number): MergedStack {
  const [first] = of as readonly [FoldedStack];
  const weight = weightsOf(of);
  const told = (key: 'active' | 'gil') =>
    of.some((stack) => stack[key] !== undefined) && {
      [key]: of.reduce((all, stack) => all + (stack[key] ?? 0), 0),
    };
  const { frames, class: stackClass } = first;
  return {
    frames,
    class: stackClass,
    count: sum(of),
    ...(first.weight !== undefined && { weight }),
    share: shareOf(weight, total),
    ...told('active'),
    ...told('gil'),
    of,
    ranks: ranksOf(of),
  };
}

function titleOf({ pid, tid, rank, thread, role }: FoldedStack, by: Grouping): string {
  if (by === 'role') return role;
  if (by === 'thread') return tid === undefined ? thread : `${thread} · TID ${tid}`;
  return rank === undefined ? `PID ${pid}` : `rank ${rank} · PID ${pid}`;
}

/** The ranks of some stacks, each once, in order. */
function ranksOf(stacks: readonly Pick<FoldedStack, 'rank'>[]): readonly number[] {
  return numbers(stacks.flatMap(({ rank }) => rank ?? []));
}

function numbers(values: readonly number[]): readonly number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}

function byPid(a: StackGroup, b: StackGroup): number {
  return (a.pids[0] ?? 0) - (b.pids[0] ?? 0);
}
