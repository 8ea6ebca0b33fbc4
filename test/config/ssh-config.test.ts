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

function resolve(host: string, more: Partial<SshTarget> = {}, env: Record<string, string> = {}, configFile?: string) {
  const file = configFile ?? join(home, '.ssh/config');
  if (configFile === undefined && !existsSync(file)) write('config', '');
  const target: SshTarget = { kind: 'ssh', host, ...more };
  return resolveSshTarget(target, { configFile: file, surroundings: { home, localUser: 'me', env } });
}

test('without a configuration OpenSSH defaults hold', () => {
  expect(resolve('GPU1', {}, { SSH_AUTH_SOCK: '/agent' })).toEqual({
    alias: 'GPU1',
    host: 'gpu1',
    port: 22,
    user: 'me',
    identityFiles: undefined,
    identitiesOnly: false,
    agentSocket: '/agent',
    hostKeyAlias: undefined,
    knownHostsFiles: [
      join(home, '.ssh/known_hosts'),
      join(home, '.ssh/known_hosts2'),
      '/etc/ssh/ssh_known_hosts',
      '/etc/ssh/ssh_known_hosts2',
    ],
    newHostsFile: join(home, '.ssh/known_hosts'),
    hashKnownHosts: false,
    unknownHostKeys: 'ask',
    loginMethods: ['publickey', 'keyboard-interactive', 'password'],
    passwordPrompts: 3,
    connectTimeoutMs: undefined,
    family: 0,
  });
});

test('an alias gives host, user, port and keys; keywords in any case, first value wins, IdentityFile adds up', () => {
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
  expect(resolve('gpu1', {}, { TEAM: 'a' })).toEqual({
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
    hostKeyAlias: 'cluster',
    knownHostsFiles: [join(home, '.ssh/one'), '/two'],
    newHostsFile: join(home, '.ssh/one'),
    hashKnownHosts: false,
    unknownHostKeys: 'accept',
    loginMethods: ['publickey', 'keyboard-interactive', 'password'],
    passwordPrompts: 3,
    connectTimeoutMs: 7000,
    family: 6,
  });
});

test('the command line goes before the configuration', () => {
  write('config', 'Host gpu1', '  User trainer', '  Port 2222', 'Match user root', '  IdentityFile /root-key');
  const { user, port, identityFiles } = resolve('gpu1', { user: 'root', port: 22 });
  expect({ user, port, identityFiles }).toEqual({ user: 'root', port: 22, identityFiles: ['/root-key'] });
});

test('Match host is compared with the name that HostName gave', () => {
  write(
    'config',
    'Host gpu*',
    '  hostname %h.cluster',
    '  User trainer',
    'Match host gpu1.cluster user trainer',
    '  Port 33',
  );
  expect([resolve('gpu1').port, resolve('gpu2').port]).toEqual([33, 22]);
});

test('Match exec is not run and not met; no name is looked up', () => {
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
  expect(resolve('gpu1')).toMatchObject({ host: 'gpu1', port: 3 });
  expect(existsSync(trace)).toBe(false);
});

test('Include: wildcards, in place, and under a Host only for that host', () => {
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
  expect(resolve('b')).toMatchObject({ port: 5, user: 'last', identityFiles: undefined });
  expect(resolve('a')).toMatchObject({ port: 8, user: 'last', identityFiles: ['/inner'] });
  write('config', 'Include config');
  expect(() => resolve('a')).toThrow(/includes files more than 16 deep\.$/);
});

test.each([
  ['ProxyJump bastion', 'ProxyJump'],
  ['proxycommand nc %h %p', 'ProxyCommand'],
])('%s is refused, not passed by', (line, keyword) => {
  write('config', 'Host gpu1', `  ${line}`);
  expect(() => resolve('gpu1')).toThrow(`reaches gpu1 through ${keyword}, which traintop does not support yet`);
  write('config', 'Host gpu1', '  ProxyJump none', '  ProxyCommand none');
  expect(resolve('gpu1').host).toBe('gpu1');
});

test('without a known_hosts of the user new keys are kept nowhere, least of all in the file of the machine', () => {
  write('config', 'UserKnownHostsFile none');
  expect(resolve('gpu1')).toMatchObject({
    knownHostsFiles: ['/etc/ssh/ssh_known_hosts', '/etc/ssh/ssh_known_hosts2'],
    newHostsFile: undefined,
  });
});

test('IdentityAgent none, and from a variable', () => {
  write('config', 'Host a', '  IdentityAgent none', 'Host b', '  IdentityAgent $MY_AGENT');
  expect(resolve('a', {}, { SSH_AUTH_SOCK: '/agent' }).agentSocket).toBeUndefined();
  expect(resolve('b', {}, { MY_AGENT: '/mine' }).agentSocket).toBe('/mine');
});

test('bad files give a sentence that names the file', () => {
  const file = write('config', 'Host gpu1', '  User "half');
  expect(() => resolve('gpu1')).toThrow(`The SSH configuration ${file} cannot be understood`);
  write('config', 'Host gpu1', '  UserKnownHostsFile');
  expect(() => resolve('gpu1')).toThrow(`The SSH configuration ${file} cannot be understood`);
  write('config', 'Host gpu1', '  Port ssh');
  expect(() => resolve('gpu1')).toThrow('has no port from 1 to 65535');
  expect(() => resolve('gpu1', {}, {}, join(home, 'not-there'))).toThrow('not-there cannot be read (ENOENT)');
  expect(resolve('gpu1', {}, {}, 'none').port).toBe(22);
});

test('ways to log in, their order, and how often is asked', () => {
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
  expect(resolve('two')).toMatchObject({ loginMethods: ['password', 'publickey'], passwordPrompts: 5 });
  expect(resolve('keys')).toMatchObject({ loginMethods: ['publickey'], passwordPrompts: 0 });
  expect(resolve('old')).toMatchObject({ loginMethods: ['password'], passwordPrompts: 3 });
});
