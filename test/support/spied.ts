import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requiredTool } from './requires.ts';
import { waitFor } from './waiting.ts';

/** A py-spy and a folder for temporary files of its own, so that all they leave can be found. */
export interface Spied {
  readonly home: string;
  readonly pySpy: string;
  readonly temp: string;
  /** PIDs of what runs that py-spy, or guards it. */
  running(): readonly number[];
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
    async gone() {
      const left = () => [...running(), ...readdirSync(temp)];
      await waitFor('py-spy, its guard and its files to be gone', () => left().length === 0, 60_000);
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

/** The state letter of a process: T when it is stopped. */
export function stateOf(pid: number): string | undefined {
  if (!existsSync(`/proc/${pid}`)) return undefined;
  return /^State:\s+(\w)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
}

export function argumentsOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
