import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { createSshTransport } from '../../../src/collectors/transport/ssh.ts';
import { describeWith } from '../../support/requires.ts';
import { keyOf, makeKey, startSshd, type TestSshd } from '../../support/sshd.ts';

type Verdict = 'in' | 'refused';

describeWith(['sshd', 'ssh', 'ssh-keygen'], 'host keys, by ssh and by traintop', () => {
  let sshd: TestSshd;
  let own: string;
  let rsa: string;
  let other: string;
  let ecdsa: string;
  let name: string;

  beforeAll(async () => {
    sshd = await startSshd({ config: ['PasswordAuthentication yes', 'MaxStartups 100'] });
    const key = (file: string, type = 'ed25519') => {
      makeKey(join(sshd.folder, file), type);
      return keyOf(join(sshd.folder, `${file}.pub`));
    };
    other = key('other');
    ecdsa = key('ecdsa', 'ecdsa');
    own = keyOf(join(sshd.folder, 'host_ed25519.pub'));
    rsa = keyOf(join(sshd.folder, 'host_rsa.pub'));
    name = `[127.0.0.1]:${sshd.port}`;
  });
  afterAll(() => sshd.stop());

  interface Case {
    readonly known: string;
    readonly config?: readonly string[];
    /** Of RevokedHostKeys; undefined = no such file. */
    readonly revoked?: string | Buffer;
  }

  /** A folder with the files of a case: each of the two works on files of its own. */
  function prepare({ known, config = [], revoked }: Case) {
    const folder = mkdtempSync(join(sshd.folder, 'case-'));
    const file = (file: string) => join(folder, file);
    writeFileSync(file('known_hosts'), known);
    if (revoked !== undefined) writeFileSync(file('revoked'), revoked);
    writeFileSync(
      file('config'),
      [
        ...config.map((line) => line.replaceAll('FOLDER', folder)),
        `IdentityFile ${sshd.keyFile}`,
        'IdentitiesOnly yes',
        'IdentityAgent none',
        `UserKnownHostsFile ${file('known_hosts')}`,
        'GlobalKnownHostsFile none',
        'UpdateHostKeys no',
        'BatchMode yes',
        '',
      ].join('\n'),
    );
    return file;
  }

  async function bySsh(given: Case): Promise<{ verdict: Verdict; known: string; said: string }> {
    const file = prepare(given);
    const args = ['-F', file('config'), '-p', String(sshd.port), '127.0.0.1', 'true'];
    const [code, said] = await new Promise<[unknown, string]>((resolve) => {
      execFile('ssh', args, (error, _out, err) => resolve([error?.code ?? 0, err])).stdin?.end();
    });
    return { verdict: code === 0 ? 'in' : 'refused', known: readFileSync(file('known_hosts'), 'utf8'), said };
  }

  async function byTraintop(given: Case): Promise<{ verdict: Verdict; known: string; said: string }> {
    const file = prepare(given);
    const transport = createSshTransport({
      target: { kind: 'ssh', host: '127.0.0.1', port: sshd.port },
      clock: systemClock,
      configFile: file('config'),
    });
    let said = '';
    try {
      await transport.connect();
      said = transport.login?.()?.hosts[0]?.doubt ?? '';
    } catch (error) {
      said = (error as Error).message;
      expect(error).toMatchObject({ name: 'TransportFault', final: true });
      expect(said).toMatch(/\.$/);
      return { verdict: 'refused', known: readFileSync(file('known_hosts'), 'utf8'), said };
    } finally {
      await transport.close();
    }
    return { verdict: 'in', known: readFileSync(file('known_hosts'), 'utf8'), said };
  }

  const checking = ['yes', 'ask', 'accept-new', 'no'];
  const files: readonly (readonly [string, () => Omit<Case, 'config'>, Verdict, RegExp])[] = [
    ['known', () => ({ known: `${name} ${own}\n` }), 'in', /^$/],
    [
      'known in capitals, by a pattern',
      () => ({ known: `*,!x [127.0.0.*]:${sshd.port} \n[127.0.0.?]:${sshd.port},A ${own}\n` }),
      'in',
      /^$/,
    ],
    ['known without the port', () => ({ known: `127.0.0.1 ${own}\n` }), 'in', /^$/],
    ['known by its RSA key', () => ({ known: `${name} ${rsa}\n` }), 'in', /^$/],
    ['known beside another', () => ({ known: `${name} ${other}\n${name} ${own}\n` }), 'in', /^$/],
    ['not in an empty file', () => ({ known: '' }), 'refused', /is not known/],
    ['excluded by a pattern', () => ({ known: `[127.0.0.*]:*,!${name} ${own}\n` }), 'refused', /is not known/],
    ['another known without the port', () => ({ known: `127.0.0.1 ${other}\n` }), 'refused', /is not known/],
    ['changed', () => ({ known: `${name} ${other}\n` }), 'refused', /another than in \S+known_hosts:1/],
    ['of another type', () => ({ known: `${name} ${ecdsa}\n` }), 'refused', /another than in \S+known_hosts:1/],
    [
      'revoked and known',
      () => ({ known: `${name} ${own}\n@revoked * ${own}\n` }),
      'refused',
      /revoked in \S+known_hosts:2/,
    ],
    ['another revoked', () => ({ known: `@revoked * ${other}\n${name} ${own}\n` }), 'in', /^$/],
    [
      'a comment, an unknown marker',
      () => ({ known: `# ${name} ${own}\n@new ${name} ${own}\nrubbish\n` }),
      'refused',
      /is not known/,
    ],
  ];

  test.each(files)('%s', async (_title, given, strict, sentence) => {
    const known = given();
    const both = async (value: string) => {
      const config = [`StrictHostKeyChecking ${value}`];
      const [ssh, ours] = await Promise.all([bySsh({ ...known, config }), byTraintop({ ...known, config })]);
      expect([value, ours.verdict, ours.said]).toEqual([value, ssh.verdict, ours.said]);
      if (value === 'yes') expect(ours.verdict).toBe(strict);
      if (ours.verdict === 'refused') expect(ours.said).toMatch(sentence);
      // The same line is added, or none.
      expect([value, ours.known]).toEqual([value, ssh.known]);
    };
    // Whoever is let in by `yes` is by all.
    await Promise.all((strict === 'in' ? ['yes'] : checking).map(both));
  });

  test('hashed names, and HashKnownHosts', async () => {
    const config = ['StrictHostKeyChecking accept-new', 'HashKnownHosts yes'];
    const [ssh, ours] = await Promise.all([bySsh({ known: '', config }), byTraintop({ known: '', config })]);
    for (const { known } of [ssh, ours]) {
      expect(known).toMatch(/^\|1\|\S+\|\S+ ssh-ed25519 \S+\n$/);
      for (const by of [bySsh, byTraintop]) {
        expect(await by({ known, config: ['StrictHostKeyChecking yes'] })).toMatchObject({ verdict: 'in' });
      }
    }
  });

  test.each([
    [
      'HostKeyAlias',
      () => ({ known: `Alias ${own}\n`.toLowerCase().replace(own.toLowerCase(), own) }),
      ['HostKeyAlias ALIAS'],
    ],
    ['HostKeyAlias that is not there', () => ({ known: `${name} ${own}\n` }), ['HostKeyAlias alias']],
    [
      'RevokedHostKeys',
      () => ({ known: `${name} ${own}\n`, revoked: `# mine\n${own} a comment\n` }),
      ['RevokedHostKeys FOLDER/revoked'],
    ],
    [
      'RevokedHostKeys and no',
      () => ({ known: '', revoked: own }),
      ['RevokedHostKeys FOLDER/revoked', 'StrictHostKeyChecking no'],
    ],
    [
      'RevokedHostKeys of others',
      () => ({ known: `${name} ${own}\n`, revoked: `${other}\n` }),
      ['RevokedHostKeys FOLDER/revoked'],
    ],
    ['RevokedHostKeys that is not there', () => ({ known: `${name} ${own}\n` }), ['RevokedHostKeys FOLDER/revoked']],
    ['UserKnownHostsFile none', () => ({ known: `${name} ${own}\n` }), ['UserKnownHostsFile none']],
    ['two files', () => ({ known: `${name} ${own}\n` }), ['UserKnownHostsFile FOLDER/nothing FOLDER/known_hosts']],
    ['HostKeyAlgorithms', () => ({ known: `${name} ${own}\n${name} ${rsa}\n` }), ['HostKeyAlgorithms rsa-sha2-256']],
    [
      'HostKeyAlgorithms, not of the known key',
      () => ({ known: `${name} ${own}\n` }),
      ['HostKeyAlgorithms rsa-sha2-512'],
    ],
    ['HostKeyAlgorithms -', () => ({ known: `${name} ${own}\n` }), ['HostKeyAlgorithms -ssh-ed25519*,ecdsa*']],
  ])('%s', async (_title, given, config) => {
    const [ssh, ours] = await Promise.all([bySsh({ ...given(), config }), byTraintop({ ...given(), config })]);
    expect([ours.verdict, ours.said, ours.known]).toEqual([ssh.verdict, ours.said, ssh.known]);
    expect(ours.said === '').toBe(ours.verdict === 'in');
  });

  test('a changed key under StrictHostKeyChecking no: by key, and the doubt is told; never by password', async () => {
    const changed = await byTraintop({ known: `${name} ${other}\n`, config: ['StrictHostKeyChecking no'] });
    expect(changed.said).toMatch(
      /^the host key of \S+ is another than in \S+known_hosts:1, which StrictHostKeyChecking no allows$/,
    );
    const file = prepare({
      known: `${name} ${other}\n`,
      config: ['StrictHostKeyChecking no', 'PubkeyAuthentication no', 'BatchMode no'],
    });
    const asked: string[] = [];
    const transport = createSshTransport({
      target: { kind: 'ssh', host: '127.0.0.1', port: sshd.port },
      clock: systemClock,
      configFile: file('config'),
      askSecrets: async (question) => {
        asked.push(question.title);
        return undefined;
      },
    });
    await expect(transport.connect()).rejects.toThrow(
      /refused the log-in: .*no password is sent, for the host key of \S+ is another/,
    );
    await transport.close();
    expect(asked).toEqual([]);
  });

  test('what traintop cannot check is refused in a sentence: certificates, lists in binary form, no algorithm left', async () => {
    execFileSync('ssh-keygen', ['-q', '-k', '-f', join(sshd.folder, 'krl'), join(sshd.folder, 'other.pub')]);
    const krl = readFileSync(join(sshd.folder, 'krl'));
    const refused = async (given: Case) => {
      const { verdict, said } = await byTraintop(given);
      expect(verdict).toBe('refused');
      return said;
    };
    expect(
      await refused({ known: `@cert-authority * ${other}\n`, config: ['StrictHostKeyChecking accept-new'] }),
    ).toMatch(
      /is not known, and certificates of the authority in \S+known_hosts:1 cannot be checked by traintop yet: /,
    );
    expect((await byTraintop({ known: `@cert-authority * ${other}\n${name} ${own}\n` })).verdict).toBe('in');
    expect(
      await refused({ known: `${name} ${own}\n`, config: ['RevokedHostKeys FOLDER/revoked'], revoked: krl }),
    ).toMatch(/revoked host keys \S+ cannot be read \(a key revocation list in binary form/);
    expect(
      await refused({ known: `${name} ${own}\n`, config: ['HostKeyAlgorithms ssh-ed25519-cert-v01@openssh.com'] }),
    ).toMatch(/leaves none for \S+ \(ssh-ed25519-cert-v01@openssh.com\), for host certificates cannot be checked/);
  });
});
