import { z } from 'zod';
import { checkOptions, UsageFault } from '../config/check-options.ts';
import { readConfigFile } from '../config/config-file.ts';
import type { FileKind } from '../import/files.ts';
import type { LogPattern } from '../model/log-patterns.ts';

/** What the command line of `traintop import` says, checked. */
export interface ImportOptions extends FileOptions {
  readonly output: string;
  readonly force: boolean;
}

/** Which files of saved output, and how they are read. */
export interface FileOptions {
  readonly files: readonly { readonly kind: FileKind; readonly path: string }[];
  /** What the host is called; absent: after the folder of the files. */
  readonly name?: string;
  readonly pids: readonly number[];
  readonly fields?: readonly string[];
  readonly utcOffsetMinutes?: number;
  /** Epoch ms of the day's beginning in UTC. */
  readonly date?: number;
  readonly stepMs: number;
  /** The logs are read as this one. */
  readonly logFormat?: string;
  /** Of the user's file: what it teaches about logs. */
  readonly logPatterns: readonly LogPattern[];
}

const path = z.string().min(1, 'is empty').optional();
const lists = z.string().transform((text) => text.split(/[\s,]+/).filter((word) => word !== ''));

const fileSchema = z.object({
  top: path,
  nvidiaSmi: path,
  dmon: path,
  stat: path,
  pidstat: path,
  log: z.array(z.string().min(1, 'is empty')).default([]),
  stacks: path,
  name: z.string().min(1, 'is empty').optional(),
  pid: lists
    .transform((words) => words.map(Number))
    .pipe(z.array(z.int('is no PID').positive('is no PID')))
    .default([]),
  nvidiaSmiFields: lists.pipe(z.array(z.string()).min(1, 'is empty')).optional(),
  utcOffset: z
    .string()
    .regex(/^(?:Z|[+-]\d{1,2}(?::?[0-5]\d)?)$/, 'is like +02:00, -0530 or Z')
    .transform((text) => {
      const [, sign, hours, minutes = '0'] = /^([+-])(\d{1,2}?):?(\d\d)?$/.exec(text) ?? [];
      return hours === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
    })
    .refine((value) => value >= -12 * 60 && value <= 14 * 60, 'is no time zone')
    .optional(),
  date: z
    .string()
    .regex(/^\d{4}-\d\d-\d\d$/, 'is like 2026-11-29')
    .transform((text) => Date.parse(`${text}T00:00:00Z`))
    .refine(Number.isFinite, 'is no day')
    .optional(),
  logFormat: z.string().min(1, 'is empty').optional(),
  config: z.string().min(1, 'is empty').optional(),
  step: z.coerce.number('is no number').min(0.05, 'is at least 0.05 s').max(3600, 'is at most 3600 s').default(1),
});

const schema = fileSchema.extend({
  output: z.string('is missing: -o FILE says where the recording goes').min(1, 'is empty'),
  force: z.boolean().default(false),
});

const kinds = ['top', 'nvidia-smi', 'dmon', 'stat', 'pidstat', 'stacks'] as const;
const keys = {
  top: 'top',
  'nvidia-smi': 'nvidiaSmi',
  dmon: 'dmon',
  stat: 'stat',
  pidstat: 'pidstat',
  stacks: 'stacks',
} as const;

/** Checks what commander gathered. Throws a UsageFault that names the option. */
export function readImportOptions(raw: Record<string, unknown>): ImportOptions {
  const data = checkOptions(schema, raw, 'import');
  const options = fileOptions(data);
  if (options.files.length === 0) throw new UsageFault(`There is nothing to import: give a file with ${fileNames}.`);
  return { ...options, output: data.output, force: data.force };
}

/** The same of a command that makes no recording of them; there may be none. Throws a UsageFault that names the option. */
export function readFileOptions(raw: Record<string, unknown>, command: string): FileOptions {
  return fileOptions(checkOptions(fileSchema, raw, command));
}

/** How files are named, for sentences. */
export const fileNames = '--top, --nvidia-smi, --dmon, --stat, --pidstat, --log or --stacks';

function fileOptions(data: z.infer<typeof fileSchema>): FileOptions {
  const files = [
    ...kinds.flatMap((kind) => {
      const file = data[keys[kind]];
      return file === undefined ? [] : [{ kind, path: file }];
    }),
    ...data.log.map((file) => ({ kind: 'log' as const, path: file })),
  ];
  if (files.filter((file) => file.path === '-').length > 1)
    throw new UsageFault('Only one file can come from standard input (-).');
  return {
    files,
    pids: data.pid,
    stepMs: data.step * 1000,
    logPatterns: readConfigFile(data.config).logPatterns,
    ...(data.logFormat !== undefined && { logFormat: data.logFormat }),
    ...(data.name !== undefined && { name: data.name }),
    ...(data.nvidiaSmiFields && { fields: data.nvidiaSmiFields }),
    ...(data.utcOffset !== undefined && { utcOffsetMinutes: data.utcOffset }),
    ...(data.date !== undefined && { date: data.date }),
  };
}
