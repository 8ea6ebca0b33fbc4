import { z } from 'zod';
import { checkOptions } from '../../config/check-options.ts';
import { readConfigFile } from '../../config/config-file.ts';
import { logPatternText } from '../../config/log-table.ts';
import type { LogPattern } from '../../model/log-patterns.ts';

/** What `traintop logs` is asked for, checked. */
export interface LogsOptions {
  /** `-`: standard input. */
  readonly path: string;
  /** An object a record, instead of text for people. */
  readonly json: boolean;
  /** The log is read as this one. */
  readonly format?: string;
  /** A pattern that is tried: it comes before those of the user's file. */
  readonly tried?: LogPattern;
  /** Of the user's file. */
  readonly patterns: readonly LogPattern[];
}

const schema = z.object({
  json: z.boolean().default(false),
  format: z.string().min(1, 'is empty').optional(),
  try: logPatternText.optional(),
  config: z.string().min(1, 'is empty').optional(),
});

/** Checks what commander gathered. Throws a UsageFault that names the option, or the file and its key. */
export function readLogsOptions(path: string, raw: Record<string, unknown>): LogsOptions {
  const { json, format, try: pattern, config } = checkOptions(schema, raw, 'logs');
  return {
    path,
    json,
    ...(format !== undefined && { format }),
    ...(pattern && { tried: { name: 'try', pattern } }),
    patterns: readConfigFile(config).logPatterns,
  };
}
