/** Where a cursor goes: by rows, or to an end. */
export type Move = number | 'first' | 'last';

/** A step of a cursor over `count` rows. */
export interface Step {
  readonly move: Move;
  readonly count: number;
  /** The first row that is still there (0). */
  readonly from?: number;
}

/** Where the cursor is after it. */
export function to(cursor: number, { move, count, from = 0 }: Step): number {
  const last = Math.max(from, count - 1);
  if (move === 'first') return from;
  if (move === 'last') return last;
  // Rows may have gone since the cursor was put there.
  return Math.min(last, Math.max(from, Math.min(Math.max(cursor, from), last) + move));
}
