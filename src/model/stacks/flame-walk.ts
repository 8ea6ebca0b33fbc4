import type { FlameNode } from './flame.ts';
import type { FlameCell, FlameLayout } from './flame-layout.ts';
import { functionKey } from './intern.ts';

/** What the arrow keys do. */
export type FlameStep = 'up' | 'down' | 'left' | 'right';

/** Where the cursor goes: to the caller, to the widest that is called, to the neighbour in the row. Stays where there is none. */
export function stepFlame({ rows }: FlameLayout, from: FlameNode, step: FlameStep): FlameNode {
  const at = findCell(rows, from);
  if (!at) return rows[0]?.[0]?.node ?? from;
  const { row, index, cell } = at;
  if (step === 'left' || step === 'right') return rows[row]?.[index + (step === 'left' ? -1 : 1)]?.node ?? from;
  if (step === 'up') return rows[row - 1]?.find((other) => covers(other, cell))?.node ?? from;
  let widest: FlameCell | undefined;
  for (const other of rows[row + 1] ?? []) {
    if (covers(cell, other) && !(widest && widest.width >= other.width)) widest = other;
  }
  return widest?.node ?? from;
}

/** The node of a layout that stands for a node: itself, else the nearest above it that is there. */
export function nodeInLayout(layout: FlameLayout, node: FlameNode): FlameNode {
  for (let each: FlameNode | undefined = node; each; each = each.parent) {
    const at = findCell(layout.rows, each);
    if (at) return at.cell.node;
  }
  return layout.zoom;
}

/** The node of another tree (of a newer capture, of a search) that stands in the same place, else the nearest above it. */
export function nodeInTree(root: FlameNode, node: FlameNode): FlameNode {
  let found = root;
  for (const step of pathOf(node).slice(1)) {
    const next = found.children.find((child) => isSamePlace(child, step));
    if (!next) break;
    found = next;
  }
  return found;
}

/** From the root to a node: what is read above the flame. */
export function pathOf(node: FlameNode): readonly FlameNode[] {
  const path: FlameNode[] = [];
  for (let each: FlameNode | undefined = node; each; each = each.parent) path.unshift(each);
  return path;
}

function covers(outer: FlameCell, inner: FlameCell): boolean {
  return outer.x <= inner.x && inner.x + inner.width <= outer.x + outer.width;
}

/** A row is no depth: below what was put together, nodes stand lower. */
function findCell(rows: FlameLayout['rows'], node: FlameNode) {
  for (const [row, cells] of rows.entries()) {
    const index = cells.findIndex((cell) => isSameNode(cell.node, node));
    const cell = cells[index];
    if (cell) return { row, index, cell };
  }
  return undefined;
}

/** What was put together is made anew by each layout. */
function isSameNode(a: FlameNode, b: FlameNode): boolean {
  return a === b || (isMerged(a) && isMerged(b) && a.parent === b.parent && a.children.at(-1) === b.children.at(-1));
}

function isMerged({ children, depth }: FlameNode): boolean {
  return children[0]?.depth === depth;
}

function isSamePlace(a: FlameNode, b: FlameNode): boolean {
  return a.frame && b.frame ? functionKey(a.frame) === functionKey(b.frame) : a.label === b.label;
}
