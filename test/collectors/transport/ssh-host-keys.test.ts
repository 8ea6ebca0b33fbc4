import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { createSshTransport, type HostKeyQuestion } from '../../../src/collectors/transport/ssh.ts';
import { describeWith } from '../../support/requires.ts';
import { keyOf, makeKey, startSshd, type TestSshd } from '../../support/sshd.ts';

describeWith(['sshd', 'ssh-keygen'], 'host keys of a real sshd', () => {
  let sshd: TestSshd;
  let knownHosts: string;
  let otherKey: string;

  beforeAll(async () => {
    sshd = await startSshd();
    makeKey(join(sshd.folder, 'other'));
    otherKey = keyOf(join(sshd.folder, 'other.pub'));
  });
  afterAll(() => sshd.stop());
  beforeEach(() => {
    const folder = mkdtempSync(join(sshd.folder, 'case-'));
    knownHosts = join(folder, '.ssh/known_hosts');
    execFileSync('mkdir', [join(folder, '.ssh')]);
  });

  function transport(answer?: boolean, config: readonly string[] = []) {
    const asked: HostKeyQuestion[] = [];
    const configFile = join(sshd.folder, 'config');
    writeFileSync(configFile, `${config.join('\n')}\n`);
    const confirmHostKey = async (question: HostKeyQuestion) => {
      asked.push(question);
      return answer === true;
    };
    const created = createSshTransport({
      target: { kind: 'ssh', host: '127.0.0.1', port: sshd.port },
      clock: systemClock,
      configFile,
      knownHostsFiles: [knownHosts],
      identityFiles: [sshd.keyFile],
      ...(answer !== undefined && { confirmHostKey }),
    });
    return { asked, created };
  }
  /** Connects and closes again; the fault's sentence, or undefined when it worked. */
  async function attempt({ created }: ReturnType<typeof transport>): Promise<string | undefined> {
    try {
      await created.connect();
      return undefined;
    } catch (error) {
      expect(error).toMatchObject({ name: 'TransportFault', final: true });
      return (error as Error).message;
    } finally {
      await created.close();
    }
  }

  test('an unknown key is asked for once, appended, and known from then on', async () => {
    rmSync(join(knownHosts, '..'), { recursive: true });
    const first = transport(true);
    expect(await attempt(first)).toBeUndefined();
    const shown = execFileSync('ssh-keygen', ['-lf', join(sshd.folder, 'host_ed25519.pub')], { encoding: 'utf8' });
    expect(first.asked).toEqual([
      {
        host: `[127.0.0.1]:${sshd.port}`,
        keyType: 'ssh-ed25519',
        fingerprint: shown.split(' ')[1],
        keptIn: knownHosts,
      },
    ]);
    expect(readFileSync(knownHosts, 'utf8')).toBe(`${sshd.hostKeyLine}\n`);
    expect(statSync(knownHosts).mode & 0o777).toBe(0o600);
    expect(await attempt(first)).toBeUndefined();
    const second = transport(true);
    expect(await attempt(second)).toBeUndefined();
    expect([first.asked.length, second.asked.length]).toEqual([1, 0]);
  });

  test('an unknown key that the user does not accept is refused and not kept', async () => {
    expect(await attempt(transport(false))).toMatch(
      /^The host key of \[127.0.0.1\]:\d+ \(SHA256:\S+\) was not accepted: ask who looks after the host for its fingerprint\.$/,
    );
    expect(() => readFileSync(knownHosts)).toThrow('ENOENT');
  });

  test('without a terminal an unknown key is refused with its fingerprint and what to do', async () => {
    expect(await attempt(transport())).toMatch(
      /^The host key of \S+ \(ssh-ed25519 SHA256:\S+\) is not known and there is no terminal to ask on: compare it .* or add it to \S+\/case-\S+\/known_hosts\.$/,
    );
  });

  test('BatchMode forbids the question', async () => {
    const batch = transport(true, ['BatchMode yes']);
    expect(await attempt(batch)).toContain('is not known and BatchMode forbids to ask: ');
    expect(batch.asked).toEqual([]);
  });

  test('StrictHostKeyChecking yes refuses, accept-new appends, without a question', async () => {
    const strict = transport(true, ['StrictHostKeyChecking yes']);
    expect(await attempt(strict)).toContain('StrictHostKeyChecking forbids to add it');
    const lax = transport(false, ['StrictHostKeyChecking accept-new', 'HashKnownHosts yes']);
    expect(await attempt(lax)).toBeUndefined();
    expect([...strict.asked, ...lax.asked]).toEqual([]);
    expect(readFileSync(knownHosts, 'utf8')).toMatch(/^\|1\|\S+\|\S+ ssh-ed25519 /);
    expect(await attempt(transport())).toBeUndefined();
  });

  test('a changed key is refused with file and line, whoever would confirm it', async () => {
    writeFileSync(knownHosts, `# mine\n[127.0.0.1]:${sshd.port} ${otherKey}\n`);
    const changed = transport(true, ['StrictHostKeyChecking accept-new']);
    expect(await attempt(changed)).toMatch(
      new RegExp(`is now ssh-ed25519 SHA256:\\S+, another than in ${knownHosts}:2: .*\\.$`),
    );
    expect(changed.asked).toEqual([]);
  });

  test('a host that has no key of the type that is known is refused too', async () => {
    makeKey(join(sshd.folder, 'ecdsa'), 'ecdsa');
    writeFileSync(knownHosts, `[127.0.0.1]:${sshd.port} ${keyOf(join(sshd.folder, 'ecdsa.pub'))}\n`);
    const other = transport(true, ['StrictHostKeyChecking accept-new']);
    expect(await attempt(other)).toContain(`another than in ${knownHosts}:1`);
    expect(other.asked).toEqual([]);
  });

  test('a revoked key is refused, known or not', async () => {
    const [, ...key] = sshd.hostKeyLine.split(' ');
    writeFileSync(knownHosts, `${sshd.hostKeyLine}\n@revoked * ${key.join(' ')}\n`);
    expect(await attempt(transport(true))).toContain(`is marked as revoked in ${knownHosts}:2`);
  });

  test('hashed names, and a host known by its RSA key only, are known', async () => {
    writeFileSync(knownHosts, `${sshd.hostKeyLine}\n`);
    execFileSync('ssh-keygen', ['-q', '-H', '-f', knownHosts], { stdio: 'ignore' });
    expect(await attempt(transport())).toBeUndefined();
    writeFileSync(knownHosts, `${sshd.rsaHostKeyLine}\n`);
    expect(await attempt(transport())).toBeUndefined();
  });

  test('HostKeyAlias is the name that counts', async () => {
    writeFileSync(knownHosts, `cluster ${sshd.hostKeyLine.split(' ').slice(1).join(' ')}\n`);
    expect(await attempt(transport(undefined, ['HostKeyAlias cluster']))).toBeUndefined();
    expect(await attempt(transport())).toContain('is not known');
  });
});
