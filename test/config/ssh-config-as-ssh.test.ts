import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { resolveSshTarget, type ResolvedTarget } from '../../src/config/ssh-config.ts';
import type { SshTarget } from '../../src/config/target.ts';
import { isRunning } from '../support/processes.ts';
import { describeWith } from '../support/requires.ts';
import { waitFor } from '../support/waiting.ts';

type Case = readonly [title: string, lines: readonly string[], target?: Partial<SshTarget>];

describeWith(['ssh'], 'ssh_config, by ssh -G and by the own reader', () => {
  let folder: string;
  const { homedir: home, username: localUser } = userInfo();
  const file = (name: string) => join(folder, name);

  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'traintop-as-ssh-'))));
  afterEach(() => vi.unstubAllEnvs());
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function resolve(reader: 'ssh' | 'own', target: Partial<SshTarget>): Promise<ResolvedTarget> {
    return resolveSshTarget(
      { kind: 'ssh', host: 'gpu1', ...target },
      {
        configFile: file('config'),
        reader,
        surroundings: { home, localUser, env: { SSH_AUTH_SOCK: '/agent', KEYS: '/keys' } },
      },
    );
  }

  /** All that was found out, but for who did. HostKeyAlgorithms only as far as they differ from ssh's list of all. */
  async function both(lines: readonly string[], target: Partial<SshTarget> = {}) {
    writeFileSync(file('config'), lines.map((line) => `${line.replaceAll('FOLDER', folder)}\n`).join(''));
    const [ssh, own] = await Promise.all([resolve('ssh', target), resolve('own', target)]);
    expect(ssh.resolvedBy).toMatch(/^ssh -G \(OpenSSH_\S+\)$/);
    expect(own.resolvedBy).toBe('own reader: asked for');
    return [ssh, own].map((found) => plain(found));
  }

  function plain(found: ResolvedTarget): object {
    const { resolvedBy: _by, hostKeyAlgorithms: _algorithms, jumps, ...rest } = found;
    return { ...rest, jumps: jumps.map(plain) };
  }

  const cases: readonly Case[] = [
    ['nothing', []],
    ['nothing, a name in capitals, a user and a port', [], { host: 'GPU1', user: 'root', port: 2222 }],
    ['an address of IPv6', [], { host: '2001:db8::1' }],
    [
      'keywords in any case, =, quotes, comments',
      ['HOST gpu*', ' hostname=%h.Example # there', ' Port = 33', ' user "trainer"', '# Port 1'],
    ],
    ['the first value counts', ['Host gpu1', ' Port 1', ' User a', 'Host *', ' Port 2', ' User b', ' Port 3']],
    ['patterns, and what they exclude', ['Host gpu? !gpu1', ' Port 1', 'Host !gpu2 *', ' Port 2', 'Host *', ' Port 3']],
    [
      'keys add up',
      [
        'IdentityFile ~/.ssh/%r_%h_%p',
        'Host gpu1',
        ' IdentityFile "/a b/%n-%%-%u"',
        ' IdentityFile ${KEYS}/k',
        ' IdentitiesOnly yes',
      ],
    ],
    ['a default key named', ['IdentityFile ~/.ssh/id_ed25519']],
    ['no keys', ['IdentityFile none']],
    ['known_hosts', ['UserKnownHostsFile ~/.ssh/a /b', 'GlobalKnownHostsFile /c', 'HashKnownHosts yes']],
    ['known_hosts with blanks', ['UserKnownHostsFile "/with a blank/k" /b']],
    ['no known_hosts', ['UserKnownHostsFile none', 'GlobalKnownHostsFile none']],
    ...['yes', 'no', 'off', 'ask', 'accept-new'].map(
      (value) => [`StrictHostKeyChecking ${value}`, [`StrictHostKeyChecking ${value}`]] as const,
    ),
    ['HostKeyAlias, RevokedHostKeys', ['HostKeyAlias Cluster', 'RevokedHostKeys ~/revoked']],
    ['times', ['ConnectTimeout 1m30s']],
    ['times of 0', ['ConnectTimeout none']],
    ['families', ['AddressFamily inet6', 'BindAddress 2001:db8::2']],
    ['an agent', ['IdentityAgent ~/agent-%h']],
    ['an agent by variable', ['IdentityAgent $KEYS']],
    ['the usual agent', ['IdentityAgent SSH_AUTH_SOCK']],
    ['no agent', ['IdentityAgent none']],
    [
      'ways to log in',
      [
        'PreferredAuthentications password,publickey,hostbased',
        'KbdInteractiveAuthentication no',
        'NumberOfPasswordPrompts 5',
      ],
    ],
    ['BatchMode', ['BatchMode yes', 'PasswordAuthentication no', 'PubkeyAuthentication no']],
    [
      'a jump',
      [
        'Host gpu1',
        ' ProxyJump me@b:33',
        'Host b',
        ' HostName Bastion.example',
        ' IdentityFile /b',
        ' ProxyCommand nc -x p %h %p %r %n %%',
      ],
    ],
    [
      'jumps',
      [
        'Host gpu1',
        ' ProxyJump a,ssh://me@b:33,[2001:db8::1]:44',
        'Host b',
        ' ProxyJump x',
        ' User other',
        'Host a',
        ' ProxyJump first',
      ],
    ],
    ['a jump none before another', ['Host gpu1', ' ProxyJump none', 'Host *', ' ProxyJump b']],
    ['a jump before a command', ['Host gpu1', ' ProxyJump b', ' ProxyCommand nc']],
    ['a command before a jump', ['Host gpu1', ' ProxyCommand nc %h', ' ProxyJump b']],
    ['a command none before a jump', ['Host gpu1', ' ProxyCommand none', ' ProxyJump b']],
    [
      'Match host, user, all',
      ['Host gpu1', ' HostName real.example', 'Match host real.example user root', ' Port 5', 'Match all', ' Port 6'],
      { user: 'root' },
    ],
    ['Match originalhost, !', ['Match originalhost gpu1', ' Port 5', 'Match !host gpu1', ' Port 6']],
    ['Include', ['Include FOLDER/inc-*', 'Host gpu1', ' Include FOLDER/inner', ' Port 9']],
  ];

  test.each(cases.map((given) => [given[0], given] as const))('%s', async (_title, [, lines, target = {}]) => {
    writeFileSync(file('inc-1'), 'Host gpu2\n Port 7\nHost gpu1\n User included\n');
    writeFileSync(file('inner'), 'Port 8\n');
    const [ssh, own] = await both(lines, target);
    expect(own).toEqual(ssh);
  });

  test('Match exec is run by ssh, and never by the own reader', async () => {
    writeFileSync(file('config'), `Match exec "touch ${file('ran')}"\n Port 44\n`);
    expect((await resolve('own', {})).port).toBe(22);
    expect(existsSync(file('ran'))).toBe(false);
    expect((await resolve('ssh', {})).port).toBe(44);
    expect(existsSync(file('ran'))).toBe(true);
  });

  test('whoever does not wait any longer ends ssh, with what it started', async () => {
    writeFileSync(file('config'), `Match exec "echo $$ >${file('pid')}; sleep 1000; true"\n Port 44\n`);
    const stop = new AbortController();
    const asked = resolveSshTarget(
      { kind: 'ssh', host: 'gpu1' },
      { configFile: file('config'), surroundings: { home }, signal: stop.signal },
    );
    const refused = expect(asked).rejects.toThrow('ssh does not take the SSH configuration');
    const pid = await waitFor('Match exec', () => existsSync(file('pid')) && Number(readFileSync(file('pid'), 'utf8')));
    stop.abort();
    await refused;
    await waitFor('its end', () => !isRunning(pid));
  });

  test('without ssh, with an old one, or with another HOME, the own reader says why it reads', async () => {
    writeFileSync(file('config'), 'Port 44\n');
    const fake = (text: string) => {
      writeFileSync(file('ssh'), `#!/bin/sh\n${text}\n`);
      chmodSync(file('ssh'), 0o755);
    };
    vi.stubEnv('PATH', file('nowhere'));
    expect(await resolve('ssh', {})).toMatchObject({ port: 44, resolvedBy: 'own reader: there is no ssh' });
    vi.stubEnv('PATH', `${folder}:/usr/bin:/bin`);
    fake('echo "ssh: illegal option -- G" >&2; exit 255');
    expect(await resolve('ssh', {})).toMatchObject({ port: 44, resolvedBy: 'own reader: this ssh knows no -G' });
    fake('echo "No user exists for uid 1234" >&2; exit 255');
    expect(await resolve('ssh', {})).toMatchObject({ port: 44, resolvedBy: 'own reader: ssh does not know this user' });
    const elsewhere = await resolveSshTarget(
      { kind: 'ssh', host: 'gpu1' },
      { configFile: file('config'), surroundings: { home: folder } },
    );
    expect(elsewhere).toMatchObject({
      port: 44,
      resolvedBy: 'own reader: HOME is another than in passwd, where ssh looks',
    });
  });

  test('a name never becomes an option of ssh', async () => {
    writeFileSync(file('config'), 'Host *\n ProxyJump -oProxyCommand=evil\n');
    for (const reader of ['own', 'ssh'] as const) {
      await expect(resolve(reader, {})).rejects.toThrow('through ProxyJump "-oProxyCommand=evil", which is no host: ');
    }
    // Not that it could come from the command line: whatever stands there is a host.
    await expect(resolve('ssh', { host: '-V' })).rejects.toThrow(/^ssh does not take the SSH configuration for -V /);
  });

  test('what ssh does not take, and a file that is not there, give a sentence', async () => {
    writeFileSync(file('config'), 'Host *\n Foo bar\n');
    await expect(resolve('ssh', {})).rejects.toThrow(
      `ssh does not take the SSH configuration for gpu1 (it says: ${file('config')}: line 2: Bad configuration option: foo): correct that, \`ssh -G gpu1\` shows when it is right.`,
    );
    rmSync(file('config'));
    await expect(resolve('ssh', {})).rejects.toThrow(
      `The SSH configuration ${file('config')} cannot be read (ENOENT): check its path and permissions.`,
    );
  });
});
