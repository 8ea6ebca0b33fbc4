import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { environment } from '../support/terminal.ts';

/** What a command line of traintop did. */
export interface Outcome {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Runs `traintop ARGS` without a terminal, to its end. */
export async function runTraintop(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const child = spawn(process.execPath, [resolve('bin/traintop.js'), ...args], {
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    // In a session of its own: without the terminal that the suite may run in.
    detached: true,
  });
  const text = { output: '', errors: '' };
  child.stdout.on('data', (chunk: Buffer) => (text.output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text.errors += chunk.toString()));
  const code = await new Promise<number | null>((done) => child.once('close', done));
  return { code, ...text };
}
