/**
 * The rows in view: the cursor is in the middle, but at the ends of the list, so that a list needs no memory of where it stood.
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
