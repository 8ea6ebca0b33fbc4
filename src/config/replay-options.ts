import { z } from 'zod';
import { tapeSpeeds } from '../model/tape.ts';
import { checkOptions, UsageFault } from './check-options.ts';

/** How a recording is played, checked. */
export interface ReplayOptions {
  readonly speed: number;
  /** As it was written; absent: the start. */
  readonly at?: string;
  readonly loop: boolean;
  readonly paused: boolean;
}

const speeds = `${tapeSpeeds.slice(0, -1).join(', ')} or ${tapeSpeeds.at(-1)}`;

const schema = z.object({
  speed: z.coerce
    .number(`is ${speeds}`)
    .refine((speed) => tapeSpeeds.includes(speed), `is ${speeds}`)
    .default(1),
  at: z.string().min(1, 'is empty').optional(),
  loop: z.boolean().default(false),
  paused: z.boolean().default(false),
});

/** Checks what commander gathered. Throws a UsageFault that names the option. */
export function readReplayOptions(raw: Record<string, unknown>): ReplayOptions {
  const { at, ...rest } = checkOptions(schema, raw, 'replay');
  return Object.freeze({ ...rest, ...(at !== undefined && { at }) });
}

/** What is about a host is not ignored where a recording was named. `given` are the options as they are written. */
export function refuseHostOptions(path: string, given: readonly string[]): void {
  const [option] = given;
  if (option === undefined) return;
  throw new UsageFault(`${option} is about a host, and ${path} is a recording; leave ${option} out.`);
}
