import { z } from 'zod';
import type { AlarmSettings } from '../model/alarms/settings.ts';
import type { NotifySettings } from '../model/alarms/notify-settings.ts';
import type { ThreadsSample } from '../model/samples.ts';
import type { LogPattern } from '../model/log-patterns.ts';
import type { GpuRole, RoleRule } from '../model/roles/rules.ts';
import { checkOptions, UsageFault } from './check-options.ts';
import { gpuList, readConfigFile } from './config-file.ts';
import { alarmOptions, alarmShape } from './alarm-options.ts';
import { count, readBaseline, type BaselineOption } from './rate-options.ts';
import { regexOf } from './regex-text.ts';
import { alarmScenarioNames, scenarioNames, type ScenarioName } from './scenario-names.ts';

/** What the command line says, checked. */
export interface Options {
  readonly target: string;
  readonly wrap?: string;
  readonly pid?: number;
  readonly match?: RegExp;
  readonly logs: readonly string[];
  readonly threads: ThreadsSample['reader'];
  readonly pySpy?: string;
  /** Nothing that touches the run is done: no signal, no capture that holds a process, no copy to the host. */
  readonly readOnly?: boolean;
  /** No dump is taken by itself to learn threads' names. */
  readonly autoDump?: false;
  /** The logs are read as this one, whatever they look like. */
  readonly logFormat?: string;
  /** Of the user's file: what it teaches about logs. */
  readonly logPatterns?: readonly LogPattern[];
  /** Of the user's file. */
  readonly roles?: readonly RoleRule[];
  /** What GPUs are for. */
  readonly gpuRoles?: readonly GpuRole[];
  /** What the run's speed is compared with. */
  readonly baseline?: BaselineOption;
  /** Tokens of one step, all GPUs together. */
  readonly batchTokens?: number;
  readonly intervalMs: number;
  readonly identityFiles: readonly string[];
  readonly sshConfigFile?: string;
  /** What the user says of alarms: of their file, and of the command line. */
  readonly alarms?: AlarmSettings;
  /** How they hear of them. */
  readonly notify?: NotifySettings;
  /** No evidence is taken by itself. */
  readonly blackBox?: false;
  /** Folders on the host in which checkpoints are kept, whose room is watched. */
  readonly checkpoints?: readonly string[];
  /** Absent: no recording is made. */
  readonly record?: RecordOptions;
  /** A report is written there when the watch ends: a page or Markdown, as its name ends. */
  readonly reportOnExit?: string;
  /** What the demo plays. */
  readonly scenario?: ScenarioName;
  /** Of the demo's figures. */
  readonly seed?: number;
  /** Demo seconds a second. */
  readonly speed?: number;
}

/** Of the demo's clock. */
export const speedLimits = { slowest: 0.1, fastest: 64 } as const;

/** Where recordings go, and how long they stay. */
export interface RecordOptions {
  /** Instead of the state folder. */
  readonly folder?: string;
  /** More than this of recordings is not kept; Infinity: no limit. */
  readonly bytes: number;
  /** Recordings that ended longer ago are not kept; Infinity: no limit. */
  readonly ms: number;
}

/** Fastest and slowest pace of the screen, ms. Faster would cost the host more than the promised 1 % of a core. */
export const intervalLimits = { fastest: 500, slowest: 60_000 } as const;

const limit = written(
  z.coerce
    .number('is no number')
    .nonnegative('is less than 0')
    .transform((number) => (number === 0 ? Infinity : number)),
);

/** A number that may be 0, as it was written: Number() takes a blank for 0, and a variable of a shell that is not set would be an answer. */
function written<T extends z.ZodType>(number: T) {
  return z.preprocess((value) => (typeof value === 'string' && value.trim() === '' ? NaN : value), number);
}

