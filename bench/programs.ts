import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { childrenOf } from './below.ts';
import type { RealHostFacts, RealHostOptions } from './real-host.ts';

/** The demo host in its own process. */
export interface BenchHost {
  /** traintop's arguments that connect to it. */
  readonly args: readonly string[];
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts bench/demo-host.mjs. It ends also when this process does. */
export async function startDemoHost(init: { readonly threads: number; readonly active: number }): Promise<BenchHost> {
  const child = spawn(process.execPath, ['bench/demo-host.mjs', String(init.threads), String(init.active)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    void ended.then(() => reject(new Error('the demo host ended before it listened')));
  });
  return {
    args: JSON.parse(line) as string[],
    pid: child.pid ?? -1,
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}

/** A process of many threads, some of them a little busy; ends when this process does (test/support/workload/workload.py). */
export interface BenchWorkload {
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts the workload; `logPath` takes a log line every `logSeconds`. */
export async function startBenchWorkload(init: {
  readonly threads: number;
  readonly active: number;
  readonly percent: number;
  readonly logSeconds?: number;
  readonly logPath?: string;
}): Promise<BenchWorkload> {
  const { active, percent, logSeconds, logPath } = init;
  // The main thread is one of them.
  const threads = Array.from({ length: init.threads - 1 }, (_, n) => ({
    name: `bench-${n}`,
    ...(n < active && { percent }),
  }));
  const child = spawn('python3', ['test/support/workload/workload.py', JSON.stringify({ threads, logSeconds })], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const lines = createInterface({ input: child.stdout });
  const first = await new Promise<string>((resolve, reject) => {
    lines.once('line', resolve);
    void ended.then(() => reject(new Error('the workload ended before it was ready')));
  });
  const log = logPath === undefined ? undefined : createWriteStream(logPath);
  lines.on('line', (line) => log?.write(`${line}\n`));
  return {
    pid: (JSON.parse(first) as { pid: number }).pid,
    async stop() {
      child.stdin.end();
      await ended;
      log?.end();
    },
  };
}

/** A host that is played by a real sshd and real processes. */
export interface RealHost extends RealHostFacts {
  /** Its PID 1 as this machine counts. */
  readonly initPid: number;
  /** The newest PID that was given out in its namespace. */
  newestPid(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts bench/real-host.mjs in a PID namespace, which only root may make. It ends also when this process does. */
export async function startRealHost(options: RealHostOptions): Promise<RealHost> {
  const inside = [process.execPath, 'bench/real-host.mjs', JSON.stringify(options)];
  const child = spawn('unshare', ['--pid', '--mount-proc', '--fork', '--kill-child', ...inside], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const lines = createInterface({ input: child.stdout });
  const next = () =>
    new Promise<string>((resolve, reject) => {
      lines.once('line', resolve);
      void ended.then(() => reject(new Error('the host ended before it answered')));
    });
  const facts = JSON.parse(await next()) as RealHostFacts;
  const [initPid = -1] = childrenOf(child.pid ?? -1);
  return {
    ...facts,
    initPid,
    async newestPid() {
      const answer = next();
      child.stdin.write('\n');
      return Number(await answer);
    },
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}
