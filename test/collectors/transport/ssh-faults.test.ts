import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { createSshTransport, type ConfirmHostKey } from '../../../src/collectors/transport/ssh.ts';
import { describeWith } from '../../support/requires.ts';
import { freePort, startSshd, type TestSshd } from '../../support/sshd.ts';
import { waitFor } from '../../support/waiting.ts';

let folder: string;
const stops: (() => void)[] = [];

beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'traintop-faults-'))));
afterEach(() => stops.splice(0).forEach((stop) => stop()));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Attempt {
  readonly port: number;
  readonly host?: string;
  readonly config?: readonly string[];
  readonly confirmHostKey?: ConfirmHostKey;
  readonly identityFiles?: readonly string[];
}

/** Connects and closes; gives the fault. */
async function attempt({ port, host = '127.0.0.1', config = [], ...more }: Attempt) {
  const configFile = join(folder, 'config');
  writeFileSync(configFile, ['IdentityAgent none', ...config, ''].join('\n'));
  const transport = createSshTransport({
    target: { kind: 'ssh', host, port, user: 'root' },
    clock: systemClock,
    configFile,
    knownHostsFiles: [join(folder, 'known_hosts')],
    ...more,
  });
  try {
    await transport.connect();
    return undefined;
  } catch (error) {
    return error;
  } finally {
    await transport.close();
  }
}

/** A TCP server that says `greeting`, and closes or stays. */
async function startGreeter(greeting: string, stays: boolean): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    if (stays) socket.write(greeting);
    else socket.end(greeting);
  });
  stops.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

describe('a host that is no SSH server', () => {
  test.each(['127.0.0.1', 'localhost'])('nobody listens on %s', async (host) => {
    expect(await attempt({ host, port: await freePort() })).toMatchObject({
      message: expect.stringMatching(
        /^\S+ refused the connection on port \d+: check the port, and that sshd runs there\.$/,
      ),
      final: false,
    });
  });

  test('the name is not known', async () => {
    expect(await attempt({ host: 'no-such-host.invalid', port: 22 })).toMatchObject({
      message: expect.stringMatching(/^(No host is called|The name) no-such-host\.invalid.*\.$/),
      final: false,
    });
  });

  test.each([
    ['HTTP/1.1 400 Bad Request\r\n\r\n', false],
    ['HTTP/1.1 400 Bad Request\r\n\r\n', true],
    ['SSH-2.0-x\r\n', false],
    ['SSH-1.5-old\r\n', true],
    ['', false],
    ['', true],
  ])('it says %j and stays: %s', async (greeting, stays) => {
    const port = await startGreeter(greeting, stays);
    expect(await attempt({ port, config: ['ConnectTimeout 1'] })).toMatchObject({
      message: expect.stringMatching(
        /(closed the connection during the handshake: it may|did not answer as an SSH server does|did not finish the SSH handshake on port \d+ within 1 s).*\.$/,
      ),
      final: false,
    });
  });
});

describeWith(['sshd', 'ssh-keygen'], 'a real sshd', () => {
  let sshd: TestSshd;
  afterEach(() => sshd.stop());

  test('with only algorithms that ssh2 does not know', async () => {
    sshd = await startSshd({ config: ['KexAlgorithms sntrup761x25519-sha512@openssh.com'] });
    expect(await attempt({ port: sshd.port })).toMatchObject({
      message: expect.stringMatching(
        /^root@127\.0\.0\.1:\d+ and traintop have no way to talk securely in common \(.*\)/,
      ),
      final: true,
    });
  });

  test('that takes passwords only', async () => {
    sshd = await startSshd({ config: ['PasswordAuthentication yes', 'PubkeyAuthentication no'] });
    const more = { confirmHostKey: async () => true, identityFiles: [sshd.keyFile] };
    expect(await attempt({ port: sshd.port, ...more })).toMatchObject({
      message: expect.stringContaining(
        'refused the log-in: there was no key to try; there is no terminal to ask on for a password; the server takes password;',
      ),
      final: true,
    });
  });

  test('while the user compares the fingerprint no time-out runs', async () => {
    sshd = await startSshd();
    const confirmHostKey = () => new Promise<boolean>((resolve) => setTimeout(resolve, 1500, true));
    const config = ['ConnectTimeout 1'];
    expect(await attempt({ port: sshd.port, config, confirmHostKey, identityFiles: [sshd.keyFile] })).toBeUndefined();
  });

  test('that closes while the user compares: the answer is kept for the next time', async () => {
    sshd = await startSshd({ config: ['LoginGraceTime 1'] });
    const confirmHostKey = () => new Promise<boolean>((resolve) => setTimeout(resolve, 2500, true));
    const more = { port: sshd.port, identityFiles: [sshd.keyFile], confirmHostKey };
    expect(await attempt(more)).toMatchObject({
      message: expect.stringContaining('closed the connection while the log-in waited for an answer'),
      final: false,
    });
    await waitFor('the answer', () => readFileSync(join(folder, 'known_hosts'), 'utf8').includes(sshd.hostKeyLine));
    expect(await attempt({ ...more, confirmHostKey: async () => false })).toBeUndefined();
  });
});
