import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { removeFolder } from './remove-folder.ts';

/** A Python process with six threads of known behaviour (workload/six.py). */
export interface Six {
  readonly pid: number;
  readonly tids: Readonly<Record<SixName, number>>;
  /** CPU time that a thread has used, in seconds: the kernel's own count. */
  used(name: SixName): number;
  stop(): Promise<void>;
}

/** Its threads. */
export const sixNames = ['python-loop', 'hash-0', 'sleeper', 'lock-waiter', 'file-reader', 'spawner'] as const;
export type SixName = (typeof sixNames)[number];

/** Starts it by this Python; resolves when all threads are at work. */
export async function startSix(python: string): Promise<Six> {
  const folder = mkdtempSync(join(tmpdir(), 'traintop-six-'));
  const file = join(folder, 'shard.bin');
  writeFileSync(file, Buffer.alloc(4_000_000, 7));
  const script = join(import.meta.dirname, 'workload/six.py');
  const child = spawn(python, [script, file], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  child.stdin.on('error', () => {});
  const line = await new Promise<string>((resolve, reject) => {
    child.on('error', reject);
    void ended.then(() => reject(new Error('six.py ended before it was ready')));
    createInterface({ input: child.stdout }).once('line', resolve);
  });
  const { pid, tids } = JSON.parse(line) as Pick<Six, 'pid' | 'tids'>;
  return {
    pid,
    tids,
    used: (name) => Number(readFileSync(`/proc/${pid}/task/${tids[name]}/schedstat`, 'utf8').split(' ')[0]) / 1e9,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      removeFolder(folder);
    },
  };
}
