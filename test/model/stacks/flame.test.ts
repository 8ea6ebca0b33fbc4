import { describe, expect, test } from 'vitest';
import { layoutFlame, type FlameCell, type FlameLayout } from '../../../src/model/stacks/flame-layout.ts';
import { nodeInLayout, nodeInTree, pathOf, stepFlame } from '../../../src/model/stacks/flame-walk.ts';
import { flameTree, type FlameNode } from '../../../src/model/stacks/flame.ts';
import { searchStacks } from '../../../src/model/stacks/search.ts';
import { folded, foldedOf, frames, recorded } from './made.ts';

const small = foldedOf([
  { frames: frames('a (x.py:1)', 'main (x.py:9)'), count: 6, class: 'Python' },
  { frames: frames('b (x.py:2)', 'main (x.py:9)'), count: 3, class: 'lock wait' },
  { frames: frames('main (x.py:10)'), count: 1, class: 'Python' },
]);
const launch = folded([recorded('h200-launch_bound-record.txt')]);
const child = (node: FlameNode, ...labels: readonly string[]) =>
  labels.reduce((at, label) => at.children.find((each) => each.label.startsWith(label)) ?? at, node);

function* every(node: FlameNode): Generator<FlameNode> {
  yield node;
  for (const each of node.children) yield* every(each);
}

describe('the tree', () => {
  test('from outside in, lines put together, with what ended in each', () => {
    const root = flameTree(small.stacks);
    expect(root).toMatchObject({ label: 'all', count: 10, self: 0, class: 'Python' });
    const main = child(root, 'main', 'main');
    expect(main).toMatchObject({ label: 'main (x.py)', count: 10, self: 1, depth: 2 });
    expect(main.children.map(({ label, count, class: of }) => [label, count, of])).toEqual([
      ['a (x.py)', 6, 'Python'],
      ['b (x.py)', 3, 'lock wait'],
    ]);
  });

  test('from inside out, each line its own, under the levels that are asked for', () => {
    const root = flameTree(small.stacks, { order: 'innermost', lines: true, levels: ['process', 'thread'] });
    expect(pathOf(child(root, 'PID', 'MainThread', 'a', 'main')).map(({ label }) => label)).toEqual([
      'all',
      'PID 1',
      'MainThread (TID 1)',
      'a (x.py:1)',
      'main (x.py:9)',
    ]);
  });

  test('of a real record no count is lost, whichever way', () => {
    for (const order of ['outermost', 'innermost'] as const) {
      const root = flameTree(launch.stacks, { order });
      expect(root.count).toBe(launch.count);
      for (const node of every(root))
        expect(node.self + node.children.reduce((sum, { count }) => sum + count, 0)).toBe(node.count);
    }
  });

  test('a stack as deep as Python lets it be does not break it', () => {
    const deep = frames(...Array.from({ length: 5000 }, (_, i) => `f${i} (deep.py:1)`));
    const root = flameTree(foldedOf([{ frames: deep }]).stacks);
    expect(layoutFlame(root, { width: 80 }).rows).toHaveLength(5002);
  });
});

