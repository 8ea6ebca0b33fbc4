import type { Clock } from '../../clock.ts';
import { resolveSshTarget } from '../../config/ssh-config.ts';
import type { SshTarget } from '../../config/target.ts';
import type { AskSecrets } from './asks.ts';
import { createHostKeyCheck, type ConfirmHostKey } from './host-key-check.ts';
import { createLoginMemory } from './login-memory.ts';
import type { LoginLine } from './ssh-attempt.ts';
import { createLogin } from './ssh-auth.ts';
import { openSshChannel } from './ssh-channel.ts';
import type { Peer } from './ssh-faults.ts';
import { createLink, type Link } from './ssh-link.ts';
import { openSshTerminal } from './ssh-terminal.ts';
import { terminalCommand } from './terminal-command.ts';
import { TransportFault, type Channel, type TerminalChannel, type Transport } from './transport.ts';
import { shellCommand } from './wrap.ts';

export type { AskSecrets, SecretsQuestion } from './asks.ts';
export type { ConfirmHostKey, HostKeyQuestion } from './host-key-check.ts';

/** Whom to reach, and how. */
export interface SshTransportOptions {
  readonly target: SshTarget;
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

/** Runs commands on a host over one SSH connection. Throws a TargetError when the configuration does not allow it. */
export function createSshTransport(options: SshTransportOptions): Transport {
  const { wrap, clock } = options;
  const target = resolveSshTarget(options.target, { configFile: options.configFile });
  const peer = createPeer(target);
  const hostKeys = createHostKeyCheck({
    target,
    knownHostsFiles: options.knownHostsFiles ?? target.knownHostsFiles,
    newHostsFile: options.knownHostsFiles ? options.knownHostsFiles[0] : target.newHostsFile,
    confirm: options.confirmHostKey,
  });
  const memory = createLoginMemory();
  const listeners: ((reason: string) => void)[] = [];
  const channels = new Set<Channel | TerminalChannel>();
  let link: Link | undefined;

  return {
    target: peer.target,
    wrap,
    async connect() {
      if (!link) link = start();
      const attempt = link;
      try {
        await attempt.opened;
      } catch (error) {
        if (link === attempt) link = undefined;
        throw error;
      }
    },
    async open() {
      const current = openLink();
      const channel = await openSshChannel(current.client, shellCommand(wrap), peer);
      if (current !== link) channel.end(); // closed meanwhile
      channels.add(channel);
      void channel.exit.then(() => channels.delete(channel));
      return channel;
    },
    async openTerminal({ shell, ...rest }) {
      const current = openLink();
      const command = wrap === undefined ? undefined : terminalCommand({ wrap, shell, env: rest.env });
      const terminal = await openSshTerminal({ ...rest, client: current.client, peer, command });
      if (current !== link) terminal.end(); // closed meanwhile
      channels.add(terminal);
      void terminal.exit.then(() => channels.delete(terminal));
      return terminal;
    },
    onLost: (fn) => void listeners.push(fn),
    check: (ms) => link?.check(ms),
    async close() {
      const closing = link;
      link = undefined;
      if (!closing) return;
      const open = [...channels];
      for (const channel of open) channel.end();
      if (closing.isOpen) await settled(open.map((channel) => channel.exit));
      await closing.end();
    },
  };

  function start(): Link {
    memory.needs.clear();
    const { identityFiles, privateKey, askSecrets } = options;
    const login = (line: LoginLine) =>
      createLogin({ target, peer: peer.target, identityFiles, privateKey, memory }, line);
    const started = createLink({ target, peer, login, askSecrets, hostKeys, clock });
    started.onLost((reason) => {
      if (link === started) link = undefined;
      for (const fn of listeners) fn(reason);
    });
    return started;
  }

  function openLink(): Link {
    if (!link?.isOpen) throw new TransportFault(`There is no connection to ${peer.target}.`, false);
    return link;
  }

  async function settled(exits: readonly Promise<unknown>[]) {
    let cancel = () => {};
    const late = new Promise<void>((resolve) => (cancel = clock.after(closeMs, resolve)));
    await Promise.race([Promise.all(exits), late]);
    cancel();
  }
}

function createPeer({ user, host, port }: { user: string; host: string; port: number }): Peer {
  const shownHost = host.includes(':') && port !== 22 ? `[${host}]` : host;
  return { target: `${user}@${shownHost}${port === 22 ? '' : `:${port}`}`, host, port, user };
}
