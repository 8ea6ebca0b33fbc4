import type { StackClass } from '../classes/names.ts';
import type { FlameNode } from './flame.ts';

/** A flame tree fitted to cells: the root's row first, what is called below it. */
export interface FlameLayout {
  readonly rows: readonly (readonly FlameCell[])[];
  readonly width: number;
  /** The node that has the whole width; those above it do too. */
  readonly zoom: FlameNode;
}

/** A node in cells. */
export interface FlameCell {
  readonly node: FlameNode;
  readonly x: number;
  readonly width: number;
  /** How many nodes it stands for that are too narrow: `…`. Its node has them as children, and can be zoomed into. */
  readonly merged?: number;
}

/** How a tree is fitted. */
export interface FlameSize {
  readonly width: number;
  /** Has the whole width; the root unless said. */
  readonly zoom?: FlameNode;
  /** Narrower nodes are put together, if there are two or more. At least 2. */
  readonly minWidth?: number;
}

/** Fits a tree to cells. What is left free at the end of a node is what ended in it. */
export function layoutFlame(root: FlameNode, { width, zoom = root, minWidth = 3 }: FlameSize): FlameLayout {
  const above: FlameNode[] = [];
  for (let node: FlameNode | undefined = zoom; node; node = node.parent) above.unshift(node);
  const rows: (readonly FlameCell[])[] = above.map((node) => [{ node, x: 0, width }]);
  let row: readonly FlameCell[] = rows.at(-1) ?? [];
  while (row.length > 0) {
    row = row.flatMap((cell) => (cell.merged === undefined ? childCells(cell, Math.max(2, minWidth)) : []));
    if (row.length > 0) rows.push(row);
  }
  return { rows, width, zoom };
}

/** Borders are rounded, not widths: so no cell is lost or counted twice. */
function childCells({ node, x, width }: FlameCell, minWidth: number): readonly FlameCell[] {
  const { children, weight } = node;
  const border = (part: number) => x + Math.round((part / weight) * width);
  const cells: FlameCell[] = [];
  let part = 0;
  let kept = 0;
  for (const child of children) {
    if (child.weight * width < minWidth * weight) break;
    const from = border(part);
    part += child.weight;
    cells.push({ node: child, x: from, width: border(part) - from });
    kept++;
  }
  const rest = children.slice(kept);
  const [only] = rest;
  if (!only) return cells;
  const [start, end] = [border(part), border(rest.reduce((all, child) => all + child.weight, part))];
  // A cell is there even for the least, so that nothing is out of reach: the last that has more than it needs gives one.
  const last = cells.at(-1);
  const full = end === start && start === x + width;
  if (full && last) cells[cells.length - 1] = { ...last, width: last.width - 1 };
  const place = { x: full ? start - 1 : start, width: Math.max(1, end - start) };
  return [
    ...cells,
    rest.length === 1 ? { node: only, ...place } : { node: mergedNode(node, rest), ...place, merged: rest.length },
  ];
}

function mergedNode(parent: FlameNode, children: readonly FlameNode[]): FlameNode {
  const classes = new Map<StackClass, number>();
  let [count, weight] = [0, 0];
  for (const child of children) {
    count += child.count;
    weight += child.weight;
    classes.set(child.class, (classes.get(child.class) ?? 0) + child.weight);
  }
  const [most] = [...classes].sort((a, b) => b[1] - a[1]);
  return {
    label: `… ${children.length} more`,
    count,
    weight,
    self: 0,
    selfWeight: 0,
    class: most?.[0] ?? 'unknown',
    parent,
    depth: parent.depth + 1,
    children,
  };
}
