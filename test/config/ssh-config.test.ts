import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { resolveSshTarget } from '../../src/config/ssh-config.ts';
import type { SshTarget } from '../../src/config/target.ts';

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'traintop-home-'));
  mkdirSync(join(home, '.ssh/config.d'), { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function write(name: string, ...lines: string[]): string {
  const path = join(home, '.ssh', name);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

async function resolve(
  host: string,
  more: Partial<SshTarget> = {},
  env: Record<string, string> = {},
  configFile?: string,
) {
  const file = configFile ?? join(home, '.ssh/config');
  if (configFile === undefined && !existsSync(file)) write('config', '');
  const target: SshTarget = { kind: 'ssh', host, ...more };
  return resolveSshTarget(target, { configFile: file, surroundings: { home, localUser: 'me', env }, reader: 'own' });
}

test('without a configuration OpenSSH defaults hold', async () => {
  expect(await resolve('GPU1', {}, { SSH_AUTH_SOCK: '/agent' })).toEqual({
    alias: 'GPU1',
    host: 'gpu1',
    port: 22,
    user: 'me',
    identityFiles: undefined,
    identitiesOnly: false,
    agentSocket: '/agent',
    agentIsOff: false,
    hostKeyAlias: undefined,
    knownHostsFiles: [
      join(home, '.ssh/known_hosts'),
      join(home, '.ssh/known_hosts2'),
      '/etc/ssh/ssh_known_hosts',
      '/etc/ssh/ssh_known_hosts2',
    ],
    newHostsFile: join(home, '.ssh/known_hosts'),
    hashKnownHosts: false,
    resolvedBy: 'own reader: asked for',
    jumps: [],
    proxyCommand: undefined,
    checking: 'ask',
    revokedHostKeysFile: undefined,
    bindAddress: undefined,
    hostKeyAlgorithms: undefined,
    loginMethods: ['publickey', 'keyboard-interactive', 'password'],
    passwordPrompts: 3,
    connectTimeoutMs: undefined,
    family: 0,
  });
});

test('an alias gives host, user, port and keys; keywords in any case, first value wins, IdentityFile adds up', async () => {
  write(
    'config',
    'Host gpu*',
    '  hostname %h.cluster.example # the login node',
    '  PORT 2222',
    '  user = trainer',
    '  IdentityFile ~/.ssh/%r_%h_%p',
    '  IdentityFile "/keys/with space/${TEAM}"',
    '  IdentitiesOnly yes',
    '  HostKeyAlias Cluster',
    '  UserKnownHostsFile ~/.ssh/one /two',
    '  GlobalKnownHostsFile none',
    '  StrictHostKeyChecking accept-new',
    '  ConnectTimeout 7',
    '  AddressFamily inet6',
    'Host *',
    '  User nobody',
    '  IdentityFile %d/.ssh/%u-%n-%%',
    '  IdentityAgent ~/agent.sock',
  );
  expect(await resolve('gpu1', {}, { TEAM: 'a' })).toEqual({
    alias: 'gpu1',
    host: 'gpu1.cluster.example',
    port: 2222,
    user: 'trainer',
    identityFiles: [
      join(home, '.ssh/trainer_gpu1.cluster.example_2222'),
      '/keys/with space/a',
      join(home, '.ssh/me-gpu1-%'),
    ],
    identitiesOnly: true,
    agentSocket: join(home, 'agent.sock'),
    agentIsOff: false,
    hostKeyAlias: 'cluster',
    knownHostsFiles: [join(home, '.ssh/one'), '/two'],
    newHostsFile: join(home, '.ssh/one'),
    hashKnownHosts: false,
    resolvedBy: 'own reader: asked for',
    jumps: [],
    proxyCommand: undefined,
    checking: 'accept-new',
    revokedHostKeysFile: undefined,
    bindAddress: undefined,
    hostKeyAlgorithms: undefined,
    loginMethods: ['publickey', 'keyboard-interactive', 'password'],
    passwordPrompts: 3,
    connectTimeoutMs: 7000,
    family: 6,
  });
});

test('the command line goes before the configuration', async () => {
  write('config', 'Host gpu1', '  User trainer', '  Port 2222', 'Match user root', '  IdentityFile /root-key');
  const { user, port, identityFiles } = await resolve('gpu1', { user: 'root', port: 22 });
  expect({ user, port, identityFiles }).toEqual({ user: 'root', port: 22, identityFiles: ['/root-key'] });
});

test('Match host is compared with the name that HostName gave', async () => {
  write(
    'config',
    'Host gpu*',
    '  hostname %h.cluster',
    '  User trainer',
    'Match host gpu1.cluster user trainer',
    '  Port 33',
  );
  expect([(await resolve('gpu1')).port, (await resolve('gpu2')).port]).toEqual([33, 22]);
});

test('Match exec is not run and not met; no name is looked up', async () => {
  const trace = join(home, 'ran');
  write(
    'config',
    `Match exec "touch ${trace}"`,
    '  Port 1',
    `Match host gpu1 exec "touch ${trace}"`,
    '  Port 2',
    'Host gpu1',
    '  CanonicalizeHostname yes',
    '  CanonicalDomains invalid',
    '  Port 3',
  );
  expect(await resolve('gpu1')).toMatchObject({ host: 'gpu1', port: 3 });
  expect(existsSync(trace)).toBe(false);
});

test('Include: wildcards, in place, and under a Host only for that host', async () => {
  write(
    'config',
    'Include config.d/*.conf',
    'Include missing',
    'Host a',
    '  Include inner',
    '  Port 9',
    'Host *',
    '  User last',
  );
  write('config.d/1.conf', 'Host b', '  Port 5');
  write('config.d/2.txt', 'Host b', '  Port 6');
  write('inner', 'IdentityFile /inner', 'Host *', '  Port 8');
  expect(await resolve('b')).toMatchObject({ port: 5, user: 'last', identityFiles: undefined });
  expect(await resolve('a')).toMatchObject({ port: 8, user: 'last', identityFiles: ['/inner'] });
  write('config', 'Include config');
  await expect(resolve('a')).rejects.toThrow(/includes files more than 16 deep\.$/);
});

/** What is between us and a host: aliases with users and ports. */
async function wayTo(host: string) {
  const { jumps } = await resolve(host);
  return jumps.map(({ user, host: name, port, proxyCommand }) =>
    [`${user}@${name}:${port}`, proxyCommand].filter(Boolean).join(' '),
  );
}

test('ProxyJump: each host on the way by its own configuration, the nearest by its own way', async () => {
  write(
    'config',
    ...['Host far', '  ProxyJump me2@b:2200,[2001:db8::1]:99,ssh://last/'],
    ...['Host near', '  ProxyJump b'],
    ...[
      'Host b',
      '  HostName bastion.example',
      '  User jumper',
      '  Port 2022',
      '  ProxyCommand nc -x proxy:1 %h %p %r %n %%',
    ],
    // What comes before it is said by whoever goes on from it.
    ...['Host last', '  ProxyJump elsewhere', '  User deep'],
    ...['Host *', '  ProxyJump none'],
  );
  expect(await wayTo('far')).toEqual([
    'me2@bastion.example:2200 nc -x proxy:1 bastion.example 2200 me2 b %',
    'me@2001:db8::1:99',
    'deep@last:22',
  ]);
  expect(await wayTo('near')).toEqual(['jumper@bastion.example:2022 nc -x proxy:1 bastion.example 2022 jumper b %']);
  expect(await wayTo('b')).toEqual([]);
  expect(await resolve('b')).toMatchObject({ proxyCommand: expect.stringContaining('nc -x') });
  write('config', 'Host gpu1', '  ProxyJump none', '  ProxyCommand nc');
  expect(await resolve('gpu1')).toMatchObject({ jumps: [], proxyCommand: undefined });
});

test('ways that cannot be gone are refused in a sentence', async () => {
  write('config', 'Host *', '  ProxyJump bastion');
  await expect(resolve('gpu1')).rejects.toThrow(
    /^The SSH configuration goes round in a circle \(ProxyJump: me@gpu1:22 through me@bastion:22 through me@bastion:22\): .*\.$/,
  );
  write('config', 'ProxyJump -oProxyCommand=evil');
  await expect(resolve('gpu1')).rejects.toThrow('through ProxyJump "-oProxyCommand=evil", which is no host');
  write('config', 'ProxyCommand nc', 'ProxyUseFdpass yes');
  await expect(resolve('gpu1')).rejects.toThrow('says ProxyUseFdpass for gpu1, which traintop cannot do');
});

test('without a known_hosts of the user new keys are kept nowhere, least of all in the file of the machine', async () => {
  write('config', 'UserKnownHostsFile none');
  expect(await resolve('gpu1')).toMatchObject({
    knownHostsFiles: ['/etc/ssh/ssh_known_hosts', '/etc/ssh/ssh_known_hosts2'],
    newHostsFile: undefined,
  });
});

test('IdentityAgent none, and from a variable', async () => {
  write('config', 'Host a', '  IdentityAgent none', 'Host b', '  IdentityAgent $MY_AGENT');
  expect((await resolve('a', {}, { SSH_AUTH_SOCK: '/agent' })).agentSocket).toBeUndefined();
  expect((await resolve('b', {}, { MY_AGENT: '/mine' })).agentSocket).toBe('/mine');
});

test('bad files give a sentence that names the file', async () => {
  const file = write('config', 'Host gpu1', '  User "half');
  await expect(resolve('gpu1')).rejects.toThrow(`The SSH configuration ${file} cannot be understood`);
  write('config', 'Host gpu1', '  UserKnownHostsFile');
  await expect(resolve('gpu1')).rejects.toThrow(`The SSH configuration ${file} cannot be understood`);
  write('config', 'Host gpu1', '  Port ssh');
  await expect(resolve('gpu1')).rejects.toThrow('has no port from 1 to 65535');
  await expect(resolve('gpu1', {}, {}, join(home, 'not-there'))).rejects.toThrow('not-there cannot be read (ENOENT)');
  expect((await resolve('gpu1', {}, {}, 'none')).port).toBe(22);
});

test('ways to log in, their order, and how often is asked', async () => {
  write(
    'config',
    ...[
      'Host two',
      'PreferredAuthentications password,gssapi-with-mic,publickey,nonsense',
      'NumberOfPasswordPrompts 5',
    ],
    ...['Host keys', 'PasswordAuthentication no', 'KbdInteractiveAuthentication no', 'BatchMode yes'],
    ...['Host old', 'ChallengeResponseAuthentication no', 'PubkeyAuthentication no', 'NumberOfPasswordPrompts 0'],
  );
  expect(await resolve('two')).toMatchObject({ loginMethods: ['password', 'publickey'], passwordPrompts: 5 });
  expect(await resolve('keys')).toMatchObject({ loginMethods: ['publickey'], passwordPrompts: 0 });
  expect(await resolve('old')).toMatchObject({ loginMethods: ['password'], passwordPrompts: 3 });
});
