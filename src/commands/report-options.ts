import { z } from 'zod';
import { checkOptions } from '../config/check-options.ts';

/** What `traintop report` is asked for, checked. Times are as they were written. */
export interface ReportOptions {
  /** `-` or absent: Markdown to standard output. */
  readonly output?: string | undefined;
  /** Another recording. */
  readonly against?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** What the file of a report may be called. */
const reportName = z
  .string()
  .regex(/^-$|\.(?:html?|md|markdown)$/i, 'ends in .html or .md, or is - for Markdown to standard output');

const given = z.string().min(1, 'is empty').optional();
const schema = z.object({ output: reportName.optional(), against: given, from: given, to: given });

/** Checks what commander gathered. Throws a UsageFault that names the option. */
export function readReportOptions(raw: Record<string, unknown>): ReportOptions {
  return checkOptions(schema, raw, 'report');
}
