import type { z } from 'zod';

/** A wrong option as one sentence; commands exit with 2. */
export class UsageFault extends Error {
  override name = 'UsageFault';
}

/** What commander gathered for `traintop COMMAND`, as the schema has it. Throws a UsageFault that names the option as it is written. */
export function checkOptions<T extends z.ZodType>(schema: T, raw: unknown, command?: string): z.output<T> {
  const result = schema.safeParse(raw);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const name = String(issue?.path[0] ?? 'option').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const help = ['traintop', ...(command === undefined ? [] : [command]), '--help'].join(' ');
  throw new UsageFault(`--${name} ${issue?.message ?? 'is wrong'}; see ${help}.`);
}
