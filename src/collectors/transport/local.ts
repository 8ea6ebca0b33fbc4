import { spawn } from 'node:child_process';
import { shellCommand } from './wrap.ts';
import type { Channel, Exit, Transport } from './transport.ts';

/** Runs commands on this machine, through the same envelope as everywhere else. */
export function createLocalTransport(wrap?: string): Transport {
  const open = new Set<Channel>();
  return {
    target: 'local',
    wrap,
    connect: async () => {},
    async open() {
      const channel = startShell(wrap);
      open.add(channel);
      void channel.exit.then(() => open.delete(channel));
      return channel;
    },
    onLost: () => {},
    async close() {
      const closing = [...open];
      for (const channel of closing) channel.end();
      await Promise.all(closing.map((channel) => channel.exit));
    },
  };
}

function startShell(wrap: string | undefined): Channel {
  // detached: a process group of its own, which the envelope ends as a whole.
  const child = spawn('/bin/sh', ['-c', `exec ${shellCommand(wrap)}`], { detached: true, stdio: 'pipe' });
  child.stdin.on('error', () => {}); // EPIPE when the shell is gone: `exit` tells
  const exit = new Promise<Exit>((resolve) => {
    child.on('error', () => resolve({ code: 127, lost: false }));
    child.on('close', (code, signal) => resolve({ code, ...(signal && { signal }), lost: false }));
  });
  return {
    write: (text) => void child.stdin.write(text),
    end: () => void child.stdin.end(),
    onOutput: (fn) => void child.stdout.on('data', fn),
    onErrorOutput: (fn) => void child.stderr.on('data', fn),
    exit,
  };
}
