import { spawn } from 'node:child_process';
import { systemClock, type Clock } from '../../clock.ts';
import { tap } from './tap.ts';
import { TransportFault, type Channel, type Exit, type Transport } from './transport.ts';
import type { LocalTerminal } from './local-terminal.ts';
import { shellCommand } from './wrap.ts';

/** How long `close` waits for the shells before it kills them. */
const closeMs = 2000;

interface LocalChannel extends Channel {
  kill(): void;
}

/** Runs commands on this machine, through the same envelope as everywhere else. */
export function createLocalTransport(wrap?: string, clock: Clock = systemClock): Transport {
  const open = new Set<LocalChannel | LocalTerminal>();
  let isClosed = false;

  function mustBeOpen() {
    if (isClosed) throw new TransportFault('Nothing more is started on this machine: it was closed.', false);
  }

  return {
    target: 'local',
    wrap,
    ownPid: process.pid,
    async connect() {
      isClosed = false;
    },
    async open() {
      mustBeOpen();
      const channel = startShell(wrap);
      open.add(channel);
      void channel.exit.then(() => open.delete(channel));
      return channel;
    },
    async openTerminal(options) {
      const { openLocalTerminal } = await import('./local-terminal.ts');
      mustBeOpen();
      const terminal = await openLocalTerminal({ ...options, wrap });
      if (isClosed) terminal.end(); // meanwhile
      open.add(terminal);
      void terminal.exit.then(() => open.delete(terminal));
      return terminal;
    },
    onLost: () => {},
    async close() {
      isClosed = true;
      const closing = [...open];
      for (const channel of closing) channel.end();
      // A wrapper that hangs does not answer the end of its input; one that left its group may never let go of our pipes.
      let cancelLate = () => {};
      const cancelKill = clock.after(closeMs, () => closing.forEach((channel) => channel.kill()));
      const late = new Promise<void>((resolve) => (cancelLate = clock.after(closeMs * 1.5, resolve)));
      await Promise.race([Promise.all(closing.map((channel) => channel.exit)), late]);
      cancelKill();
      cancelLate();
    },
  };
}

function startShell(wrap: string | undefined): LocalChannel {
  // detached: a process group of its own, which the envelope ends as a whole. The wrapper is a command line, as over SSH: it
  // may begin with an assignment.
  const child = spawn('/bin/sh', ['-c', wrap ? shellCommand(wrap) : `exec ${shellCommand(wrap)}`], {
    detached: true,
    stdio: 'pipe',
  });
  const onOutput = tap(child.stdout);
  const onErrorOutput = tap(child.stderr);
  child.stdin.on('error', () => {}); // EPIPE when the shell is gone: `exit` tells
  const exit = new Promise<Exit>((resolve) => {
    child.on('error', () => resolve({ code: 127, lost: false }));
    child.on('close', (code, signal) => resolve({ code, ...(signal && { signal }), lost: false }));
  });
  return {
    write(text) {
      if (child.stdin.writable) child.stdin.write(text);
    },
    end: () => void child.stdin.end(),
    onOutput,
    onErrorOutput,
    exit,
    kill() {
      try {
        // Once it has ended, its number may be another's.
        if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
          process.kill(-child.pid, 'SIGKILL');
      } catch {
        // The group is gone already.
      }
      // What left the group may keep them open, and us alive.
      for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.destroy();
    },
  };
}
