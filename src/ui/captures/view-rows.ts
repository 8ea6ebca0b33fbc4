import type { CaptureKind } from '../../model/samples.ts';
import type { Folded } from '../../model/stacks/fold.ts';
import { groupStacks, type Grouping, type MergedStack, type StackGroup } from '../../model/stacks/group.ts';
import { oddRanks, type RankComparison } from '../../model/stacks/odd-ranks.ts';
import { searchStacks } from '../../model/stacks/search.ts';
import type { Reading } from '../reading-state.ts';
import type { ReadCapture } from './select.ts';

/** A row of the stacks view: ranks that differ, a group, or one of its stacks. */
export type StackRow =
  | { readonly kind: 'odd'; readonly comparison: RankComparison }
  | { readonly kind: 'group'; readonly group: StackGroup }
  | {
      readonly kind: 'stack';
      readonly group: StackGroup;
      readonly stack: MergedStack;
      /** The only one of its group: they share a row. */
      readonly alone: boolean;
    };

/** How the stacks of a capture are grouped: as the user chose, else threads of one dump, roles of all else. */
export function groupingOf({ capture, folded }: ReadCapture, { by }: Pick<Reading, 'by'>): Grouping {
  if (by) return by;
  const kinds: readonly CaptureKind[] = ['dump', 'native'];
  return kinds.includes(capture.what) && folded.processes.length < 2 ? 'thread' : 'role';
}

/** The rows: ranks that are odd on top, then the groups. Made once for each way to look at a capture. */
export function stackRows(read: ReadCapture, reading: Pick<Reading, 'by' | 'search'>): readonly StackRow[] {
  const by = groupingOf(read, reading);
  const key = `${by} ${reading.search}`;
  const known = made.get(read.folded);
  if (known?.key === key) return known.rows;
  const rows = makeRows(read.folded, by, reading.search);
  made.set(read.folded, { key, rows });
  return rows;
}

/** What is left of a capture by the search. */
export function searched(folded: Folded, search: string): Folded {
  if (search === '') return folded;
  const known = found.get(folded);
  if (known?.search === search) return known.folded;
  const left = searchStacks(folded, search);
  found.set(folded, { search, folded: left });
  return left;
}

const made = new WeakMap<Folded, { readonly key: string; readonly rows: readonly StackRow[] }>();
const found = new WeakMap<Folded, { readonly search: string; readonly folded: Folded }>();

function makeRows(folded: Folded, by: Grouping, search: string): readonly StackRow[] {
  const odd = oddRanks(folded)
    .filter((comparison) => comparison.odd.length > 0)
    .map((comparison): StackRow => ({ kind: 'odd', comparison }));
  const groups = groupStacks(searched(folded, search), by).flatMap((group): readonly StackRow[] => {
    const [first] = group.stacks;
    if (group.stacks.length === 1 && first) return [{ kind: 'stack', group, stack: first, alone: true }];
    const stacks = group.stacks.map((stack): StackRow => ({ kind: 'stack', group, stack, alone: false }));
    return [{ kind: 'group', group }, ...stacks];
  });
  return search === '' ? [...odd, ...groups] : groups;
}
