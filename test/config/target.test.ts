import { expect, test } from 'vitest';
import { parseTarget, TargetError } from '../../src/config/target.ts';

test.each([
  ['local', { kind: 'local' }],
  ['demo', { kind: 'demo' }],
  ['gpu1', { kind: 'ssh', host: 'gpu1' }],
  ['root@local', { kind: 'ssh', host: 'local', user: 'root' }],
  ['me@gpu1:2222', { kind: 'ssh', host: 'gpu1', user: 'me', port: 2222 }],
  ['me@realm@gpu1', { kind: 'ssh', host: 'gpu1', user: 'me@realm' }],
  ['DOMAIN\\me@gpu1', { kind: 'ssh', host: 'gpu1', user: 'DOMAIN\\me' }],
  ['10.0.0.7:22', { kind: 'ssh', host: '10.0.0.7', port: 22 }],
  ['[fe80::1%eth0]:2200', { kind: 'ssh', host: 'fe80::1%eth0', port: 2200 }],
  ['me@[::1]', { kind: 'ssh', host: '::1', user: 'me' }],
  ['::1', { kind: 'ssh', host: '::1' }],
  ['ssh://gpu7', { kind: 'ssh', host: 'gpu7' }],
  ['SSH://me%40realm@[fe80::1]:2200/', { kind: 'ssh', host: 'fe80::1', user: 'me@realm', port: 2200 }],
  ['ssh://local', { kind: 'ssh', host: 'local' }],
  // A recording is told by a / or its name's end; a folder here that is called like a host is not meant.
  ['runs/2026-11-29T03-12-00_gpu1', { kind: 'recording', path: 'runs/2026-11-29T03-12-00_gpu1' }],
  ['./gpu1', { kind: 'recording', path: './gpu1' }],
  ['/tmp/a b/$x', { kind: 'recording', path: '/tmp/a b/$x' }],
  ['0001.jsonl.gz', { kind: 'recording', path: '0001.jsonl.gz' }],
  ['night.JSONL', { kind: 'recording', path: 'night.JSONL' }],
  ['src', { kind: 'ssh', host: 'src' }],
  ['.jsonl', { kind: 'ssh', host: '.jsonl' }],
  ['night.jsonl.bak', { kind: 'ssh', host: 'night.jsonl.bak' }],
])('reads %s', (text, target) => {
  expect(parseTarget(text)).toEqual(target);
});

test.each([
  ['', 'has no host'],
  ['me@', 'has no host'],
  ['@gpu1', 'has no user before @'],
  ['gpu1:', 'has no port from 1 to 65535 after :'],
  ['gpu1:ssh', 'has no port'],
  ['gpu1:0', 'has no port'],
  ['gpu1:65536', 'has no port'],
  ['gpu1:22:22', 'has more than one colon'],
  ['[::1]22', 'has more than one colon'],
  ['-oProxyCommand=x', 'has a host that begins with -'],
  ['-x@gpu1', 'has a user that begins with -'],
  ['ssh://', 'has no host'],
  ['ssh://gpu7/path', 'has a host with a character'],
  ['ssh://a%zz@gpu7', 'has a % that stands for no character'],
  ['gpu 1', 'has a host with a character'],
  ['gpu1;id', 'has a host with a character'],
  ['gpu\x1b[2J', 'has a host with a character'],
])('refuses %j in one sentence', (text, why) => {
  expect(() => parseTarget(text)).toThrow(TargetError);
  expect(() => parseTarget(text)).toThrow(why);
  expect(() => parseTarget(text)).toThrow(/^The target ".*" [^\n\x00-\x1f]*\.$/);
});
