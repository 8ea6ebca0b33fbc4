import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { createSshTransport } from '../../../src/collectors/transport/ssh.ts';
import { describeWith } from '../../support/requires.ts';
import { startAgent, type TestAgent } from '../../support/ssh-agent.ts';
import { makeKey, startSshd, type TestSshd } from '../../support/sshd.ts';

describeWith(['sshd', 'ssh-keygen', 'ssh-agent', 'ssh-add'], 'log-in to a real sshd', () => {
  let folder: string;
  let sshd: TestSshd;
  let agent: TestAgent;
  const key = (name: string) => join(folder, name);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'traintop-login-'));
    for (const name of ['wrong1', 'wrong2', 'wrong3', 'wrong4', 'held']) makeKey(key(name));
    for (const type of ['rsa', 'ecdsa']) makeKey(key(type), type);
    makeKey(key('locked'), 'ed25519', 'a passphrase');
    writeFileSync(key('garbage'), 'no key\n');
    const authorizedKeys = ['rsa', 'ecdsa', 'locked', 'held'].map((name) =>
      readFileSync(key(`${name}.pub`), 'utf8').trim(),
    );
    sshd = await startSshd({ authorizedKeys, config: ['MaxAuthTries 4'] });
    agent = await startAgent(folder);
    for (const name of ['wrong1', 'wrong2', 'wrong3', 'wrong4', 'held']) agent.add(key(name));
  });
  afterAll(async () => {
    await agent.stop();
    await sshd.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Connects to the alias; gives `transport.target`, or the fault's sentence. */
  async function attempt(...config: readonly string[]): Promise<string> {
    const lines = ['Host alias', '  HostName 127.0.0.1', `  Port ${sshd.port}`, `  User ${sshd.user}`];
    writeFileSync(key('config'), [...lines, ...config.map((line) => `  ${line}`), ''].join('\n'));
    const transport = createSshTransport({
      target: { kind: 'ssh', host: 'alias' },
      clock: systemClock,
      configFile: key('config'),
      knownHostsFiles: [sshd.knownHostsFile],
    });
    try {
      await transport.connect();
      return transport.target;
    } catch (error) {
      expect(error).toMatchObject({ name: 'TransportFault', final: true });
      return (error as Error).message;
    } finally {
      await transport.close();
    }
  }
  const inside = () => `${sshd.user}@127.0.0.1:${sshd.port}`;
  const noAgent = 'IdentityAgent none';
  const withAgent = () => `IdentityAgent ${agent.socket}`;
  const file = (name: string) => `IdentityFile ${key(name)}`;

  test.each(['rsa', 'ecdsa'])('an alias with Port, User and an IdentityFile: %s', async (name) => {
    expect(await attempt(noAgent, file(name))).toBe(inside());
  });

  test('several key files are tried in turn', async () => {
    expect(await attempt(noAgent, file('missing'), file('garbage'), file('wrong1'), file('rsa'))).toBe(inside());
  });

  test('the key that the user named goes before the other keys of the agent', async () => {
    // The fifth in the agent: sshd gives up after four.
    expect(await attempt(withAgent(), file('held'))).toBe(inside());
    expect(await attempt(withAgent(), file('held.pub'), 'IdentitiesOnly yes')).toBe(inside());
  });

  test('too many keys of the agent: the sentence says what to set', async () => {
    expect(await attempt(withAgent(), file('rsa'))).toMatch(
      /ended the log-in after too many attempts \(tried the agent's key traintop-test-ed25519, .*IdentitiesOnly yes/,
    );
    expect(await attempt(withAgent(), file('rsa'), 'IdentitiesOnly yes')).toBe(inside());
  });

  test('an encrypted key is used by the agent that holds it, and named when none does', async () => {
    agent.add(key('locked'), 'a passphrase');
    vi.stubEnv('SSH_AUTH_SOCK', agent.socket);
    expect(await attempt(file('locked'), 'IdentitiesOnly yes')).toBe(inside());
    vi.unstubAllEnvs();
    expect(await attempt(noAgent, file('locked'))).toBe(
      `${key('locked')} is encrypted, no agent holds it, and there is no terminal to ask on for its passphrase, ` +
        `and there is nothing else to try at ${inside()} (the server takes publickey): start it on a terminal.`,
    );
  });

  test('a wrong key, a missing one and no agent: one sentence says all that was tried', async () => {
    const socket = key('nobody.sock');
    expect(await attempt(`IdentityAgent ${socket}`, file('wrong1'), file('missing'), file('garbage'))).toBe(
      `${inside()} refused the log-in: tried ${key('wrong1')}; no agent answers on ${socket}; ${key('missing')} is not there; ` +
        `${key('garbage')} cannot be read (Unsupported key format); the server takes publickey; ` +
        'check the user name, and that the key is in authorized_keys there.',
    );
  });
});
