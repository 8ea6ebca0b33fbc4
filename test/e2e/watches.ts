import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { waitFor } from '../support/waiting.ts';
import { environment } from '../support/terminal.ts';

/** A watch without a screen. */
export interface Watch {
  readonly pid: number;
  /** What it said so far, standard error too. */
  said(): string;
  /** Resolves with what it has said when that fits. */
  says(what: RegExp): Promise<string>;
  kill(signal: NodeJS.Signals): void;
  /** Its exit code, or the signal that ended it. */
  readonly end: Promise<number | NodeJS.Signals | null>;
}

const running = new Set<Watch>();

/** Starts `traintop ARGS` without a terminal, in a session of its own. */
export function startWatch(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Watch {
  const child = spawn(process.execPath, [resolve('bin/traintop.js'), ...args], {
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const watch: Watch = {
    pid: child.pid ?? -1,
    said: () => text,
    says: (what) => waitFor(`${what} in what the watch says`, () => (what.test(text) ? text : undefined), 20_000),
    kill: (signal) => void child.kill(signal),
    end: new Promise((done) =>
      child.once('close', (code, signal) => {
        running.delete(watch);
        done(code ?? signal);
      }),
    ),
  };
  running.add(watch);
  return watch;
}

/** For `afterEach`. */
export async function endWatches(): Promise<void> {
  await Promise.all([...running].map((watch) => (watch.kill('SIGKILL'), watch.end)));
}
