import type { Client, ClientChannel } from 'ssh2';
import { safeText } from '../../model/text.ts';
import { channelFault, type Peer, type SshError } from './ssh-faults.ts';
import { tap } from './tap.ts';
import { TransportFault, type Channel, type Exit } from './transport.ts';

/** Runs a command on a channel of its own. Rejects with a TransportFault. */
export async function openSshChannel(client: Client, command: string, peer: Peer): Promise<Channel> {
  return new Promise((resolve, reject) => {
    try {
      client.exec(command, (error, stream) => {
        if (error) reject(channelFault(error as SshError, peer));
        else resolve(wrapChannel(stream));
      });
    } catch (error) {
      // "Not connected": thrown, not called back (ssh2 1.17).
      reject(channelFault(error as SshError, peer));
    }
  });
}

/** Has the host connect to a socket of its own (sshd: AllowStreamLocalForwarding). Rejects with a TransportFault. */
export async function openRemoteSocket(client: Client, path: string, peer: Peer): Promise<ClientChannel> {
  return new Promise((resolve, reject) => {
    const fail = (error: SshError) =>
      reject(
        new TransportFault(`${peer.target} did not connect to its socket ${path} (${safeText(error.message)}).`, false),
      );
    try {
      client.openssh_forwardOutStreamLocal(path, (error, stream) => {
        if (error) fail(error as SshError);
        else resolve(stream);
      });
    } catch (error) {
      // "Not connected": thrown, not called back (ssh2 1.17).
      fail(error as SshError);
    }
  });
}

function wrapChannel(stream: ClientChannel): Channel {
  const onOutput = tap(stream);
  const onErrorOutput = tap(stream.stderr);
  let code: number | null | undefined;
  let signal: string | undefined;
  let ended = false;
  stream.on('error', () => {}); // a write after the end: `exit` tells
  stream.on('exit', (exitCode: number | null, exitSignal?: string) => {
    code = exitCode;
    signal = exitSignal;
  });
  const exit = new Promise<Exit>((resolve) => {
    // sshd sends a code or a signal with every end; without one the link went.
    const done = () =>
      resolve({ code: code ?? null, ...(signal !== undefined && { signal }), lost: code === undefined });
    stream.on('close', () => {
      ended = true;
      if (stream.stderr.readableEnded) done();
      else stream.stderr.once('end', done);
    });
  });
  return {
    write(text) {
      if (!ended) stream.write(text);
    },
    end() {
      if (!ended) stream.end();
      ended = true;
    },
    onOutput,
    onErrorOutput,
    exit,
  };
}
