import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A Python process whose threads each do one thing (workload/states.py). */
export interface States {
  readonly pid: number;
  readonly tids: Readonly<Record<string, number>>;
  /** Its clock, and for how much of that time its thread `half` was in pure Python; both in seconds. */
  held(): Promise<{ readonly seconds: number; readonly held: number }>;
  stop(): Promise<void>;
}

/** Starts it with these threads; resolves when all are at work. */
export async function startStates(python: string, names: readonly string[]): Promise<States> {
  const script = join(import.meta.dirname, 'workload/states.py');
  // A group of its own: its end takes the child along.
  const child = spawn(python, [script, ...names], { stdio: ['pipe', 'pipe', 'inherit'], detached: true });
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  child.stdin.on('error', () => {});
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error('states.py ended');
    return String(value);
  };
  const { pid, tids } = JSON.parse(await line()) as Pick<States, 'pid' | 'tids'>;
  return {
    pid,
    tids,
    async held() {
      child.stdin.write('\n');
      const [seconds = NaN, held = NaN] = (await line()).split(' ').map(Number);
      return { seconds, held };
    },
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}
