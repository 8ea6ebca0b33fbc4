import { execFileSync, spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requiredTool } from './requires.ts';
import { waitFor } from './waiting.ts';

/** A real ssh-agent. */
export interface TestAgent {
  readonly socket: string;
  /** Adds a private key that has no passphrase, or the one given. */
  add(keyFile: string, passphrase?: string): void;
  stop(): Promise<void>;
}

/** Starts an ssh-agent whose socket lies in `folder`. */
export async function startAgent(folder: string): Promise<TestAgent> {
  const socket = join(folder, 'agent.sock');
  const agent = spawn(requiredTool('ssh-agent'), ['-D', '-a', socket], { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => agent.once('exit', () => resolve()));
  await waitFor('the agent', () => existsSync(socket));
  return {
    socket,
    add(keyFile, passphrase = '') {
      const askPass = join(folder, 'askpass');
      writeFileSync(askPass, `#!/bin/sh\necho '${passphrase}'\n`, { mode: 0o700 });
      const env = { ...process.env, SSH_AUTH_SOCK: socket, SSH_ASKPASS: askPass, SSH_ASKPASS_REQUIRE: 'force' };
      execFileSync('ssh-add', ['-q', keyFile], { env, stdio: 'pipe' });
    },
    async stop() {
      agent.kill();
      await ended;
    },
  };
}
