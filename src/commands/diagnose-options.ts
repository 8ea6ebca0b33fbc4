import { z } from 'zod';
import { checkOptions, UsageFault } from '../config/check-options.ts';
import { fileNames, readFileOptions, type FileOptions } from './import-options.ts';

/** What `traintop diagnose` is asked for, checked. */
export interface DiagnoseOptions {
  /** A recording (no path: the newest that was made), or saved output. */
  readonly from: { readonly recording?: string } | { readonly saved: FileOptions };
  /** The moment as it was written. Absent: the end, or the moment before the run's. */
  readonly at?: string;
  readonly json: boolean;
  /** What rules were asked with, too. */
  readonly signals: boolean;
}

const schema = z.object({
  at: z.string().min(1, 'is empty').optional(),
  json: z.boolean().default(false),
  signals: z.boolean().default(false),
});

const files = ['top', 'nvidiaSmi', 'dmon', 'stat', 'pidstat', 'log', 'stacks'];
/** These are about them. */
const aboutFiles = ['logFormat', 'config', 'pid', 'nvidiaSmiFields', 'utcOffset', 'date', 'step'];

/** Checks what commander gathered. Throws a UsageFault that names the option. */
export function readDiagnoseOptions(path: string | undefined, raw: Record<string, unknown>): DiagnoseOptions {
  const { at, ...rest } = checkOptions(schema, raw, 'diagnose');
  const options = { ...rest, ...(at !== undefined && { at }) };
  const given = (names: readonly string[]) => names.find((name) => raw[name] !== undefined);
  const file = given(files);
  if (file === undefined) {
    const idle = given(aboutFiles);
    if (idle !== undefined)
      throw new UsageFault(`${written(idle)} is about saved output, and there is none: give a file with ${fileNames}.`);
    return { ...options, from: path === undefined ? {} : { recording: path } };
  }
  if (path !== undefined)
    throw new UsageFault(`${path} would be a recording, and ${written(file)} names saved output: give one of them.`);
  return { ...options, from: { saved: readFileOptions(raw, 'diagnose') } };
}

/** As it is written on the command line. */
const written = (name: string) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
