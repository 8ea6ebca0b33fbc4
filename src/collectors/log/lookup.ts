/** A table that is asked by words of a log or of the user: without what every object has, as `constructor`. */
export function lookup<T>(entries: Readonly<Record<string, T>>): Readonly<Partial<Record<string, T>>> {
  return Object.assign(Object.create(null) as Record<string, T>, entries);
}
