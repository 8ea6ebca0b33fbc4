/**
 * The rows in view, so that the cursor is among them: the list moves by whole pages' middles, the cursor in the middle where it
 * can, so that a list needs no memory of where it stood.
 */
export function visibleRows(init: {
  readonly count: number;
  readonly height: number;
  readonly cursor: number;
}): readonly number[] {
  const { count, height, cursor } = init;
  const first = Math.max(0, Math.min(cursor - Math.floor(height / 2), count - height));
  return Array.from({ length: Math.max(0, Math.min(height, count - first)) }, (_, i) => first + i);
}
