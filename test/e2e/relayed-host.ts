import { createRelay, type Relay } from '../support/relay.ts';
import { closeTerminals, type Terminal } from '../support/terminal.ts';
import { startHost, type Host } from './on-host.ts';
import { removeHomes, traintop } from './program.ts';

/** A host behind a relay that can break the link to it. */
export interface RelayedHost {
  readonly host: Host;
  readonly relay: Relay;
  /** Starts traintop on it, with more arguments. */
  monitor(...args: string[]): Terminal;
  stop(): Promise<void>;
}

/** For `beforeAll`; `stop` is for `afterAll`. */
export async function startRelayedHost(): Promise<RelayedHost> {
  const host = await startHost();
  const relay = await createRelay(host.sshd.port);
  return {
    host,
    relay,
    monitor: (...args) => traintop(host.home({ port: relay.port }), [host.name, ...args]),
    async stop() {
      await closeTerminals();
      await relay.close();
      await host.stop();
      removeHomes();
    },
  };
}
