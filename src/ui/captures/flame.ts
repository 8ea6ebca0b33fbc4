import { layoutFlame, type FlameLayout } from '../../model/stacks/flame-layout.ts';
import { flameTree, type FlameNode } from '../../model/stacks/flame.ts';
import { nodeInTree } from '../../model/stacks/flame-walk.ts';
import type { Folded } from '../../model/stacks/fold.ts';
import type { Reading } from '../reading-state.ts';
import type { ReadCapture } from './select.ts';
import { groupingOf, searched } from './view-rows.ts';

/** The flame of a capture at this width: made once for each way to look at it. */
export function flameOf(read: ReadCapture, reading: Reading, width: number): FlameLayout {
  const root = treeOf(read, reading);
  const zoom = reading.flame.zoom ? nodeInTree(root, reading.flame.zoom) : root;
  const known = layouts.get(root);
  if (known?.width === width && known.zoom === zoom) return known;
  const layout = layoutFlame(root, { width, zoom });
  layouts.set(root, layout);
  return layout;
}

function treeOf(read: ReadCapture, reading: Reading): FlameNode {
  const folded = searched(read.folded, reading.search);
  // In the flame the outermost frame is above: turned over, what ran is.
  const order = reading.order === 'innermost' ? 'outermost' : 'innermost';
  const level = groupingOf(read, reading);
  const key = `${order} ${level}`;
  const known = trees.get(folded);
  if (known?.key === key) return known.root;
  const root = flameTree(folded.stacks, { order, levels: [level] });
  trees.set(folded, { key, root });
  return root;
}

const layouts = new WeakMap<FlameNode, FlameLayout>();
const trees = new WeakMap<Folded, { readonly key: string; readonly root: FlameNode }>();
