import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startSshd } from '../test/support/sshd.ts';
import { fakeGpus } from './gpus.ts';
import { startBenchWorkload } from './programs.ts';

/** What is on the host. */
export interface RealHostOptions {
  readonly threads: number;
  readonly active: number;
  /** Of one core, each of the active threads. */
  readonly percent: number;
  readonly logLinesPerSecond: number;
  readonly gpus: number;
  /** Processes that do nothing: what else is on a server. */
  readonly others: number;
}

/** The host's first line of output; PIDs are those of its namespace. */
export interface RealHostFacts {
  readonly port: number;
  readonly user: string;
  readonly keyFile: string;
  readonly hostKey: string;
  readonly runPid: number;
  readonly logPath: string;
}

/**
 * Plays a GPU server in a PID namespace of its own, as its PID 1: a real sshd, a real process with threads and a log, a simulated
 * nvidia-smi. Each line of its input is answered by the newest PID that was given out here, so the processes started between two
 * lines can be counted. Ends when its input does.
 */
export async function runRealHost([options = '{}']: readonly string[]): Promise<void> {
  const { threads, active, percent, logLinesPerSecond, gpus, others } = JSON.parse(options) as RealHostOptions;
  const folder = mkdtempSync(join(tmpdir(), 'traintop-bench-host-'));
  const logPath = join(folder, 'train.log');
  // The one that writes the log comes on top.
  const workload = await startBenchWorkload({
    threads: threads - 1,
    active,
    percent,
    logSeconds: 1 / logLinesPerSecond,
    logPath,
  });
  const gpu = fakeGpus({ gpus, pid: workload.pid, loops: true });
  const sshd = await startSshd({ config: [`SetEnv PATH=${gpu}:${process.env['PATH']} FAKE_NVIDIA_SMI=${gpu}`] });
  // `exec` keeps the last one from waiting in a shell of its own.
  const idle = spawn('sh', [
    '-c',
    `n=1; while [ $n -lt ${others} ]; do sleep infinity & n=$((n + 1)); done; exec sleep infinity`,
  ]);
  const facts: RealHostFacts = {
    port: sshd.port,
    user: sshd.user,
    keyFile: sshd.keyFile,
    hostKey: sshd.hostKeyLine.split(' ').slice(1).join(' '),
    runPid: workload.pid,
    logPath,
  };
  process.stdout.write(`${JSON.stringify(facts)}\n`);
  for await (const _ of createInterface({ input: process.stdin })) process.stdout.write(`${newestPid()}\n`);
  idle.kill();
  await sshd.stop();
  await workload.stop();
  for (const each of [folder, gpu]) rmSync(each, { recursive: true, force: true });
  process.exit(); // what is left in the namespace ends with its PID 1
}

/** The last field of /proc/loadavg counts in the reader's PID namespace (proc(5)). */
function newestPid(): number {
  return Number(readFileSync('/proc/loadavg', 'utf8').trim().split(' ').at(-1));
}
