import { z } from 'zod';
import { checkOptions, UsageFault } from './check-options.ts';

/** What `traintop export` is asked for, checked. Times are as they were written. */
export interface ExportOptions {
  /** Absent: as the name of the file ends, else csv; a list is a table for people. */
  readonly format?: 'csv' | 'jsonl';
  /** Absent: standard output. */
  readonly output?: string;
  /** Of the names of series, with `*` and `?`; none: all but those of single threads and processes. */
  readonly series: readonly string[];
  /** 0: a row for each time at which something was measured. Absent: the interval of the recording. */
  readonly everyMs?: number;
  readonly from?: string;
  readonly to?: string;
  /** The names of the series instead of their values. */
  readonly list: boolean;
  /** Events and marks instead of series. */
  readonly events: boolean;
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

const schema = z.object({
  format: z.enum(['csv', 'jsonl'], 'is csv or jsonl').optional(),
  output: z.string().min(1, 'is empty').optional(),
  series: z.array(z.string().min(1, 'is empty')).default([]),
  every: z
    .string()
    .transform((text, context) => {
      if (text === 'sample') return 0;
      const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? [];
      const ms = Math.round(Number(number) * (units[unit] ?? NaN));
      if (ms >= 100 && ms <= 86_400_000) return ms;
      context.addIssue({ code: 'custom', message: 'is a time from 100ms to 24h, such as 1s, 10s or 5m, or sample' });
      return z.NEVER;
    })
    .optional(),
  from: z.string().min(1, 'is empty').optional(),
  to: z.string().min(1, 'is empty').optional(),
  list: z.boolean().default(false),
  events: z.boolean().default(false),
});

/** Checks what commander gathered. Throws a UsageFault that names the option. */
export function readExportOptions(raw: Record<string, unknown>): ExportOptions {
  const { every, list, events, series, ...rest } = checkOptions(schema, raw, 'export');
  const idle = events
    ? [list && '--list', series.length > 0 && '--series', every !== undefined && '--every'].find(Boolean)
    : list && every !== undefined && '--every';
  if (idle)
    throw new UsageFault(`${idle} makes no sense with ${events ? '--events' : '--list'}; leave one of them out.`);
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  return Object.freeze({ ...given, series, list, events, ...(every !== undefined && { everyMs: every }) });
}
