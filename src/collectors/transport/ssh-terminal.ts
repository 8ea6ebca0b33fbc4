import type { Client, ClientCallback, ClientChannel } from 'ssh2';
import { channelFault, type Peer, type SshError } from './ssh-faults.ts';
import { termOf } from './terminal-command.ts';
import { TransportFault, type Exit, type TerminalChannel, type TerminalOptions } from './transport.ts';

interface Init extends Pick<TerminalOptions, 'size' | 'env'> {
  readonly client: Client;
  readonly peer: Peer;
  /** Absent: the user's log-in shell. */
  readonly command: string | undefined;
}

/** Opens a shell with a terminal on a channel of its own. Rejects with a TransportFault. */
export async function openSshTerminal({ client, peer, command, size, env }: Init): Promise<TerminalChannel> {
  const stream = await new Promise<ClientChannel>((resolve, reject) => {
    const opened: ClientCallback = (error, channel) => {
      if (error) reject(terminalFault(error as SshError, peer));
      else resolve(channel);
    };
    const pty = { rows: size.rows, cols: size.columns, width: 0, height: 0, term: termOf(env), modes: modes as never };
    try {
      if (command === undefined) client.shell(pty, { env: passedOn(env) }, opened);
      else client.exec(command, { pty, env: passedOn(env) }, opened);
    } catch (error) {
      // "Not connected": thrown, not called back (ssh2 1.17).
      reject(channelFault(error as SshError, peer));
    }
  });
  return wrapTerminal(stream);
}

/** IUTF8 (RFC 8160), which ssh2 1.17 has no name for: Backspace takes a whole character. The rest is as the host has it. */
const modes = Buffer.from([42, 0, 0, 0, 1, 0]);

/** What OpenSSH as Debian sets it up sends (SendEnv); sshd takes what its AcceptEnv names, and says nothing of the rest. */
function passedOn(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name, value]) => /^(?:LANG|LC_\w+|COLORTERM|NO_COLOR)$/.test(name) && value),
  );
}

function terminalFault(error: SshError, peer: Peer): TransportFault {
  if (error.message === 'Unable to request a pseudo-terminal') {
    return new TransportFault(
      `${peer.target} gives this user no terminal: check PermitTTY in its sshd_config, and no-pty in authorized_keys.`,
      true,
    );
  }
  if (error.message === 'Unable to open shell') {
    return new TransportFault(
      `${peer.target} opens no shell for this user: check ForceCommand and the log-in shell.`,
      true,
    );
  }
  return channelFault(error, peer);
}

function wrapTerminal(stream: ClientChannel): TerminalChannel {
  let code: number | null | undefined;
  let signal: string | undefined;
  let ended = false;
  stream.stderr.resume();
  stream.on('error', () => {}); // a write after the end: `exit` tells
  stream.on('exit', (exitCode: number | null, exitSignal?: string) => {
    code = exitCode;
    signal = exitSignal;
  });
  const exit = new Promise<Exit>((resolve) => {
    stream.on('close', () => {
      ended = true;
      resolve({ code: code ?? null, ...(signal !== undefined && { signal }), lost: code === undefined });
    });
  });
  return {
    write(bytes) {
      if (!ended) stream.write(bytes);
    },
    resize({ columns, rows }) {
      if (!ended) stream.setWindow(rows, columns, 0, 0);
    },
    onOutput: (fn) => void stream.on('data', fn),
    pause: () => void stream.pause(),
    resume: () => void stream.resume(),
    exit,
    end() {
      if (ended) return;
      ended = true;
      // What is still on its way would keep `close` from coming.
      stream.resume();
      // sshd closes the terminal, which hangs up all that runs on it.
      stream.close();
    },
  };
}
