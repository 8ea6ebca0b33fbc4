import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  appendKnownHost,
  fingerprint,
  parseHostKey,
  readKnownHosts,
  type HostKey,
} from '../../../src/collectors/transport/known-hosts.ts';
import { describeWith } from '../../support/requires.ts';
import { keyOf, makeKey } from '../../support/sshd.ts';

describeWith(['ssh-keygen'], 'known_hosts', () => {
  let folder: string;
  const keys: Record<string, { key: HostKey; line: string }> = {};

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'traintop-known-'));
    for (const [name, type] of [
      ['one', 'ed25519'],
      ['two', 'ed25519'],
      ['ecdsa', 'ecdsa'],
      ['rsa', 'rsa'],
    ] as const) {
      makeKey(join(folder, name), type);
      const line = keyOf(join(folder, `${name}.pub`));
      keys[name] = { line, key: parseHostKey(Buffer.from(line.split(' ')[1] ?? '', 'base64')) as HostKey };
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const keyNamed = (name: string) => keys[name]?.key as HostKey;
  const line = (names: string, name: string) => `${names} ${keys[name]?.line} a comment`;
  function write(...lines: string[]): string {
    const file = join(folder, 'known_hosts');
    writeFileSync(file, `${lines.join('\n')}\n`);
    return file;
  }
  const check = (file: string, names: string[], name: string) => readKnownHosts([file]).check(names, keyNamed(name));

  test('names, lists, ports, wildcards, negation', () => {
    const file = write(
      '# a comment',
      '',
      line('plain,Other,10.0.0.7', 'one'),
      line('[ported]:2222', 'one'),
      line('*.cluster,!bad.cluster,node?', 'one'),
    );
    for (const name of ['plain', 'other', '10.0.0.7', 'a.cluster', 'node1']) {
      expect([name, check(file, [name], 'one').kind]).toEqual([name, 'known']);
    }
    expect(check(file, ['[ported]:2222', 'ported'], 'one').kind).toBe('known');
    for (const name of ['ported', 'bad.cluster', 'node', 'node10', 'xplain', 'cluster']) {
      expect([name, check(file, [name], 'one').kind]).toEqual([name, 'unknown']);
    }
  });

  test('a changed key names file and line, whatever its type, as ssh does', () => {
    const file = write('# first', line('host', 'one'));
    expect(check(file, ['host'], 'two')).toEqual({ kind: 'changed', file, line: 2 });
    expect(check(file, ['host'], 'rsa')).toEqual({ kind: 'changed', file, line: 2 });
    expect(readKnownHosts([file]).types(['host'])).toEqual(['ssh-ed25519']);
  });

  test('one of several keys, in any file, is enough', () => {
    const first = write(line('host', 'one'));
    const second = join(folder, 'known_hosts2');
    writeFileSync(second, `${line('host', 'two')}\n`);
    expect(readKnownHosts([join(folder, 'missing'), first, second]).check(['host'], keyNamed('two')).kind).toBe(
      'known',
    );
  });

  test('the name without its port may vouch for a key, and calls none changed', () => {
    const file = write(line('host', 'one'));
    expect(check(file, ['[host]:22022', 'host'], 'one').kind).toBe('known');
    expect(check(file, ['[host]:22022', 'host'], 'two').kind).toBe('unknown');
    const both = write(line('host', 'one'), line('[host]:22022', 'two'));
    expect(check(both, ['[host]:22022', 'host'], 'one')).toEqual({ kind: 'changed', file: both, line: 2 });
  });

  test('@revoked goes before all, @cert-authority and lines that cannot be read are passed over', () => {
    const file = write(
      line('host', 'one'),
      '@revoked * half a line',
      `@cert-authority ${line('*', 'two')}`,
      'host ssh-ed25519',
      'host 1024 35 12345',
      `@revoked ${line('*', 'one')}`,
    );
    expect(check(file, ['host'], 'one')).toEqual({ kind: 'revoked', file, line: 6 });
    expect(check(file, ['elsewhere'], 'two').kind).toBe('unknown');
  });

  test('names hashed by ssh-keygen -H', () => {
    const file = write(line('host', 'one'), line('[host]:2222', 'ecdsa'));
    execFileSync('ssh-keygen', ['-q', '-H', '-f', file], { stdio: 'ignore' });
    expect(readFileSync(file, 'utf8')).not.toContain('host');
    expect(check(file, ['host'], 'one').kind).toBe('known');
    expect(check(file, ['host'], 'two')).toEqual({ kind: 'changed', file, line: 1 });
    expect(check(file, ['[host]:2222', 'host'], 'ecdsa').kind).toBe('known');
    expect(check(file, ['other'], 'one').kind).toBe('unknown');
  });

  test.each([false, true])('a new key is appended so that ssh-keygen finds it (hashed: %s)', async (hashed) => {
    const file = join(folder, `new-${hashed}`, 'known_hosts');
    await appendKnownHost({ file, name: '[host]:2222', key: keyNamed('one'), hashed });
    expect([statSync(join(file, '..')).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600]);
    // The last line has no end.
    writeFileSync(file, readFileSync(file, 'utf8').trimEnd());
    await appendKnownHost({ file, name: 'second', key: keyNamed('rsa'), hashed });
    for (const [name, key] of [
      ['[host]:2222', 'one'],
      ['second', 'rsa'],
    ] as const) {
      expect(execFileSync('ssh-keygen', ['-F', name, '-f', file], { encoding: 'utf8' })).toContain(keys[key]?.line);
      expect(check(file, [name], key).kind).toBe('known');
    }
  });

  test('fingerprints are those of ssh-keygen', () => {
    const shown = execFileSync('ssh-keygen', ['-l', '-f', join(folder, 'rsa.pub')], { encoding: 'utf8' });
    expect(shown).toContain(fingerprint(keyNamed('rsa')));
  });

  test('bytes that are no key give none', () => {
    for (const bytes of [[], [0, 0, 0, 9, 1], [0, 0, 0, 0], [0, 0, 0, 2, 27, 10]]) {
      expect(parseHostKey(Buffer.from(bytes))).toBeUndefined();
    }
  });
});