const schema = z.object({
  wrap: z.string().min(1, 'is empty').optional(),
  pid: z.coerce.number('is no number').int('is no PID').positive('is no PID').optional(),
  match: z.string().transform(regexOf()).optional(),
  log: z.array(z.string().min(1, 'is empty')).default([]),
  logFormat: z.string().min(1, 'is empty').optional(),
  threads: z.enum(['proc', 'top', 'pidstat'], 'is one of proc, top, pidstat').default('proc'),
  pySpy: z.string().min(1, 'is empty').optional(),
  readOnly: z.boolean().optional(),
  autoDump: z.boolean().default(true),
  config: z.string().min(1, 'is empty').optional(),
  gpuRole: z.array(z.string()).default([]),
  targetGpus: z.string().optional(),
  baseline: z.string().min(1, 'is empty').transform(readBaseline).optional(),
  batchTokens: count('is no number of tokens: 491520, 0.5M').optional(),
  interval: z.coerce
    .number('is no number')
    .min(intervalLimits.fastest / 1000, `is at least ${intervalLimits.fastest / 1000} s`)
    .max(intervalLimits.slowest / 1000, `is at most ${intervalLimits.slowest / 1000} s`)
    .default(1),
  identity: z.array(z.string()).default([]),
  sshConfig: z.string().optional(),
  scenario: z
    .enum(
      [...scenarioNames, ...alarmScenarioNames],
      `is one of ${scenarioNames.join(', ')}, or of those of alarms, which --scenario list has`,
    )
    .optional(),
  seed: written(z.coerce.number('is no number').int('is no whole number').optional()),
  speed: z.coerce
    .number('is no number')
    .min(speedLimits.slowest, `is at least ${speedLimits.slowest}`)
    .max(speedLimits.fastest, `is at most ${speedLimits.fastest}`)
    .optional(),
  record: z.union([z.boolean(), z.string().min(1, 'is empty')]).optional(),
  recordSize: limit.default(5),
  recordDays: limit.default(30),
  reportOnExit: z
    .string()
    .regex(/\.(?:html?|md|markdown)$/i, 'ends in .html or .md')
    .optional(),
  ...alarmShape,
});

/** Checks what commander gathered. Throws a UsageFault that names the option. */
export function readOptions(target: string | undefined, raw: Record<string, unknown>): Options {
  const { log, interval, identity, sshConfig, record, recordSize, recordDays, ...others } = checkOptions(schema, raw);
  const { autoDump, config, gpuRole, targetGpus, alarms, webhook, onAlarm, blackBox, checkpoints, ...rest } = others;
  const file = readConfigFile(config);
  const gpuRoles = withFile(gpuRolesOf(gpuRole, targetGpus), file.gpuRoles);
  return Object.freeze({
    target: target ?? 'local',
    logs: log,
    intervalMs: Math.round(interval * 1000),
    identityFiles: identity,
    // Who plays with the demo keeps nothing, unless it is asked for.
    ...((record ?? target !== 'demo') !== false && {
      record: {
        ...(typeof record === 'string' && { folder: record }),
        bytes: recordSize * 2 ** 30,
        ms: recordDays * 86_400_000,
      },
    }),
    ...(sshConfig !== undefined && { sshConfigFile: sshConfig }),
    ...(!autoDump && { autoDump }),
    ...(file.logPatterns.length > 0 && { logPatterns: file.logPatterns }),
    ...(file.roles.length > 0 && { roles: file.roles }),
    ...(gpuRoles.length > 0 && { gpuRoles }),
    ...alarmOptions({ alarms, webhook, onAlarm, blackBox, checkpoints }, file, process.env),
    ...(Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)) as typeof rest),
  } as Options);
}

/** Of the command line; no GPU has two. */
function gpuRolesOf(wishes: readonly string[], targets: string | undefined): readonly GpuRole[] {
  const taken = new Map<number, string>();
  const roleOf = (option: string, role: string, list: string): GpuRole => {
    const gpus = gpuList(list);
    if (!gpus) throw new UsageFault(`${option} has no list of GPUs in "${list}": 0,1 or 4-7; see traintop --help.`);
    for (const gpu of gpus) {
      const other = taken.get(gpu);
      if (other !== undefined && other !== role)
        throw new UsageFault(`GPU ${gpu} has two roles, ${other} and ${role}.`);
      taken.set(gpu, role);
    }
    return { role, gpus };
  };
  const named = wishes.map((wish) => {
    const [, role, list = ''] = /^\s*([^=\p{Cc}\p{Cf}]{1,40}?)\s*=(.*)$/u.exec(wish) ?? [];
    if (role === undefined) throw new UsageFault(`--gpu-role is ROLE=LIST, as in drafter=5-7; see traintop --help.`);
    return roleOf('--gpu-role', role, list);
  });
  return targets === undefined ? named : [roleOf('--target-gpus', 'target', targets), ...named];
}

/** What the command line says of a GPU counts. */
function withFile(own: readonly GpuRole[], file: readonly GpuRole[]): readonly GpuRole[] {
  const taken = new Set(own.flatMap(({ gpus }) => gpus));
  const rest = file.map(({ role, gpus }) => ({ role, gpus: gpus.filter((gpu) => !taken.has(gpu)) }));
  return [...own, ...rest.filter(({ gpus }) => gpus.length > 0)];
}