describe('the layout', () => {
  const draw = ({ rows, width }: FlameLayout) =>
    rows.map((row) => {
      const line = Array.from({ length: width }, () => '.');
      for (const { node, x, width: wide, merged } of row)
        for (let i = 0; i < wide; i++) line[x + i] = merged === undefined ? (node.label[0] ?? '?') : '+';
      return line.join('');
    });

  test('cells are shares, and what ended in a node is free', () => {
    expect(draw(layoutFlame(flameTree(small.stacks), { width: 20 }))).toEqual([
      'aaaaaaaaaaaaaaaaaaaa',
      'mmmmmmmmmmmmmmmmmmmm',
      'mmmmmmmmmmmmmmmmmmmm',
      'aaaaaaaaaaaabbbbbb..',
    ]);
  });

  test('too narrow ones are put together, and can be zoomed into', () => {
    const stacks = ['w', 'x', 'y', 'z'].map((name, i) => ({
      frames: frames(`${name} (t.py:1)`),
      count: i === 0 ? 97 : 1,
    }));
    const root = flameTree(foldedOf(stacks).stacks, { levels: [] });
    const layout = layoutFlame(root, { width: 40 });
    expect(draw(layout)[1]).toBe(`${'w'.repeat(39)}+`);
    const rest = layout.rows[1]?.[1];
    expect(rest).toMatchObject({ merged: 3, node: { label: '… 3 more', count: 3 } });
    const zoomed = layoutFlame(root, { width: 40, zoom: rest?.node as FlameNode });
    expect(draw(zoomed)).toEqual([
      'a'.repeat(40),
      '…'.repeat(40),
      `${'x'.repeat(13)}${'y'.repeat(14)}${'z'.repeat(13)}`,
    ]);
    expect(stepFlame(zoomed, zoomed.zoom, 'up')).toBe(root);
    expect(stepFlame(zoomed, stepFlame(zoomed, zoomed.zoom, 'down'), 'up')).toBe(zoomed.zoom);
  });

  test('a zoom gives a node and those above it the whole width', () => {
    const root = flameTree(small.stacks);
    const zoom = child(root, 'main', 'main', 'b');
    expect(draw(layoutFlame(root, { width: 10, zoom }))).toEqual([
      'aaaaaaaaaa',
      'mmmmmmmmmm',
      'mmmmmmmmmm',
      'bbbbbbbbbb',
    ]);
  });

  test.each([2, 20, 37, 76, 200])('%i cells: nothing overlaps, leaves its caller or is out of reach', (width) => {
    const root = flameTree(launch.stacks);
    const layout = layoutFlame(root, { width });
    const inside = (outer: FlameCell, { x, width: wide }: FlameCell) =>
      outer.x <= x && x + wide <= outer.x + outer.width;
    for (const [i, row] of layout.rows.entries()) {
      for (const [j, cell] of row.entries()) {
        expect(cell.width).toBeGreaterThan(0);
        const next = row[j + 1];
        if (next) expect(next.x).toBeGreaterThanOrEqual(cell.x + cell.width);
        if (i > 0) expect(layout.rows[i - 1]?.some((outer) => inside(outer, cell))).toBe(true);
        // What is called is below, at least as a part of what was put together.
        if (cell.merged === undefined && cell.node.children.length > 0)
          expect(layout.rows[i + 1]?.some((inner) => inside(cell, inner))).toBe(true);
      }
    }
  });
});

describe('the cursor', () => {
  test('goes down to the widest, sideways along the row, and up again', () => {
    const root = flameTree(small.stacks);
    const layout = layoutFlame(root, { width: 20 });
    const main = stepFlame(layout, stepFlame(layout, root, 'down'), 'down');
    const a = stepFlame(layout, main, 'down');
    const b = stepFlame(layout, a, 'right');
    expect([main, a, b].map(({ label }) => label)).toEqual(['main (x.py)', 'a (x.py)', 'b (x.py)']);
    expect(stepFlame(layout, b, 'right')).toBe(b);
    expect(stepFlame(layout, b, 'left')).toBe(a);
    expect(stepFlame(layout, b, 'up')).toBe(main);
    expect(stepFlame(layout, root, 'up')).toBe(root);
  });

  test('every cell of a real record can be reached from the root', () => {
    const root = flameTree(launch.stacks);
    const layout = layoutFlame(root, { width: 76 });
    const seen = new Set<FlameNode>([root]);
    for (const node of seen)
      for (const step of ['down', 'left', 'right'] as const) seen.add(stepFlame(layout, node, step));
    expect(seen.size).toBe(layout.rows.flat().length);
  });

  test('what is not there any more leaves it at the nearest above', () => {
    const root = flameTree(small.stacks);
    const b = child(root, 'main', 'main', 'b');
    const zoom = child(root, 'main', 'main', 'a');
    expect(nodeInLayout(layoutFlame(root, { width: 20, zoom }), b)).toBe(child(root, 'main', 'main'));
    const found = flameTree(searchStacks(small, 'b (x').stacks);
    expect(nodeInTree(found, zoom).label).toBe('main (x.py)');
    expect(nodeInTree(found, b)).toBe(child(found, 'main', 'main', 'b'));
  });
});
