import { accessSync, constants as modes } from 'node:fs';
import { constants, userInfo } from 'node:os';
import type { IPty } from '@lydell/node-pty';
import { terminalCommand, termOf } from './terminal-command.ts';
import { TransportFault, type Exit, type TerminalChannel, type TerminalOptions } from './transport.ts';

/** A shell on a pty of this machine. */
export interface LocalTerminal extends TerminalChannel {
  /** For one that does not answer the end of its terminal. */
  kill(): void;
}

interface Init extends TerminalOptions {
  readonly wrap: string | undefined;
  /** Instead of a shell: a program of this machine. */
  readonly command?: readonly string[];
}

/** Starts a shell on a pty: the user's own, or the one behind the wrapper. Rejects with a TransportFault. */
export async function openLocalTerminal({ wrap, size, env, command, ...how }: Init): Promise<LocalTerminal> {
  const { spawn } = await loadPty();
  const shell = wrap === undefined ? [ownShell(env)] : ['/bin/sh', '-c', terminalCommand({ wrap, env, ...how })];
  const [file = '/bin/sh', ...args] = command ?? shell;
  try {
    const pty = spawn(file, args, {
      name: termOf(env),
      cols: size.columns,
      rows: size.rows,
      cwd: process.cwd(),
      env: forShell(env),
      // Bytes, whatever node-pty's types say: a character may be cut by the end of a chunk.
      encoding: null,
    });
    return wrapPty(pty);
  } catch (error) {
    throw new TransportFault(`This machine gives no pty for a shell (${(error as Error).message}).`, false);
  }
}

/** Native, and of use here only: the monitor of a host elsewhere does without. */
async function loadPty(): Promise<typeof import('@lydell/node-pty')> {
  try {
    return await import('@lydell/node-pty');
  } catch {
    const platform = `${process.platform}-${process.arch}`;
    throw new TransportFault(
      `A shell on this machine needs node-pty, whose binary for ${platform} is missing or does not load: install traintop with npm and its optional packages.`,
      true,
    );
  }
}

/** $SHELL, else the one of passwd, else sh. */
function ownShell({ SHELL }: NodeJS.ProcessEnv): string {
  return [SHELL, passwdShell()].find((path) => path !== undefined && isExecutable(path)) ?? '/bin/sh';
}

function passwdShell(): string | undefined {
  try {
    return userInfo().shell ?? undefined;
  } catch {
    return undefined; // a user without an entry
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, modes.X_OK);
    return path.startsWith('/');
  } catch {
    return false;
  }
}

/** Without what bin/traintop.js set for itself, and sizes that the shell has from its terminal. */
function forShell(env: NodeJS.ProcessEnv): Record<string, string> {
  const { NODE_ENV: _1, COLUMNS: _2, LINES: _3, ...rest } = env;
  return Object.fromEntries(Object.entries(rest).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Chunks that are kept for a listener who is not there yet; the shell is held up then. */
const mostHeld = 64;

function wrapPty(pty: IPty): LocalTerminal {
  let ended = false;
  let take: ((chunk: Buffer) => void) | undefined;
  const held: Buffer[] = [];
  // Read from the first moment: node-pty 1.1 gives what a program left behind for 200 ms, and then drops it.
  pty.onData((data) => {
    const chunk = data as unknown as Buffer;
    if (take) return take(chunk);
    held.push(chunk);
    if (held.length >= mostHeld) pty.pause();
  });
  const exit = new Promise<Exit>((resolve) => {
    pty.onExit(({ exitCode, signal }) => {
      ended = true;
      const name = Object.entries(constants.signals).find(([, number]) => number === signal)?.[0];
      resolve({ code: name === undefined ? exitCode : null, ...(name !== undefined && { signal: name }), lost: false });
    });
  });
  return {
    write(bytes) {
      if (!ended) pty.write(bytes as unknown as string);
    },
    resize({ columns, rows }) {
      if (!ended && columns > 0 && rows > 0) pty.resize(columns, rows);
    },
    onOutput(fn) {
      take = fn;
      for (const chunk of held.splice(0)) fn(chunk);
      pty.resume();
    },
    pause: () => pty.pause(),
    resume: () => pty.resume(),
    exit,
    // Closes the pty; the kernel hangs up what runs on it.
    end() {
      if (!ended) hangUp(pty);
    },
    kill() {
      try {
        if (!ended) process.kill(-pty.pid, 'SIGKILL');
      } catch {
        // The group is gone already.
      }
    },
  };
}

/** node-pty's own types do not tell of it. */
function hangUp(pty: IPty) {
  (pty as IPty & { destroy(): void }).destroy();
}
