import { cellsOf } from './cells.ts';

/**
 * Stands for Ink's measure-text. Ink 7.1.1 keeps every text it ever measured in a Map that nothing empties: rows that
 * change every second would fill the memory in a night. Counting cells is cheaper than looking them up.
 */
export default function measureText(text: string): { readonly width: number; readonly height: number } {
  if (text === '') return { width: 0, height: 0 };
  return { width: widestLine(text), height: text.split('\n').length };
}

/** Stands for the package widest-line: the cells of the widest row of a text. */
export function widestLine(text: string): number {
  if (!text.includes('\n')) return cellsOf(text);
  return text.split('\n').reduce((widest, row) => Math.max(widest, cellsOf(row)), 0);
}
