import { systemClock } from '../clock.ts';
import { createLocalTransport } from '../collectors/transport/local.ts';
import type { AskSecrets, ConfirmHostKey } from '../collectors/transport/ssh.ts';
import type { Transport } from '../collectors/transport/transport.ts';
import type { Options } from '../config/options.ts';
import { parseTarget } from '../config/target.ts';

/** The transport to what the user named. */
export interface OpenTarget {
  readonly transport: Transport;
  /** As the user wrote it. */
  readonly name: string;
  /** Everything there is simulated. */
  readonly demo: boolean;
  /** After the transport is closed: ends what was started for it. */
  close(): Promise<void>;
}

/** How the user is asked; absent when there is no terminal to ask on. */
interface Asks {
  readonly confirmHostKey?: ConfirmHostKey;
  readonly askSecrets?: AskSecrets;
}

/** Makes the transport; nothing is connected yet. Throws a TargetError or a UsageFault. */
export async function openTarget(options: Options, { confirmHostKey, askSecrets }: Asks): Promise<OpenTarget> {
  const target = parseTarget(options.target);
  const name = options.target;
  const nothing = async () => {};
  if (target.kind === 'local') {
    return { transport: createLocalTransport(options.wrap), name, demo: false, close: nothing };
  }
  if (target.kind === 'demo') return openDemo(options);
  // ssh2 takes 40 ms to load: the local monitor does without.
  const { createSshTransport } = await import('../collectors/transport/ssh.ts');
  const transport = createSshTransport({
    target,
    wrap: options.wrap,
    clock: systemClock,
    configFile: options.sshConfigFile,
    ...(options.identityFiles.length > 0 && { identityFiles: options.identityFiles }),
    confirmHostKey,
    askSecrets,
  });
  return { transport, name, demo: false, close: nothing };
}

/** Starts the demo host and connects to it as to any host: a port, a key to log in with, a host key to check. */
async function openDemo(options: Options): Promise<OpenTarget> {
  const [{ startDemoServer }, { createSshTransport }, { fingerprint, parseHostKey }] = await Promise.all([
    import('../demo/server.ts'),
    import('../collectors/transport/ssh.ts'),
    import('../collectors/transport/known-hosts.ts'),
  ]);
  const server = await startDemoServer({ clock: systemClock });
  const hostKey = parseHostKey(Buffer.from(server.hostKey.split(' ')[1] ?? '', 'base64'));
  return {
    transport: createSshTransport({
      target: { kind: 'ssh', user: server.user, host: '127.0.0.1', port: server.port },
      wrap: options.wrap,
      clock: systemClock,
      configFile: 'none',
      // Keys of an hour's life are in no file: a monitor that is killed leaves none behind.
      knownHostsFiles: [],
      confirmHostKey: async (shown) => hostKey !== undefined && shown.fingerprint === fingerprint(hostKey),
      identityFiles: [],
      privateKey: server.clientKey,
    }),
    name: 'demo',
    demo: true,
    close: server.close,
  };
}
