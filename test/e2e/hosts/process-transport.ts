import { spawn } from 'node:child_process';
import type { Channel, Exit, Transport } from '../../../src/collectors/transport/transport.ts';

/** A client in a process of its own, that can be killed, or fall silent. */
export interface ProcessTransport extends Transport {
  /** SIGKILL for the client and all that it has in its process group. */
  kill(): void;
  /** From now on nothing gets through to the host, and nobody learns of it. */
  mute(): void;
}

/** A transport of one channel, opened by a command line (`ssh host WRAP`, a wrapper alone) that `sh -s` is added to. */
export function createProcessTransport(commandLine: string, env: NodeJS.ProcessEnv): ProcessTransport {
  const child = spawn('/bin/sh', ['-c', `${commandLine} sh -s`], { detached: true, stdio: 'pipe', env });
  let muted = false;
  child.stdin.on('error', () => {});
  const exit = new Promise<Exit>((resolve) => child.on('close', (code) => resolve({ code, lost: false })));
  const channel: Channel = {
    write: (text) => void (muted || child.stdin.write(text)),
    end: () => void child.stdin.end(),
    onOutput: (fn) => void child.stdout.on('data', fn),
    onErrorOutput: (fn) => void child.stderr.on('data', fn),
    exit,
  };
  const kill = () => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    } catch {
      // It is gone already.
    }
  };
  return {
    target: 'test',
    connect: async () => {},
    open: async () => channel,
    onLost: () => {},
    async close() {
      kill();
      await exit;
    },
    kill,
    mute: () => void (muted = true),
  };
}
