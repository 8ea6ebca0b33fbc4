import { describe, expect, it } from 'vitest';
import { clip, flow, headerLine, placeColumns, rowLine, type Column } from '../../../src/ui/parts/table.ts';
import { fitText } from '../../../src/ui/parts/width.ts';

type Row = { readonly a: string; readonly b: string };
const columns: readonly Column<Row>[] = [
  { title: 'A', width: 4, priority: 0, cell: ({ a }, w) => ({ text: fitText(a, w) }) },
  { title: 'GROWS', width: 4, maxWidth: 10, priority: 2, cell: ({ b }, w) => ({ text: fitText(b, w), tone: 'ok' }) },
  { title: 'C', width: 3, align: 'right', priority: 1, cell: (_, w) => ({ text: 'c'.padStart(w) }) },
];
const titles = (width: number) =>
  placeColumns(columns, width).map(({ column, width: size }) => `${column.title}${size}`);
const plain = (line: readonly { text: string }[]) => line.map(({ text }) => text).join('');

describe('placeColumns', () => {
  it('drops the highest priority first and never the one with 0', () => {
    expect(titles(13)).toEqual(['A4', 'GROWS4', 'C3']);
    expect(titles(12)).toEqual(['A4', 'C3']);
    expect(titles(7)).toEqual(['A4']);
    expect(titles(2)).toEqual(['A4']);
  });

  it('gives what is left to the growing ones, up to their most', () => {
    expect(titles(15)).toEqual(['A4', 'GROWS6', 'C3']);
    expect(titles(80)).toEqual(['A4', 'GROWS10', 'C3']);
  });
});

describe('rows', () => {
  it('stand under their titles', () => {
    const placed = placeColumns(columns, 15);
    expect(plain(headerLine(placed, 15))).toBe('A    GROWS    C');
    expect(plain(rowLine(placed, { a: 'long text', b: 'b' }, { width: 15 }))).toBe('lon… b        c');
    expect(headerLine(placed, 15, 'GROWS').map(({ tone }) => tone)).toEqual(['dim', 'title', 'dim']);
  });

  it('are one inverse segment of the whole width under the cursor', () => {
    const placed = placeColumns(columns, 20);
    expect(rowLine(placed, { a: 'a', b: 'b' }, { width: 25, inverse: true })).toEqual([
      { text: 'a    b            c      ', inverse: true },
    ]);
  });

  it('are cut when the narrowest columns are too wide', () => {
    expect(plain(rowLine(placeColumns(columns, 2), { a: 'abcd', b: '' }, { width: 2 }))).toBe('a…');
  });
});

describe('flow and clip', () => {
  it('leaves out what does not fit whole', () => {
    const pieces = [[{ text: 'one' }], [], [{ text: 'two' }], [{ text: 'three' }]];
    expect(plain(flow(pieces, 80))).toBe('one  two  three');
    expect(plain(flow(pieces, 10))).toBe('one  two');
    expect(plain(flow(pieces, 2))).toBe('o…');
    expect(plain(flow(pieces, 0))).toBe('');
  });

  it('cuts wide characters by cells', () => {
    expect(plain(clip([{ text: 'ab' }, { text: '日本語' }], 6))).toBe('ab日… ');
  });
});
