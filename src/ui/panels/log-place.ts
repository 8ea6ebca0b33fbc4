/** A piece of a list in view: the rows of an item from `skip` on, `rows` of them. */
export interface Placed {
  readonly index: number;
  readonly skip: number;
  readonly rows: number;
}

/**
 * The items in view, of which each takes some rows: the item under the cursor stands at `share` of the height (0 = top, 1 = bottom), but
 * no room stays empty while there are items. Of an item that is higher than the view the beginning is shown.
 */
export function placeItems(init: {
  readonly count: number;
  readonly height: number;
  readonly cursor: number;
  readonly share: number;
  readonly rowsOf: (index: number) => number;
}): readonly Placed[] {
  const { count, height, cursor, share, rowsOf } = init;
  if (count === 0 || height < 1) return [];
  const own = Math.min(height, rowsOf(cursor));
  const spare = height - own;
  const wantedAbove = Math.round(spare * share);
  const below = fill(cursor + 1, 1, spare);
  const above = fill(cursor - 1, -1, Math.max(wantedAbove, spare - below.rows));
  const left = spare - above.rows;
  const placedAbove = above.placed.map(({ index, rows }) => ({ index, skip: rowsOf(index) - rows, rows })).reverse();
  const placedBelow = trimmed(below.placed, left).map(({ index, rows }) => ({ index, skip: 0, rows }));
  return [...placedAbove, { index: cursor, skip: 0, rows: own }, ...placedBelow];

  /** Items from `from` on, one way, until `most` rows are full. */
  function fill(from: number, step: 1 | -1, most: number) {
    const placed: { index: number; rows: number }[] = [];
    let rows = 0;
    for (let index = from; index >= 0 && index < count && rows < most; index += step) {
      const taken = Math.min(rowsOf(index), most - rows);
      placed.push({ index, rows: taken });
      rows += taken;
    }
    return { placed, rows };
  }
}

function trimmed<T extends { readonly rows: number }>(placed: readonly T[], most: number): readonly T[] {
  let left = most;
  return placed.flatMap((each) => {
    const rows = Math.min(left, each.rows);
    left -= rows;
    return rows > 0 ? [{ ...each, rows }] : [];
  });
}
