import type { Clock } from '../../clock.ts';
import { resolveSshTarget } from '../../config/ssh-config.ts';
import { TargetError, type SshTarget } from '../../config/target.ts';
import type { AskSecrets } from './asks.ts';
import { homePath } from './home-path.ts';
import { createHostKeyCheck, type ConfirmHostKey } from './host-key-check.ts';
import { createLoginMemory } from './login-memory.ts';
import type { LoginLine } from './ssh-attempt.ts';
import { createAgain } from './ssh-again.ts';
import { createLogin } from './ssh-auth.ts';
import { openRemoteSocket, openSshChannel } from './ssh-channel.ts';
import { createLink, type Link } from './ssh-link.ts';
import { createRoute, type LinkPlan, type Route } from './ssh-route.ts';
import { openSshTerminal } from './ssh-terminal.ts';
import { terminalCommand } from './terminal-command.ts';
import { TransportFault, type Channel, type LinkLogin, type TerminalChannel, type Transport } from './transport.ts';
import { shellCommand } from './wrap.ts';

export type { AskSecrets, SecretsQuestion } from './asks.ts';
export type { ConfirmHostKey, HostKeyQuestion } from './host-key-check.ts';

/** Whom to reach, and how. */
export interface SshTransportOptions {
  readonly target: SshTarget;
  /** What to call it; default: as it is written, and then as it is. */
  readonly name?: string | undefined;
  readonly wrap?: string | undefined;
  readonly clock: Clock;
  /** Instead of ~/.ssh/config and /etc/ssh/ssh_config; `none` reads no file. */
  readonly configFile?: string | undefined;
  /** Instead of the usual known_hosts files; new keys go to the first. */
  readonly knownHostsFiles?: readonly string[] | undefined;
  /** Instead of the configured or default key files. */
  readonly identityFiles?: readonly string[] | undefined;
  /** A key that is in no file, as OpenSSH private key text; tried first. */
  readonly privateKey?: string | undefined;
  /** Asked once for a host key never seen before. Absent (no terminal): such a host is refused. */
  readonly confirmHostKey?: ConfirmHostKey | undefined;
  /** Asked for passphrases, passwords and codes. Absent (no terminal): what would need them fails, and says so. */
  readonly askSecrets?: AskSecrets | undefined;
}

/** How long `close` waits for the shells on the host to say that they ended. The end of the connection ends them as well. */
const closeMs = 650;

/**
 * Runs commands on a host over one SSH connection. What the configuration says is found out at each `connect`: what was changed
 * there since, another address behind a name and another agent are seen by the next one.
 */
export function createSshTransport(options: SshTransportOptions): Transport {
  const { wrap, clock } = options;
  let name = options.name ?? writtenName(options.target);
  const memory = createLoginMemory();
  const accepted = new Map<string, Buffer>();
  const again = createAgain({ name, memory, ask: options.askSecrets });
  const listeners: ((reason: string) => void)[] = [];
  const channels = new Set<Channel | TerminalChannel>();
  let route: Route | undefined;
  let login: LinkLogin | undefined;
  let heardAt: number | undefined;

  return {
    // As written until it is known who that is.
    get target() {
      return name;
    },
    wrap,
    async connect(told) {
      if (!route && again.isNeeded()) await again.agreed(told);
      if (!route) route = start();
      const attempt = route;
      try {
        const { peer, target } = await attempt.opened;
        name = options.name ?? peer.target;
        login = { configReader: target.resolvedBy, hosts: attempt.logins() };
      } catch (error) {
        if (route === attempt) route = undefined;
        throw error;
      }
    },
    async open() {
      const { current, client, peer } = await openRoute();
      const channel = await openSshChannel(client, shellCommand(wrap), peer);
      if (current !== route) channel.end(); // closed meanwhile
      channels.add(channel);
      void channel.exit.then(() => channels.delete(channel));
      return channel;
    },
    async openTerminal({ size, env, ...how }) {
      const { current, client, peer } = await openRoute();
      const command = wrap === undefined ? undefined : terminalCommand({ wrap, env, ...how });
      const terminal = await openSshTerminal({ client, peer, command, size, env });
      if (current !== route) terminal.end(); // closed meanwhile
      channels.add(terminal);
      void terminal.exit.then(() => channels.delete(terminal));
      return terminal;
    },
    async openSocket(path) {
      const { client, peer } = await openRoute();
      return openRemoteSocket(client, path, peer);
    },
    login: () => (route?.isOpen === true ? login : undefined),
    onLost: (fn) => void listeners.push(fn),
    check: (ms) => route?.check(ms),
    heardAt: () => heardAt,
    async close() {
      again.withdraw();
      const closing = route;
      route = undefined;
      if (!closing) return;
      const open = [...channels];
      for (const channel of open) channel.end();
      if (closing.isOpen) await settled(open.map((channel) => channel.exit));
      await closing.end();
    },
  };

  function start(): Route {
    memory.needs.clear();
    const started = createRoute({ resolve, startLink, name, configFile: shownConfig(options.configFile), clock });
    started.onLost((reason) => {
      if (route === started) route = undefined;
      for (const fn of listeners) fn(reason);
    });
    return started;
  }

  async function resolve(signal: AbortSignal) {
    try {
      return await resolveSshTarget(options.target, { configFile: options.configFile, signal });
    } catch (error) {
      // Not final: the file may be in the middle of a change.
      throw error instanceof TargetError ? new TransportFault(error.message, false) : error;
    }
  }

  function startLink({ target, peer, wire, behind }: LinkPlan): Link {
    // As ssh: what the command line says of keys holds for the target, not for hosts on the way.
    const { identityFiles, privateKey } = behind === 0 ? options : {};
    const login = (line: LoginLine) =>
      createLogin({ target, peer: peer.target, wayTo: peer.wayTo, identityFiles, privateKey, memory }, line);
    const hostKeys = createHostKeyCheck({
      target,
      knownHostsFiles: options.knownHostsFiles ?? target.knownHostsFiles,
      newHostsFile: options.knownHostsFiles ? options.knownHostsFiles[0] : target.newHostsFile,
      confirm: options.confirmHostKey,
      accepted,
      wayTo: peer.wayTo,
    });
    // What a jump host says is no word of the target's.
    const onHeard = () => void (behind === 0 && (heardAt = clock.now()));
    return createLink({ target, peer, wire, behind, login, askSecrets: options.askSecrets, hostKeys, clock, onHeard });
  }

  async function openRoute() {
    const current = route;
    if (!current?.isOpen) throw new TransportFault(`There is no connection to ${name}.`, false);
    return { current, ...(await current.opened) };
  }

  async function settled(exits: readonly Promise<unknown>[]) {
    let cancel = () => {};
    const late = new Promise<void>((resolve) => (cancel = clock.after(closeMs, resolve)));
    await Promise.race([Promise.all(exits), late]);
    cancel();
  }
}

/** As sentences call the configuration in use. */
function shownConfig(file: string | undefined): string | undefined {
  if (file?.toLowerCase() === 'none') return undefined;
  return file === undefined ? '~/.ssh/config' : homePath(file);
}

/** As the user wrote it. */
function writtenName({ user, host, port }: SshTarget): string {
  const shownHost = host.includes(':') && port !== undefined ? `[${host}]` : host;
  return `${user === undefined ? '' : `${user}@`}${shownHost}${port === undefined ? '' : `:${port}`}`;
}
