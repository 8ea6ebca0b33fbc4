import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from './remove-folder.ts';
import { requiredTool } from './requires.ts';
import { waitFor } from './waiting.ts';

/** A py-spy and a folder for temporary files of its own, so that all they leave can be found. */
export interface Spied {
  readonly home: string;
  readonly pySpy: string;
  readonly temp: string;
  /** PIDs of what runs that py-spy, or guards it. */
  running(): readonly number[];
  /** Waits until it takes samples of a record. Gives its PID. */
  sampling(): Promise<number>;
  /** Waits until neither a process nor a file of it is left. */
  gone(): Promise<void>;
  remove(): void;
}

/** Makes both; a capture uses the folder when `TMPDIR` names it. */
export function makeSpied(): Spied {
  const home = mkdtempSync(join(tmpdir(), 'traintop-spied-'));
  const pySpy = join(home, 'py-spy');
  const temp = join(home, 'temp');
  copyFileSync(requiredTool('py-spy'), pySpy);
  mkdirSync(temp);
  const running = () =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      // A script that is being fed by standard input has no path in its arguments: only py-spy and its guard do.
      .filter((pid) => pid !== process.pid && argumentsOf(pid).includes(pySpy));
  return {
    home,
    pySpy,
    temp,
    running,
    sampling: () => samplingOf(running),
    async gone() {
      const left = () => [...running(), ...readdirSync(temp)];
      await waitFor('py-spy, its guard and its files to be gone', () => left().length === 0, 60_000);
    },
    remove: () => removeFolder(home),
  };
}

/**
 * Waits until one of these processes is a py-spy (0.4.2) that takes samples of a record. Before that (20 ms, or a second where others have the
 * cores) it does not hear SIGINT, and for a moment then it ends well without a sample: who is ended so early has nothing to tell.
 */
export async function samplingOf(pids: () => readonly number[]): Promise<number> {
  const catches = (pid: number) =>
    (Number.parseInt(/^SigCgt:\s+(\w+)/m.exec(statusOf(pid))?.[1]?.slice(-2) ?? '', 16) & 2) > 0;
  // Its guard has the word in its script.
  const isRecord = (pid: number) => argumentsOf(pid)[1] === 'record';
  const pid = await waitFor(
    'py-spy to catch SIGINT',
    () => pids().find((each) => isRecord(each) && catches(each)),
    20_000,
  );
  // It sleeps from one sample to the next.
  const before = sleepsOf(pid);
  await waitFor('py-spy to take samples', () => sleepsOf(pid) > before + 4, 20_000);
  return pid;
}

/** How often the threads of a process have waited for something. */
function sleepsOf(pid: number): number {
  const tasks = existsSync(`/proc/${pid}/task`) ? readdirSync(`/proc/${pid}/task`) : [];
  const counts = tasks.map((tid) =>
    Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(statusOf(`${pid}/task/${tid}`))?.[1] ?? 0),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

function statusOf(process: number | string): string {
  try {
    return readFileSync(`/proc/${process}/status`, 'utf8');
  } catch {
    return '';
  }
}

/** The state letter of a process: T when it is stopped. */
export function stateOf(pid: number): string | undefined {
  return /^State:\s+(\w)/m.exec(statusOf(pid))?.[1];
}

function argumentsOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
