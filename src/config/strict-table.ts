import { z } from 'zod';

/** A table of the configuration; a key that it has not is refused with those that it has. */
export function strictTable<T extends z.ZodRawShape>(shape: T, what = 'is a table') {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `has no ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}; what it can have: ${Object.keys(shape).join(', ')}`
        : what,
  });
}
