import { isDeepStrictEqual } from 'node:util';
import type { Kind } from './kind.ts';
import { limits } from './limits.ts';
import { listOf, Misfit, orNull, number } from './shape.ts';

/** A Sample of columns: those of its kind are lists of one length. */
export type Columns = Readonly<Record<string, readonly unknown[] | undefined>>;

interface Writing {
  readonly kind: Kind;
  readonly now: Columns;
  readonly last: Columns | undefined;
}

interface Reading {
  readonly kind: Kind;
  readonly said: Readonly<Record<string, unknown>>;
  readonly gone: ReadonlySet<unknown>;
  readonly last: Columns | undefined;
}

/**
 * What is new in a frame, as fields of its line: `rows`, where the rows of the last frame are now (missing: where they were); `at`,
 * the rows with a new value (missing: all); and of each column that has one, the values of those rows. Undefined: the columns are
 * not of one length.
 */
export function writeRows({ kind, now, last }: Writing): Readonly<Record<string, unknown>> | undefined {
  const names = Object.keys(kind.columns).filter((name) => now[name]);
  const count = countRows(kind, now);
  if (names.some((name) => now[name]?.length !== count)) return undefined;
  const from = last ? cameFrom({ kind, now, last }) : undefined;
  const isNew = new Uint8Array(count);
  const columns = names.filter((name) => {
    const [cells = [], before = last?.[name]] = [now[name]];
    let changed = before === undefined;
    for (let row = 0; row < count; row++) {
      const base = before?.[from ? (from[row] ?? -1) : row];
      if (before && isSame(cells[row], base)) continue;
      isNew[row] = 1;
      changed = true;
    }
    return changed;
  });
  const at = [...isNew.keys()].filter((row) => isNew[row]);
  const isAll = at.length === count;
  return {
    ...(from && { rows: toRuns(from) }),
    ...(!isAll && columns.length > 0 && { at }),
    ...Object.fromEntries(columns.map((name) => [name, isAll ? now[name] : at.map((row) => now[name]?.[row])])),
  };
}

/** The columns of a frame. Throws a Misfit. */
export function readRows({ kind, said, gone, last }: Reading): Columns {
  const from = said['rows'] === undefined ? undefined : fromRuns(said['rows'], last ? countRows(kind, last) : 0);
  const [key = ''] = kind.keys;
  const count = from?.length ?? (last ? countRows(kind, last) : listOf(said[key]).length);
  const at = said['at'] === undefined ? undefined : listOf(said['at']).map((row) => rowOf(row, count));
  const made: Record<string, readonly unknown[]> = {};
  for (const [name, column] of Object.entries(kind.columns)) {
    const shape = typeof column === 'function' ? column : column.optional;
    const before = gone.has(name) ? undefined : last?.[name];
    const given = said[name] === undefined ? undefined : listOf(said[name]);
    if (!given && !before) {
      if (typeof column === 'function') throw new Misfit('a column is missing');
      continue;
    }
    if (given && given.length !== (at?.length ?? count))
      throw new Misfit('a column has not as many values as it should');
    if (given && !at) made[name] = given.map(shape);
    else made[name] = merge({ before, from, count, given, at, shape });
  }
  return made;
}

interface Merging {
  readonly before: readonly unknown[] | undefined;
  readonly from: readonly number[] | undefined;
  readonly count: number;
  readonly given: readonly unknown[] | undefined;
  readonly at: readonly number[] | undefined;
  readonly shape: (value: unknown) => unknown;
}

function merge({ before, from, count, given, at = [], shape }: Merging): readonly unknown[] {
  // What did not change is the same list: a frame of 300 threads is a few lists more.
  if (!given && !from && before) return before;
  const cells = !from && before ? before.slice() : arrange({ before, from, count, told: new Set(given && at) });
  if (given) for (const [index, row] of at.entries()) cells[row] = shape(given[index]);
  return cells;
}

interface Arranging extends Pick<Merging, 'before' | 'from' | 'count'> {
  readonly told: ReadonlySet<number>;
}

/** The cells where they are now; those of rows that are new must be told. */
function arrange({ before, from, count, told }: Arranging): unknown[] {
  return Array.from({ length: count }, (_, row) => {
    const base = from ? (from[row] ?? -1) : row;
    if (before && base >= 0) return before[base];
    if (!told.has(row)) throw new Misfit('a row is new and has no value');
    return undefined;
  });
}

function countRows({ keys: [key = ''] }: Kind, frame: Columns): number {
  return frame[key]?.length ?? 0;
}

/** For each row of now, its row in the last frame, -1 for none; undefined: each is where it was. */
function cameFrom({ kind: { keys }, now, last }: Writing & { readonly last: Columns }): readonly number[] | undefined {
  const [key = ''] = keys;
  const [rows = [], before = []] = [now[key], last[key]];
  const isWhere = (row: number) => keys.every((name) => Object.is(now[name]?.[row], last[name]?.[row]));
  if (rows.length === before.length && rows.every((_, row) => isWhere(row))) return undefined;
  const nameOf = (frame: Columns, row: number) => keys.map((name) => String(frame[name]?.[row])).join('\n');
  const known = new Map<string, number[]>();
  before.forEach((_, row) => {
    const name = nameOf(last, row);
    const same = known.get(name);
    if (same) same.push(row);
    else known.set(name, [row]);
  });
  return rows.map((_, row) => known.get(nameOf(now, row))?.shift() ?? -1);
}

/** `[first row before, how many]` for each stretch; null for rows that are new. */
function toRuns(from: readonly number[]): readonly (readonly [number | null, number])[] {
  const runs: [number | null, number][] = [];
  from.forEach((row, at) => {
    const run = runs.at(-1);
    const isNext = row === -1 ? from[at - 1] === -1 : at > 0 && row > 0 && from[at - 1] === row - 1;
    if (run && isNext) run[1]++;
    else runs.push([row === -1 ? null : row, 1]);
  });
  return runs;
}

function fromRuns(said: unknown, before: number): readonly number[] {
  const rows: number[] = [];
  for (const run of listOf(said)) {
    const [first, count] = listOf(run);
    const start = orNull(number)(first);
    const length = rowOf(count, limits.rows.value + 1 - rows.length);
    if (start !== null && rowOf(start, before) + length > before) throw new Misfit('a row is none of those before');
    for (let n = 0; n < length; n++) rows.push(start === null ? -1 : start + n);
  }
  const kept = rows.filter((row) => row >= 0);
  // Else some characters would make a frame of any size.
  if (new Set(kept).size < kept.length) throw new Misfit('a row is there twice');
  return rows;
}

function rowOf(value: unknown, count: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value >= count)
    throw new Misfit('a row is none of the frame');
  return value;
}

function isSame(a: unknown, b: unknown): boolean {
  return Object.is(a, b) || (typeof a === 'object' && a !== null && isDeepStrictEqual(a, b));
}
