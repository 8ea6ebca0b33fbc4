import type { StackClass } from '../../model/classes/names.ts';
import type { StackFrame } from '../../model/stacks.ts';
import { diffFolded, type RoleDiff, type ShareChange } from '../../model/stacks/diff.ts';
import type { Folded } from '../../model/stacks/fold.ts';
import type { State } from '../../model/store.ts';
import type { Reading, ReadingView } from '../reading-state.ts';
import { readCapture, type ReadCapture } from './select.ts';
import { searched, stackRows, type StackRow } from './view-rows.ts';

/** A row of any view of a capture. */
export type ReadingRow =
  | StackRow
  /** `same`: nothing in it differs. */
  | { readonly kind: 'role'; readonly diff: RoleDiff; readonly same: boolean }
  | { readonly kind: 'class'; readonly diff: RoleDiff; readonly change: ShareChange<StackClass> }
  | { readonly kind: 'change'; readonly diff: RoleDiff; readonly change: ShareChange<readonly StackFrame[]> };

/** The rows of the capture that is read, in the view that is chosen. */
export function readingRows(state: State, reading: Reading): readonly ReadingRow[] {
  const read = readCapture(state, reading.capture, reading.saved);
  return read ? rowsOf(state, read, reading) : [];
}

/** The rows of one capture. */
export function rowsOf(state: State, read: ReadCapture, reading: Reading): readonly ReadingRow[] {
  const view = shownView(read, reading);
  if (view === 'gil') return stackRows({ ...read, folded: holdersOf(read.folded) }, reading);
  if (view !== 'difference') return stackRows(read, reading);
  const before = markedCapture(state, reading);
  return before ? diffRows(before.folded, read.folded, reading.search) : [];
}

/** What is shown of it: of a capture of GIL holders there is nothing else. */
export function shownView({ folded }: Pick<ReadCapture, 'folded'>, { view }: Pick<Reading, 'view'>): ReadingView {
  return view === 'stacks' && folded.gilOnly ? 'gil' : view;
}

/** The one that the user remembered. */
export function markedCapture(state: State, { marked }: Reading): ReadCapture | undefined {
  return marked && readCapture(state, marked.id, marked.saved);
}

/** Of a capture, what held the GIL: counts are looks that found it held, of all looks. */
function holdersOf(folded: Folded): Folded {
  const known = holders.get(folded);
  if (known) return known;
  const stacks = folded.stacks
    .flatMap((stack) => (stack.gil ? [{ ...stack, count: stack.gil }] : []))
    .sort((a, b) => b.count - a.count);
  const made = { ...folded, stacks, count: looksOf(folded) };
  holders.set(folded, made);
  return made;
}

/** How often all processes were looked at. */
function looksOf({ processes }: Folded): number {
  return processes.reduce((all, { samples }) => all + samples, 0);
}

const holders = new WeakMap<Folded, Folded>();

/** Smaller changes are chance. */
const leastPoints = 0.5;

function diffRows(before: Folded, after: Folded, search: string): readonly ReadingRow[] {
  const known = diffs.get(after);
  if (known?.before === before && known.search === search) return known.rows;
  const rows = diffFolded(searched(before, search), searched(after, search)).flatMap((diff): readonly ReadingRow[] => {
    const parts = [
      ...diff.classes.filter(isChange).map((change): ReadingRow => ({ kind: 'class', diff, change })),
      ...diff.stacks.filter(isChange).map((change): ReadingRow => ({ kind: 'change', diff, change })),
    ];
    return [{ kind: 'role', diff, same: parts.length === 0 }, ...parts];
  });
  diffs.set(after, { before, search, rows });
  return rows;
}

const diffs = new WeakMap<
  Folded,
  { readonly before: Folded; readonly search: string; readonly rows: readonly ReadingRow[] }
>();

function isChange({ points, only }: ShareChange<unknown>): boolean {
  return only !== undefined || Math.abs(points ?? 0) >= leastPoints;
}
