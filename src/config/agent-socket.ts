import { runProgram } from './run-program.ts';
import type { Surroundings } from './ssh-config-values.ts';

type Environment = Surroundings['env'];

/** A tmux that does not answer must not hold up a connection. */
const limitMs = 1000;

/**
 * The environment with the SSH_AUTH_SOCK of now. Inside tmux a process keeps that of the terminal it was started from, whose agent is
 * gone after a new log-in; tmux itself knows that of the terminal it was attached from last (update-environment).
 */
export async function withCurrentAgent(env: Environment): Promise<Environment> {
  if (!env.TMUX) return env;
  const { stdout } = await runProgram({ file: 'tmux', args: ['show-environment', 'SSH_AUTH_SOCK'], env, limitMs });
  // `-SSH_AUTH_SOCK`: attached last without an agent. The old one may live on.
  const socket = /^SSH_AUTH_SOCK=(.+)$/m.exec(stdout)?.[1];
  return socket === undefined ? env : { ...env, SSH_AUTH_SOCK: socket };
}
