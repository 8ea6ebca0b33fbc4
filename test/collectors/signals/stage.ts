import { spawn, type ChildProcess } from 'node:child_process';
import { waitFor } from '../../support/waiting.ts';

/** What a test started; `endChildren` ends it. */
export const children: ChildProcess[] = [];

/** For `afterEach`. */
export function endChildren(): void {
  for (const child of children.splice(0)) child.kill('SIGKILL');
}

/** A shell script that runs until it is ended; resolves when it has said that it is ready. */
export async function script(text: string, command: readonly [string, ...string[]] = ['sh', '-c']) {
  const [file, ...args] = command;
  const child = spawn(file, [...args, text], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await waitFor('the process to be ready', () => /ready.*\n/.test(said));
  return { child, pid: child.pid ?? 0, said: () => said };
}

/** What a shell script of a test does until it is ended. */
export const sleeps = 'while :; do sleep 0.05; done';
