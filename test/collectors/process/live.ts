import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, openSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../src/clock.ts';
import type { CollectorOptions } from '../../../src/collectors/collector.ts';
import { createProcessCollector } from '../../../src/collectors/process/collector.ts';
import { createRunner, type Runner } from '../../../src/collectors/run.ts';
import { createLocalTransport } from '../../../src/collectors/transport/local.ts';
import type { ProcessesSample, RunSample, Sample } from '../../../src/model/samples.ts';
import { requiredTool } from '../../support/requires.ts';
import { waitFor } from '../../support/waiting.ts';

/** The kinds of host that the script must run on: which tools come first on the PATH. */
export const userlands = {
  'dash, mawk': { sh: 'dash', awk: 'mawk' },
  'bash --posix, mawk': { sh: 'bash', awk: 'mawk' },
  busybox: Object.fromEntries('sh awk grep ls tr cut sed readlink sleep'.split(' ').map((name) => [name, 'busybox'])),
  'grep without -z': { sh: 'dash', awk: 'mawk', grep: 'old-grep' },
} as const;

/** What the Python program shall do: see program.py. */
export interface ProgramSpec {
  /** Numbers of the GPUs that it has open. */
  readonly gpus?: readonly number[];
  readonly workers?: number;
  readonly name?: string;
  readonly busy?: boolean;
  /** What it has open besides, with the mode of Python's `open`. */
  readonly files?: readonly (readonly [path: string, mode: string])[];
  /** Removes its own output file. */
  readonly unlink?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly cwd?: string;
  /** A path, or a pipe. */
  readonly stdout?: string;
}

/** A folder, programs and monitors of one test; all end with it. */
export interface Bench {
  readonly folder: string;
  start(spec?: ProgramSpec): Promise<ChildProcess & { readonly pid: number }>;
  monitor(options?: Partial<CollectorOptions>, userland?: keyof typeof userlands): Promise<Monitor>;
  end(): Promise<void>;
}

/** A running monitor, the sources of processes alone. */
export interface Monitor {
  readonly runner: Runner;
  readonly samples: readonly Sample[];
  run(what: string, condition: (sample: RunSample) => boolean): Promise<RunSample>;
  processes(what: string, condition: (sample: ProcessesSample) => boolean): Promise<ProcessesSample>;
}

export function createBench(): Bench {
  const folder = mkdtempSync(join(tmpdir(), 'process-'));
  const prefix = join(folder, 'nvidia');
  const children: ChildProcess[] = [];
  const runners: Runner[] = [];
  let starts = 0;
  return {
    folder,
    async start({ gpus = [], env, args = [], cwd, stdout, ...rest } = {}) {
      const devices = gpus.map((gpu) => prefix + gpu);
      for (const device of devices) writeFileSync(device, '');
      const ready = join(folder, `ready-${starts++}`);
      const out = stdout === undefined ? 'pipe' : openSync(stdout, 'a');
      const script = new URL('program.py', import.meta.url).pathname;
      const child = spawn('python3', [script, JSON.stringify({ ...rest, devices }), ...args], {
        stdio: ['pipe', out, out],
        env: { ...process.env, ...env, READY: ready },
        ...(cwd !== undefined && { cwd }),
      });
      children.push(child);
      await waitFor('the program to be ready', () => existsSync(ready));
      return child as ChildProcess & { readonly pid: number };
    },
    async monitor(options = {}, userland) {
      const samples: Sample[] = [];
      const runner = createRunner({
        transport: createLocalTransport(userland && wrapFor(userland, folder)),
        collectors: [createProcessCollector({ devicePrefix: prefix, findEveryMs: 300, watchEveryMs: 500 })],
        options: { intervalMs: 1000, threads: 'proc', logs: [], ...options },
        clock: systemClock,
        onSample: (sample) => void samples.push(sample),
      });
      runners.push(runner);
      await runner.start();
      const until = async <S extends Sample>(kind: S['kind'], what: string, fits: (sample: S) => boolean) =>
        waitFor(
          `${what}; had ${samples.length}`,
          () => samples.filter((s): s is S => s.kind === kind).findLast(fits),
          25_000,
        ).catch((error: unknown) => {
          throw new Error(`${String(error)}: ${JSON.stringify(samples.slice(-3))}`);
        });
      return {
        runner,
        samples,
        run: (what, condition) => until<RunSample>('run', what, condition),
        processes: (what, condition) => until<ProcessesSample>('processes', what, condition),
      };
    },
    async end() {
      await Promise.all(runners.map((runner) => runner.stop()));
      for (const child of children) child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A wrapper that puts the userland's tools first on the PATH. */
function wrapFor(userland: keyof typeof userlands, folder: string): string {
  const bin = join(folder, `bin-${userland.replaceAll(/\W/g, '')}`);
  mkdirSync(bin, { recursive: true });
  for (const [name, tool] of Object.entries(userlands[userland])) {
    if (tool !== 'old-grep') symlinkSync(requiredTool(tool), join(bin, name));
    else writeFileSync(join(bin, name), oldGrep, { mode: 0o755 });
  }
  return `env PATH=${bin}:${process.env['PATH']}`;
}

/** Knows no -z, as grep of toybox and of old busybox. */
const oldGrep = `#!/bin/sh
case $1 in -*z*) echo 'grep: unknown option -- z' >&2; exit 2;; esac
exec /usr/bin/grep "$@"
`;
