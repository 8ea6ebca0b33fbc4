import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { requiredTool } from './requires.ts';
import { portIsOpen } from './relay.ts';
import { waitFor } from './waiting.ts';
import { removeFolder } from './remove-folder.ts';

/** A real OpenSSH server on loopback, with keys of its own. */
export interface TestSshd {
  readonly port: number;
  readonly user: string;
  /** Its folder, for files of the test. */
  readonly folder: string;
  /** A private key that may log in. */
  readonly keyFile: string;
  /** known_hosts lines of its keys: ed25519, rsa. */
  readonly hostKeyLine: string;
  readonly rsaHostKeyLine: string;
  /** A known_hosts file with `hostKeyLine`. */
  readonly knownHostsFile: string;
  /** PID of the server itself. */
  readonly pid: number;
  /** What it wrote to its log so far. */
  log(): string;
  stop(): Promise<void>;
}

interface Options {
  /** Lines of sshd_config, before ours: the first value of a keyword counts. */
  readonly config?: readonly string[];
  /** Public keys that may log in beside `keyFile`. */
  readonly authorizedKeys?: readonly string[];
  /** Who logs in; the one who runs the test when absent. */
  readonly user?: string;
  /** The command that starts the server's, given its folder: another namespace. It must exec. */
  readonly around?: (folder: string) => readonly string[];
  /** The address to listen on, which need not be one that the test itself reaches. */
  readonly address?: string;
}

/** Starts an sshd on a free port of 127.0.0.1. Run it as the user who logs in (root, or oneself). */
export async function startSshd(options: Options = {}): Promise<TestSshd> {
  const { config = [], authorizedKeys = [], user = userInfo().username, around = () => [] } = options;
  const { address = '127.0.0.1' } = options;
  const folder = mkdtempSync(join(tmpdir(), 'traintop-sshd-'));
  const file = (name: string) => join(folder, name);
  for (const type of ['ed25519', 'rsa']) makeKey(file(`host_${type}`), type);
  makeKey(file('user_key'), 'ed25519');
  const ownKey = readFileSync(file('user_key.pub'), 'utf8').trim();
  writeFileSync(file('authorized_keys'), [ownKey, ...authorizedKeys, ''].join('\n'), { mode: 0o600 });
  const port = await freePort();
  writeFileSync(
    file('sshd_config'),
    [
      ...config,
      `Port ${port}`,
      `ListenAddress ${address}`,
      `HostKey ${file('host_ed25519')}`,
      `HostKey ${file('host_rsa')}`,
      `AuthorizedKeysFile ${file('authorized_keys')}`,
      `PidFile ${file('pid')}`,
      'StrictModes no',
      'UsePAM no',
      'PasswordAuthentication no',
      'KbdInteractiveAuthentication no',
      'PermitRootLogin yes',
      'PrintMotd no',
      '',
    ].join('\n'),
  );
  // Debian's unit makes it; without systemd nobody does.
  if (process.getuid?.() === 0) execFileSync('mkdir', ['-p', '/run/sshd']);
  const sshd = [requiredTool('sshd'), '-D', '-f', file('sshd_config'), '-E', file('log')];
  const [command = '', ...args] = [...around(folder), ...sshd];
  const server = spawn(command, args, { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const log = () => (existsSync(file('log')) ? readFileSync(file('log'), 'utf8') : '');
  await waitFor(`sshd on port ${port}`, async () => {
    if (server.exitCode !== null) throw new Error(`sshd ended with ${server.exitCode}: ${log()}`);
    return options.address === undefined ? portIsOpen(port) : log().includes('Server listening');
  });
  const line = (type: string) => `[${address}]:${port} ${keyOf(file(`host_${type}.pub`))}`;
  writeFileSync(file('known_hosts'), `${line('ed25519')}\n`, { mode: 0o600 });
  return {
    port,
    user,
    folder,
    keyFile: file('user_key'),
    hostKeyLine: line('ed25519'),
    rsaHostKeyLine: line('rsa'),
    knownHostsFile: file('known_hosts'),
    pid: server.pid ?? -1,
    log,
    async stop() {
      server.kill();
      await ended;
      removeFolder(folder);
    },
  };
}

/** Makes a key pair at `path`. A passphrase opens it fast: one round of bcrypt. */
export function makeKey(path: string, type = 'ed25519', passphrase = ''): void {
  const bits = type === 'rsa' ? ['-b', '2048'] : [];
  const comment = `traintop-test-${type}`;
  execFileSync('ssh-keygen', ['-q', '-a', '1', '-t', type, ...bits, '-N', passphrase, '-C', comment, '-f', path]);
}

/** `type base64` of a public key file. */
export function keyOf(path: string): string {
  return readFileSync(path, 'utf8').split(' ').slice(0, 2).join(' ');
}

/** A port of 127.0.0.1 that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return address.port;
}
