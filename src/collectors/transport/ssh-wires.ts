import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Client } from 'ssh2';
import type { Clock } from '../../clock.ts';
import type { ResolvedTarget } from '../../config/ssh-config.ts';
import { forwardFault, forwardTimedOut, type Peer, type SshError } from './ssh-faults.ts';
import type { TransportFault } from './transport.ts';

/** What a connection goes over: a socket, a channel of the host before, the pipes of a ProxyCommand. */
export interface Wire {
  readonly stream: Duplex;
  /** Drops it at once. */
  destroy(): void;
  /** Why it ended, where it knows better than its stream. */
  fault?(): TransportFault | undefined;
}

/** How long a connection may take that has no ConnectTimeout. */
export const defaultTimeoutMs = 15_000;

/** Begins to connect. The name is looked up anew each time. */
export function dial({ host, port, family, bindAddress }: ResolvedTarget): Wire {
  const stream = connect({
    host,
    port,
    family,
    ...(bindAddress !== undefined && { localAddress: bindAddress }),
    noDelay: true,
    // Node 20 gives each of several addresses 250 ms, less than some round trips.
    autoSelectFamilyAttemptTimeout: 2500,
  });
  return { stream, destroy: () => void stream.destroy() };
}

interface Hop {
  readonly client: Client;
  readonly peer: Peer;
  /** Ends the connection to it at once. */
  drop(): void;
}

interface Forward {
  readonly hop: Hop;
  readonly target: ResolvedTarget;
  readonly clock: Clock;
}

/** Has a host connect to the next one, which looks up the name there. Rejects with a TransportFault. */
export async function forward({ hop, target, clock }: Forward): Promise<Wire> {
  const ms = target.connectTimeoutMs ?? defaultTimeoutMs;
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => reject(forwardTimedOut(hop.peer, target, ms)));
    const fail = (error: SshError) => {
      cancel();
      reject(forwardFault(error, hop.peer, target));
    };
    try {
      hop.client.forwardOut('127.0.0.1', 0, target.host, target.port, (error, stream) => {
        if (error) return fail(error as SshError);
        cancel();
        stream.on('error', () => {}); // a write after the end: ssh2 tells by `close`
        // As sockets do by themselves. sshd closes a channel when both sides have ended.
        stream.once('end', () => stream.end());
        // A channel's own destroy waits for the answer of a host that may be gone (ssh2 1.17).
        resolve({ stream, destroy: () => hop.drop() });
      });
    } catch (error) {
      // "Not connected": thrown, not called back (ssh2 1.17).
      fail(error as SshError);
    }
  });
}
