import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import { z } from 'zod';
import type { AlarmSettings } from '../model/alarms/settings.ts';
import type { LogPattern } from '../model/log-patterns.ts';
import type { GpuRole, RoleRule } from '../model/roles/rules.ts';
import { alarmTables } from './alarm-tables.ts';
import { UsageFault } from './check-options.ts';
import { homeFolder } from './home.ts';
import { logTables } from './log-table.ts';
import { notifyOf, notifyTables, type NotifyFile } from './notify-tables.ts';
import { regexOf } from './regex-text.ts';
import { strictTable } from './strict-table.ts';

/** What the user's file says. */
export interface ConfigFile {
  /** Absent: there is none. */
  readonly path?: string;
  readonly roles: readonly RoleRule[];
  readonly gpuRoles: readonly GpuRole[];
  /** What it teaches about logs. */
  readonly logPatterns: readonly LogPattern[];
  /** When alarms ring. */
  readonly alarms?: AlarmSettings;
  /** How they are told. */
  readonly notify?: NotifyFile;
}

/** A file of rules, no data: larger ones are a mistake. */
const mostBytes = 1024 * 1024;

/** $XDG_CONFIG_HOME/traintop/config.toml, by default in ~/.config. */
export function defaultConfigFile(environment: NodeJS.ProcessEnv): string {
  const base = environment.XDG_CONFIG_HOME;
  // A relative one is invalid by the specification.
  return join(base?.startsWith('/') ? base : join(homeFolder(), '.config'), 'traintop', 'config.toml');
}

/** Reads the file that the user named, else the default one, which need not be there. Throws a UsageFault that names file and key. */
export function readConfigFile(named: string | undefined, environment: NodeJS.ProcessEnv = process.env): ConfigFile {
  const path = named ?? defaultConfigFile(environment);
  const text = textOf(path, named !== undefined);
  if (text === undefined) return { roles: [], gpuRoles: [], logPatterns: [] };
  const result = schema.safeParse(tableOf(path, text));
  const fault = (key: readonly PropertyKey[], why: string) => new UsageFault(`${path}: ${keyOf(key)}${why}.`);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw fault(issue?.path ?? [], issue?.message ?? 'is wrong');
  }
  const { role = [], 'gpu-roles': gpus = {}, log: logPatterns = [], alarms, notify } = result.data;
  const gpuRoles = Object.entries(gpus).map(([name, list]) => ({ role: name, gpus: list }));
  return {
    ...{ path, roles: role as readonly RoleRule[], gpuRoles, logPatterns },
    ...(alarms && { alarms }),
    ...(notify && { notify: notifyOf(notify, environment, (key, why) => fault(['notify', ...key], why)) }),
  };
}

/** Indexes of GPUs as the user lists them: `0,1,4-7`; undefined: they are none. */
export function gpuList(text: string): readonly number[] | undefined {
  const gpus = new Set<number>();
  for (const part of text.split(',')) {
    const [, from, to = from] = /^\s*(\d{1,3})(?:\s*-\s*(\d{1,3}))?\s*$/.exec(part) ?? [];
    if (from === undefined || Number(to) < Number(from)) return undefined;
    for (let gpu = Number(from); gpu <= Number(to); gpu++) gpus.add(gpu);
  }
  return [...gpus];
}

function textOf(path: string, isNamed: boolean): string | undefined {
  try {
    const about = statSync(path);
    // A pipe may never end. /dev/null is the usual way to say: none.
    if (!about.isFile() && path !== '/dev/null') throw new UsageFault(`${path} is no configuration: it is no file.`);
    if (about.size > mostBytes) throw new UsageFault(`${path} is no configuration: it has ${about.size} bytes.`);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof UsageFault) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (!isNamed && (code === 'ENOENT' || code === 'ENOTDIR')) return undefined;
    const why = code === 'ENOENT' ? 'there is no such file' : message;
    throw new UsageFault(`The configuration ${path} cannot be read: ${why}.`);
  }
}

function tableOf(path: string, text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [first = 'it is no TOML'] = error.message.split('\n');
    const why = first.replace(/^Invalid TOML document:\s*/, '');
    throw new UsageFault(`${path}: line ${error.line} is no TOML: ${why}.`);
  }
}

const pattern = z.string('is no text').transform(regexOf());

const roleName = z
  .string('is missing: the role is a text')
  .min(1, 'is empty')
  .max(40, 'is longer than 40 characters')
  .refine((text) => !/[\p{Cc}\p{Cf}]/u.test(text), 'has a control character');

const gpus = z
  .union(
    [z.array(z.number().int('is no GPU').min(0, 'is no GPU').max(999, 'is no GPU')), z.string()],
    'is a list of GPUs: [0, 1] or "0,4-7"',
  )
  .transform((value, context) => {
    const list = typeof value === 'string' ? gpuList(value) : [...new Set(value)];
    if (list) return list;
    context.addIssue({ code: 'custom', message: 'is a list of GPUs: [0, 1] or "0,4-7"' });
    return z.NEVER;
  });

const rule = z
  .strictObject({ role: roleName, name: pattern.optional(), comm: pattern.optional(), stack: pattern.optional() })
  .refine(({ name, comm, stack }) => name ?? comm ?? stack, 'has no pattern: name, comm or stack');

const schema = strictTable({
  role: z.array(rule, 'is a list of tables: [[role]]').optional(),
  'gpu-roles': z.record(roleName, gpus, 'is a table: target = "0,1"').optional(),
  log: logTables.optional(),
  alarms: alarmTables.optional(),
  notify: notifyTables.optional(),
});

/** `role 2, name: `: rules are counted from 1. */
function keyOf(path: readonly PropertyKey[]): string {
  const words = path.reduce<string[]>((all, part) => {
    if (typeof part === 'number') all.push(`${all.pop() ?? ''} ${part + 1}`);
    else all.push(String(part));
    return all;
  }, []);
  return words.length === 0 ? '' : `${words.join(', ')} `;
}
