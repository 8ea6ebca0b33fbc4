import type { StackClass } from '../classes/names.ts';
import type { StackFrame } from '../stacks.ts';
import type { Folded, FoldedStack } from './fold.ts';
import { groupBy } from '../group-by.ts';
import { sum, weightsOf } from './group.ts';
import { createInterner } from './intern.ts';
import { remembered } from './search.ts';
import { weightOf } from './weight.ts';

/** The difference of two captures in one role; the largest change first. */
export interface RoleDiff {
  readonly role: string;
  /** Counts of the role; absent: it was not in that capture. */
  readonly beforeCount?: number;
  readonly afterCount?: number;
  readonly classes: readonly ShareChange<StackClass>[];
  readonly stacks: readonly ShareChange<readonly StackFrame[]>[];
}

/** A share of the role's counts, before and after. */
export interface ShareChange<Of> {
  readonly of: Of;
  readonly class: StackClass;
  /** Of 1. Absent: the role was not in that capture. */
  readonly before?: number;
  readonly after?: number;
  /** Percentage points; absent where one share is. */
  readonly points?: number;
  /** It was seen in one of the two only. */
  readonly only?: 'before' | 'after';
}

/** How stacks are held to be equal. */
export interface DiffOptions {
  /** Stacks of the same functions at other lines are others. */
  readonly lines?: boolean;
}

/**
 * Compares two captures role by role, in shares of the role: they need not have the same threads, length or rate. Roles with more
 * change come first.
 */
export function diffFolded(before: Folded, after: Folded, { lines = false }: DiffOptions = {}): readonly RoleDiff[] {
  const isAlike = hasWholePaths(before) === hasWholePaths(after);
  const keyOf = createKeys(({ line, ...frame }) => ({
    ...withoutAddress(frame),
    ...(isAlike ? {} : { file: baseName(frame.file) }),
    ...(lines && line !== undefined && { line }),
  }));
  const [a, b] = [byRole(before), byRole(after)];
  return [...new Set([...a.keys(), ...b.keys()])]
    .map((role) => diffRole(role, { before: a.get(role), after: b.get(role) }, keyOf))
    .sort((x, y) => changeOf(y) - changeOf(x) || countOf(y) - countOf(x));
}

interface Pair<T> {
  readonly before: T | undefined;
  readonly after: T | undefined;
}

function diffRole(role: string, stacks: Pair<readonly FoldedStack[]>, keyOf: (stack: FoldedStack) => string): RoleDiff {
  const before = stacks.before && sum(stacks.before);
  const after = stacks.after && sum(stacks.after);
  const totals = {
    before: stacks.before && weightsOf(stacks.before),
    after: stacks.after && weightsOf(stacks.after),
  };
  return {
    role,
    ...(before !== undefined && { beforeCount: before }),
    ...(after !== undefined && { afterCount: after }),
    classes: changes(stacks, totals, { keyOf: (stack) => stack.class, valueOf: (stack) => stack.class }),
    stacks: changes(stacks, totals, { keyOf, valueOf: (stack) => stack.frames }),
  };
}

interface Counted<Of> {
  readonly of: Of;
  readonly class: StackClass;
  before: number;
  after: number;
}

interface Reading<Of> {
  readonly keyOf: (stack: FoldedStack) => string;
  readonly valueOf: (stack: FoldedStack) => Of;
}

function changes<Of>(
  stacks: Pair<readonly FoldedStack[]>,
  totals: Pair<number>,
  { keyOf, valueOf }: Reading<Of>,
): readonly ShareChange<Of>[] {
  const all = new Map<string, Counted<Of>>();
  for (const side of ['before', 'after'] as const) {
    for (const stack of stacks[side] ?? []) {
      const key = keyOf(stack);
      const counted = all.get(key) ?? { of: valueOf(stack), class: stack.class, before: 0, after: 0 };
      counted[side] += weightOf(stack);
      all.set(key, counted);
    }
  }
  return [...all.values()]
    .map((counted) => changeOfCounts(counted, totals))
    .sort((a, b) => Math.abs(b.points ?? 0) - Math.abs(a.points ?? 0) || shareIn(b) - shareIn(a));
}

function changeOfCounts<Of>(counted: Counted<Of>, totals: Pair<number>): ShareChange<Of> {
  const before = totals.before ? counted.before / totals.before : undefined;
  const after = totals.after ? counted.after / totals.after : undefined;
  const only = counted.after === 0 ? 'before' : counted.before === 0 ? 'after' : undefined;
  return {
    of: counted.of,
    class: counted.class,
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    ...(before !== undefined && after !== undefined && { points: (after - before) * 100 }),
    ...(only && { only }),
  };
}

/** A stack's key: its class too, for one that is told by who held the GIL. */
function createKeys(plain: (frame: StackFrame) => StackFrame) {
  const { internFrame, internStack } = createInterner();
  const equal = remembered((frame: StackFrame) => internFrame(plain(frame)));
  let count = 0;
  const number = remembered((_: readonly StackFrame[]) => ++count);
  const numberOf = remembered((frames: readonly StackFrame[]) => number(internStack(frames.map(equal))));
  return ({ frames, class: of }: FoldedStack) => `${numberOf(frames)} ${of}`;
}

/** Machine code without symbols is told by its library only. */
function withoutAddress(frame: StackFrame): StackFrame {
  return frame.native && frame.function.startsWith('0x') ? { ...frame, function: '0x' } : frame;
}

/** A dump as JSON has whole paths, where a record has them as py-spy shortens them (0.4.2): only the file's own name is in both. */
function hasWholePaths({ stacks }: Folded): boolean {
  return stacks.some(({ frames }) => frames.some(({ file, native }) => !native && file.startsWith('/')));
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function byRole({ stacks }: Folded): ReadonlyMap<string, readonly FoldedStack[]> {
  return groupBy(stacks, ({ role }) => role);
}

/** Half of all changes: what went from one place to another is counted once. A role of one capture is all change. */
function changeOf({ classes, stacks }: RoleDiff): number {
  const [first] = stacks;
  if (first && first.points === undefined) return 100;
  const moved = (of: readonly ShareChange<unknown>[]) =>
    of.reduce((all, { points = 0 }) => all + Math.abs(points), 0) / 2;
  return Math.max(moved(classes), moved(stacks));
}

function countOf({ beforeCount = 0, afterCount = 0 }: RoleDiff): number {
  return beforeCount + afterCount;
}

function shareIn({ before = 0, after = 0 }: ShareChange<unknown>): number {
  return Math.max(before, after);
}
