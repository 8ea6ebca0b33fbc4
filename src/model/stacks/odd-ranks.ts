import type { StackClass } from '../classes/names.ts';
import type { StackFrame } from '../stacks.ts';
import type { Folded, FoldedStack } from './fold.ts';
import { groupBy } from '../group-by.ts';
import { shareOf, sum, weightsOf } from './group.ts';
import { createLikeness, mixed, type Likeness } from './likeness.ts';
import { partingOf, type Parting } from './parting.ts';
import { weightOf } from './weight.ts';

/** What the ranks do in one role, compared. */
export interface RankComparison {
  readonly role: string;
  /** The finest at which most ranks are alike; `class` where they are at none. */
  readonly by: Likeness;
  /** The ranks that stand out. */
  readonly odd: readonly number[];
  /** Why they do: more than half of the ranks are alike, or the others are in a collective, and so wait for these. */
  readonly because?: 'majority' | 'collective';
  /** Ranks with equal stacks; the odd ones first, then the fewest. */
  readonly groups: readonly RankGroup[];
}

/** Ranks whose stacks are equal. */
export interface RankGroup {
  readonly ranks: readonly number[];
  /** Its most frequent stacks; none: these ranks have no such thread. */
  readonly stacks: readonly RankStack[];
  /** They were seen in many places, in none of them most of the time. */
  readonly moving: boolean;
  /** Where its most frequent stack parts from that of the largest group, which has none. */
  readonly parting?: Parting;
}

/** One stack of a group of ranks. */
export interface RankStack {
  readonly frames: readonly StackFrame[];
  readonly class: StackClass;
  readonly count: number;
  /** Of the role's counts in these ranks. */
  readonly share: number;
}

/** Stacks of a group that are given. */
const mostStacks = 5;

/** Compares ranks role by role; where one stands out first. Empty for less than two ranks. */
export function oddRanks(folded: Folded): readonly RankComparison[] {
  const ranks = [...new Set(folded.processes.flatMap(({ rank, samples }) => (samples > 0 ? (rank ?? []) : [])))];
  if (ranks.length < 2) return [];
  const roles = groupBy(
    folded.stacks.filter(({ rank }) => rank !== undefined),
    ({ role }) => role,
  );
  return [...roles]
    .map(([role, stacks]) => compare(role, stacks, ranks))
    .sort((a, b) => Number(b.odd.length > 0) - Number(a.odd.length > 0) || countOf(b) - countOf(a));
}

function compare(role: string, stacks: readonly FoldedStack[], ranks: readonly number[]): RankComparison {
  const byRank = new Map(ranks.map((rank) => [rank, stacks.filter((stack) => stack.rank === rank)]));
  for (const by of ['line', 'function'] as const) {
    const groups = groupsOf(byRank, by);
    const [largest] = groups;
    if (!largest || largest.ranks.length * 2 <= ranks.length) continue;
    if (groups.length === 1 && largest.moving) continue;
    const others = groups.slice(1);
    return {
      role,
      by,
      odd: others.flatMap((group) => group.ranks).sort((a, b) => a - b),
      ...(others.length > 0 && { because: 'majority' as const }),
      groups: [...others.reverse(), largest].map((group) => told(group, largest)),
    };
  }
  const groups = groupsOf(byRank, 'class');
  const waiting = groups.filter(isInCollective);
  const others = groups.filter((group) => !isInCollective(group));
  const [largest] = waiting.length > 0 ? waiting : groups;
  const isTold = waiting.length > 0 && others.length > 0;
  return {
    role,
    by: 'class',
    odd: isTold ? others.flatMap((group) => group.ranks).sort((a, b) => a - b) : [],
    ...(isTold && { because: 'collective' as const }),
    groups: (isTold ? [...others.reverse(), ...waiting.reverse()] : groups.reverse()).map((group) =>
      told(group, largest),
    ),
  };
}

interface Gathered {
  readonly ranks: number[];
  readonly moving: boolean;
  readonly stacks: FoldedStack[];
}

/** The largest first. */
function groupsOf(byRank: ReadonlyMap<number, readonly FoldedStack[]>, by: Likeness): Gathered[] {
  const keys = createLikeness(by).keysOf(byRank);
  const groups = new Map<string, Gathered>();
  for (const [rank, stacks] of byRank) {
    const key = keys.get(rank) ?? '';
    const group = groups.get(key) ?? { ranks: [], moving: key.includes(mixed), stacks: [] };
    group.ranks.push(rank);
    group.stacks.push(...stacks);
    groups.set(key, group);
  }
  return [...groups.values()].sort((a, b) => b.ranks.length - a.ranks.length || (a.ranks[0] ?? 0) - (b.ranks[0] ?? 0));
}

function isInCollective({ stacks }: Gathered): boolean {
  const inside = weightsOf(stacks.filter((stack) => stack.class === 'collective'));
  return inside * 2 > weightsOf(stacks);
}

function told(group: Gathered, largest: Gathered | undefined): RankGroup {
  const stacks = topStacks(group.stacks);
  const others = largest && largest !== group ? topStacks(largest.stacks) : [];
  const [here, there] = [stacks[0], others[0]];
  return {
    ranks: [...group.ranks].sort((a, b) => a - b),
    stacks,
    moving: group.moving,
    ...(here && there && { parting: partingOf(here.frames, there.frames) }),
  };
}

function topStacks(stacks: readonly FoldedStack[]): readonly RankStack[] {
  const total = weightsOf(stacks);
  return [...groupBy(stacks, ({ frames }) => frames)]
    .map(([frames, equal]) => ({
      frames,
      class: equal.reduce((most, stack) => (weightOf(stack) > weightOf(most) ? stack : most)).class,
      count: sum(equal),
      share: shareOf(weightsOf(equal), total),
    }))
    .sort((a, b) => b.share - a.share)
    .slice(0, mostStacks);
}

function countOf({ groups }: RankComparison): number {
  return sum(groups.flatMap(({ stacks }) => stacks));
}
