import { mostTime } from '../model/moment.ts';
import { safeText } from '../model/text.ts';
import { limits } from './limits.ts';

/**
 * Reads what JSON.parse made of a line as a T, or throws a Misfit. Nothing of a recording reaches the model past one: a file may be
 * hostile. `exact` is never there; by it the compiler tells a shape of a part of T from one of T.
 */
export type Shape<T> = ((value: unknown) => T) & { readonly exact?: (value: T) => void };

/** What a field that may be missing is told by. */
export interface Optional<T> {
  readonly optional: Shape<T>;
}

/** For every field of T its shape: one that T gets later and has no shape is an error of the compiler. */
export type Fields<T> = {
  readonly [K in keyof T]-?: Record<never, never> extends Pick<T, K> ? Optional<Exclude<T[K], undefined>> : Shape<T[K]>;
};

/** A field of any type, that may be missing or not. */
export type Field = ((value: unknown) => unknown) | { readonly optional: (value: unknown) => unknown };

/** A value is not what it should be. */
export class Misfit extends Error {
  override name = 'Misfit';
}

/** Numbers that JSON does not have are the texts of this table in a line (`-0` too: it comes back as it was). */
const namedNumbers: ReadonlyMap<unknown, number> = new Map([
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
  ['-0', -0],
]);

/** Any number. */
export const number: Shape<number> = (value) => {
  if (typeof value === 'number') return value;
  const named = namedNumbers.get(value);
  if (named === undefined) throw new Misfit('a number is none');
  return named;
};

/** Epoch ms, or others that Date can have. */
export const moment: Shape<number> = (value) => {
  if (typeof value !== 'number' || Math.abs(value) > mostTime) throw new Misfit('a time is none');
  return value;
};

/** Between two frames, ms: one that makes a clock run wild is brought within bounds. */
export const interval: Shape<number> = (value) => Math.min(3_600_000, Math.max(100, number(value) || 1000));

/** A text, made safe for a terminal. */
export const text: Shape<string> = (value) => {
  if (typeof value !== 'string' || value.length > limits.text.value) throw new Misfit('a text is none, or too long');
  return safeText(value);
};

/** True or false. */
export const flag: Shape<boolean> = (value) => {
  if (typeof value !== 'boolean') throw new Misfit('a flag is none');
  return value;
};

/** True, where false is said by the field's absence. */
export const yes: Shape<true> = (value) => {
  if (value !== true) throw new Misfit('a flag is none');
  return value;
};

/** One of these names; all of T are to be there. */
export function oneOf<T extends string>(names: Readonly<Record<T, true>>): Shape<T> {
  return (value) => {
    if (typeof value !== 'string' || !Object.hasOwn(names, value)) throw new Misfit('a name is none of those known');
    return value as T;
  };
}

/** A cell that may be unknown. */
export function orNull<T>(shape: Shape<T>): Shape<T | null> {
  return (value) => (value === null ? null : shape(value));
}

/** The field may be missing. */
export function optional<T>(shape: Shape<T>): Optional<T> {
  return { optional: shape };
}

/** A list of equals. */
export function list<T>(shape: Shape<T>): Shape<readonly T[]> {
  return (value) => listOf(value).map((each) => shape(each));
}

/** Two values in a list, as Map's entries are. */
export function pair<A, B>(first: Shape<A>, second: Shape<B>): Shape<readonly [A, B]> {
  return (value) => {
    const both = listOf(value);
    return [first(both[0]), second(both[1])];
  };
}

/** Equals by their names. */
export function record<T>(shape: Shape<T>): Shape<Readonly<Record<string, T>>> {
  return (value) => {
    const entries = Object.entries(objectOf(value));
    if (entries.length > limits.rows.value) throw new Misfit('a record has too many names');
    return Object.fromEntries(entries.map(([name, each]) => [text(name), shape(each)]));
  };
}

/** An object of these fields; what else it has is left out. */
export function object<T extends object>(fields: Fields<T>): Shape<T> {
  const all = Object.entries(fields as Readonly<Record<string, Field>>);
  return (value) => {
    const from = objectOf(value);
    const made: Record<string, unknown> = {};
    for (const [name, field] of all) {
      const given = Object.hasOwn(from, name) ? from[name] : undefined;
      if (typeof field === 'function') made[name] = field(given);
      else if (given !== undefined) made[name] = field.optional(given);
    }
    return made as T;
  };
}

/** Whatever JSON can say, its texts made safe. Lines are bounded in depth and size before they come here. */
export const anything: Shape<unknown> = (value) => {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return value.map(anything);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [text(name), anything(each)]));
};

/** The value as a list of a bearable length. */
export function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value) || value.length > limits.rows.value) throw new Misfit('a list is none, or too long');
  return value as readonly unknown[];
}

/** The value as an object. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Misfit('an object is none');
  return value as Readonly<Record<string, unknown>>;
}
