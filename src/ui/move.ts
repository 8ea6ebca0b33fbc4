/** Where a cursor goes: by rows, or to an end. */
export type Move = number | 'first' | 'last';

/** A step of a cursor over `count` rows. */
export interface Step {
  readonly move: Move;
  readonly count: number;
}

/** Where the cursor is after it. */
export function to(cursor: number, { move, count }: Step): number {
  const last = Math.max(0, count - 1);
  if (move === 'first') return 0;
  if (move === 'last') return last;
  // Rows may have gone since the cursor was put there.
  return Math.min(last, Math.max(0, Math.min(cursor, last) + move));
}
