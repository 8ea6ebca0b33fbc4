import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';

/** What the workload shall be. */
export interface WorkloadOptions {
  /** Threads by name (set with prctl: 15 bytes at most) and their share of one core; the GIL limits the sum to about 100. */
  readonly threads?: readonly { readonly name: string; readonly percent?: number }[];
  /** Loader processes, each with one thread `loader N`. */
  readonly workers?: number;
  /** The share of each `loader N`; default 5. */
  readonly workerPercent?: number;
  /** Starts and ends a thread named `short` twice a second. */
  readonly short?: boolean;
  /** Writes `step 12 | loss 2.31 | 14.5K tok/s | q_hs=[9-10]` this often. */
  readonly logSeconds?: number;
  /** RANK, LOCAL_RANK and the like. */
  readonly env?: Readonly<Record<string, string>>;
  /** Standard output and error go to this file, as in a run under nohup; its first line is then not the log's. */
  readonly logPath?: string;
  readonly cwd?: string;
  /** Default `python3`. */
  readonly python?: string;
}

/** A running workload. It also ends by itself when this process does. */
export interface Workload {
  readonly pid: number;
  readonly tids: Readonly<Record<string, number>>;
  readonly workers: readonly number[];
  stop(): Promise<void>;
}

/** Starts a Python process with known threads; resolves when all of them have their names. */
export async function startWorkload(options: WorkloadOptions = {}): Promise<Workload> {
  const { env, logPath, cwd, python = 'python3', ...spec } = options;
  const log = logPath === undefined ? undefined : await open(logPath, 'a');
  const script = new URL('workload/workload.py', import.meta.url).pathname;
  const child = spawn(python, [script, JSON.stringify(spec)], {
    stdio: ['pipe', log ? log.fd : 'pipe', log ? log.fd : 'inherit'],
    env: { ...process.env, ...env },
    ...(cwd !== undefined && { cwd }),
  });
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  child.stdin?.on('error', () => {});
  const first = log && logPath ? firstLineOf(logPath, ended) : firstLine(child.stdout as NodeJS.ReadableStream, ended);
  const facts = JSON.parse(await first) as Pick<Workload, 'pid' | 'tids' | 'workers'>;
  await log?.close();
  return {
    ...facts,
    async stop() {
      child.stdin?.end();
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function firstLine(stream: NodeJS.ReadableStream, ended: Promise<void>): Promise<string> {
  return new Promise((resolve, reject) => {
    void ended.then(() => reject(new Error('the workload ended before it was ready')));
    createInterface({ input: stream }).on('line', resolve); // goes on reading: a full pipe would stop the workload
  });
}

async function firstLineOf(path: string, ended: Promise<void>): Promise<string> {
  let over = false;
  void ended.then(() => (over = true));
  for (;;) {
    const file = await open(path, 'r');
    const text = await file.readFile('utf8').finally(() => file.close());
    const line = text.split('\n').find((each, at, all) => each.startsWith('{"pid"') && at < all.length - 1);
    if (line) return line;
    if (over) throw new Error(`the workload ended before it was ready: ${text}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
