import { createScaledClock, systemClock, type Clock } from '../clock.ts';
import { audited } from '../collectors/transport/audit.ts';
import { createAuditLog, defaultStateFolder, type AuditLog } from '../collectors/transport/audit-log.ts';
import { createLocalTransport } from '../collectors/transport/local.ts';
import type { AskSecrets, ConfirmHostKey } from '../collectors/transport/ssh.ts';
import type { Transport } from '../collectors/transport/transport.ts';
import { UsageFault } from '../config/check-options.ts';
import type { Options } from '../config/options.ts';
import { parseTarget } from '../config/target.ts';
import type { PatternAlarm } from '../model/alarms/settings.ts';
import type { DemoOrigin } from '../recording/format.ts';

/** The transport to what the user named. */
export interface OpenTarget {
  readonly transport: Transport;
  /** As the user wrote it. */
  readonly name: string;
  /** Everything there is simulated. */
  readonly demo: boolean;
  /** What is simulated there. */
  readonly origin?: DemoOrigin;
  /** What the demo's user asked to hear of. */
  readonly patterns?: readonly PatternAlarm[];
  /** The time there, where it is not the machine's; a second of it passes in 1/speed. */
  readonly clock?: Clock;
  readonly speed?: number;
  /** What is run there is written down here; absent for the demo. */
  readonly audit?: AuditLog;
  /** After the transport is closed: ends what was started for it. */
  close(): Promise<void>;
}

/** How long the end waits for a file system that hangs. */
const auditMs = 1000;

/** How the user is asked; absent when there is no terminal to ask on. */
export interface Asks {
  readonly confirmHostKey?: ConfirmHostKey;
  readonly askSecrets?: AskSecrets;
}

/** Makes the transport; nothing is connected yet. Throws a TargetError or a UsageFault. */
export async function openTarget(options: Options, { confirmHostKey, askSecrets }: Asks): Promise<OpenTarget> {
  const target = parseTarget(options.target);
  const name = options.target;
  if (target.kind === 'local') {
    return recorded(createLocalTransport(options.wrap), name);
  }
  if (target.kind === 'demo') return openDemo(options);
  if (target.kind === 'recording')
    throw new UsageFault(`${name} is a recording, not a host; traintop replay plays it.`);
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
  return recorded(transport, name);
}

/** Keeps a record of what is run on a real host. Where that cannot be written, everything else goes on. */
function recorded(transport: Transport, name: string): OpenTarget {
  const audit = createAuditLog(defaultStateFolder(process.env));
  return {
    transport: audited(transport, systemClock, audit),
    name,
    demo: false,
    audit,
    async close() {
      let cancel = () => {};
      const late = new Promise<void>((resolve) => (cancel = systemClock.after(auditMs, resolve)));
      await Promise.race([audit.flush(), late]);
      cancel();
    },
  };
}

/** Starts the demo host and connects to it as to any host: a port, a key to log in with, a host key to check. */
async function openDemo(options: Options): Promise<OpenTarget> {
  const { scenario: name = 'healthy', speed = 1 } = options;
  const [{ demoSeed, startDemoServer }, { findScenario }, { createSshTransport }, { fingerprint, parseHostKey }] =
    await Promise.all([
      import('../demo/server.ts'),
      import('../demo/scenarios/index.ts'),
      import('../collectors/transport/ssh.ts'),
      import('../collectors/transport/known-hosts.ts'),
    ]);
  const scenario = findScenario(name);
  if (!scenario) throw new UsageFault(`The demo plays no scenario named ${name}.`);
  const { seed = demoSeed } = options;
  const scaled = speed === 1 ? undefined : createScaledClock(systemClock, speed);
  const server = await startDemoServer({ clock: scaled ?? systemClock, seed, scenario });
  const hostKey = parseHostKey(Buffer.from(server.hostKey.split(' ')[1] ?? '', 'base64'));
  return {
    transport: createSshTransport({
      name: 'demo',
      target: { kind: 'ssh', user: server.user, host: '127.0.0.1', port: server.port },
      wrap: options.wrap,
      // The link itself is real, and so are its times.
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
    origin: { scenario: name, seed, truth: scenario.truth },
    ...(scenario.patterns && { patterns: scenario.patterns }),
    ...(scaled && { clock: scaled, speed }),
    async close() {
      scaled?.stop();
      await server.close();
    },
  };
}
