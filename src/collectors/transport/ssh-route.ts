import type { Client } from 'ssh2';
import type { Clock } from '../../clock.ts';
import type { ResolvedTarget } from '../../config/ssh-config.ts';
import { startProxyCommand } from './proxy-command.ts';
import type { Peer } from './ssh-faults.ts';
import type { Link } from './ssh-link.ts';
import { dial, forward, type Wire } from './ssh-wires.ts';
import { TransportFault, type HostLogin } from './transport.ts';

/** The way to the target, over all hosts in between: a Link to each, the later ones through the one before. Never opened again. */
export interface Route {
  /** Settles when we are logged in to the target; rejects with a TransportFault. */
  readonly opened: Promise<OpenRoute>;
  /** Called once, with why, when the route is gone after it was open and not by `end`. */
  onLost(fn: (reason: string) => void): void;
  readonly isOpen: boolean;
  /** How we got in to each host, the nearest first. */
  logins(): readonly HostLogin[];
  /** Gives an open route up from which nothing comes within `ms`. */
  check(ms: number): void;
  /** Ends all its connections, at any time; resolves when they are gone. */
  end(): Promise<void>;
}

/** What an open route leads to. */
export interface OpenRoute {
  readonly target: ResolvedTarget;
  readonly peer: Peer;
  readonly client: Client;
}

/** What a link of the route is made of. */
export interface LinkPlan {
  readonly target: ResolvedTarget;
  readonly peer: Peer;
  readonly wire: Wire;
  /** How many more links come after it; 0 for that to the target. */
  readonly behind: number;
}

interface Init {
  /** Finds the target and the hosts before it; rejects with a TransportFault. */
  resolve(signal: AbortSignal): Promise<ResolvedTarget>;
  startLink(plan: LinkPlan): Link;
  /** For the sentence of a route that is given up before anything else is known. */
  readonly name: string;
  /** The SSH configuration in use, as sentences call it; undefined = none is read. */
  readonly configFile: string | undefined;
  readonly clock: Clock;
}

interface Stage {
  readonly link: Link;
  readonly peer: Peer;
}

/** Begins to open a route. */
export function createRoute({ resolve, startLink, name, configFile, clock }: Init): Route {
  const stages: Stage[] = [];
  /** Why links were lost, by their place on the way. */
  const lost = new Map<number, string>();
  /** Links that we cut ourselves, to be rid of those behind them. */
  const dropped = new Set<Link>();
  let phase: 'opening' | 'open' | 'gone' = 'opening';
  let ending = false;
  const givenUp = new AbortController();
  let tellLost = (_reason: string) => {};

  const opened = openAll().then(
    (open) => {
      phase = 'open';
      return open;
    },
    async (error: unknown) => {
      phase = 'gone';
      await endStages();
      throw error;
    },
  );
  opened.catch(() => {}); // whoever waits for it hears of it

  async function openAll(): Promise<OpenRoute> {
    const target = await resolve(givenUp.signal);
    const way = [...target.jumps, target];
    for (const [index, host] of way.entries()) {
      const peer = { ...peerOf(host, index < way.length - 1 ? target.alias : undefined), configFile };
      mustGoOn();
      const wire = await lay(host, peer);
      if (ending) wire.destroy();
      mustGoOn();
      const link = begin({ target: host, peer, wire, behind: way.length - 1 - index });
      stages.push({ link, peer });
      link.onLost((reason) => {
        if (!dropped.has(link)) takeLoss(index, reason);
      });
      await link.opened.catch((error: unknown) => blame(error));
    }
    const last = stages.at(-1);
    if (!last) throw new Error('a route without an end');
    mustGoOn();
    return { target, peer: last.peer, client: last.link.client };
  }

  function begin(plan: LinkPlan): Link {
    try {
      return startLink(plan);
    } catch (error) {
      plan.wire.destroy();
      throw error;
    }
  }

  function mustGoOn() {
    const [reason] = lost.values();
    if (ending) throw new TransportFault(`The connection to ${name} was given up.`, false);
    if (reason !== undefined) throw lostOnTheWay(reason);
  }

  async function lay(host: ResolvedTarget, peer: Peer): Promise<Wire> {
    const hop = stages.at(-1);
    if (hop) {
      const { link } = hop;
      const drop = () => {
        dropped.add(link);
        link.drop();
      };
      return forward({ hop: { client: link.client, peer: hop.peer, drop }, target: host, clock }).catch(blame);
    }
    if (host.proxyCommand === undefined) return dial(host);
    return startProxyCommand({ command: host.proxyCommand, target: peer.target, clock });
  }

  /** A link fails when one before it is lost; that one is told a moment later. */
  async function blame(error: unknown): Promise<never> {
    await new Promise<void>((resolve) => clock.after(0, resolve));
    const [reason] = lost.values();
    throw reason === undefined || ending ? error : lostOnTheWay(reason);
  }

  function lostOnTheWay(reason: string): TransportFault {
    return new TransportFault(`The way to ${name} broke while it was opened: ${reason}.`, false);
  }

  /** When a link is lost, so are all behind it: the nearest one is the reason. */
  function takeLoss(index: number, reason: string) {
    lost.set(index, reason);
    if (phase !== 'open') return;
    phase = 'gone';
    clock.after(0, () => {
      const nearest = Math.min(...lost.keys());
      void endStages();
      if (!ending) tellLost(lost.get(nearest) ?? reason);
    });
  }

  async function endStages() {
    // From the far end: each says good-bye through those before it.
    for (const { link } of [...stages].reverse()) await link.end();
  }

  return {
    opened,
    onLost: (fn) => void (tellLost = fn),
    get isOpen() {
      return phase === 'open' && !ending && stages.every(({ link }) => link.isOpen);
    },
    logins: () => stages.map(({ link, peer }) => ({ target: nameAndAddress(peer), ...link.used() })),
    check(ms) {
      for (const { link } of stages) link.check(ms);
    },
    async end() {
      ending = true;
      givenUp.abort();
      await endStages();
      await opened.catch(() => {});
    },
  };
}

/** `wayTo`: for a jump host, where it leads to. Its name comes first: some places show the begin of a sentence only. */
function peerOf({ user, host, port, alias }: ResolvedTarget, wayTo: string | undefined): Omit<Peer, 'configFile'> {
  const shownHost = host.includes(':') && port !== 22 ? `[${host}]` : host;
  const address = `${user}@${shownHost}${port === 22 ? '' : `:${port}`}`;
  const base = { alias, address, host, port, user };
  if (wayTo === undefined) return { ...base, target: address };
  const name = alias.toLowerCase() === host.toLowerCase() ? address : alias;
  return { ...base, target: `jump host ${name} (on the way to ${wayTo})`, wayTo };
}

function nameAndAddress({ wayTo, alias, host, address, target }: Peer): string {
  if (wayTo === undefined) return target;
  return alias.toLowerCase() === host.toLowerCase() ? `jump host ${address}` : `jump host ${alias} (${address})`;
}
