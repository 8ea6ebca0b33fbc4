import { describe, expect, test } from 'vitest';
import { sayEnd } from '../../src/commands/terminal/after.ts';
import { createEscape } from '../../src/commands/terminal/escape.ts';
import { createTypeAhead } from '../../src/commands/terminal/type-ahead.ts';

describe('the way out of a shell', () => {
  test.each([
    ['begin of all', ['~.'], '', true],
    ['after Enter', ['ls\r~.'], 'ls\r', true],
    ['key by key', ['l', 's', '\r', '~', '.'], 'ls\r', true],
    ['not within a line', ['ls ~.'], 'ls ~.', false],
    ['a tilde by two', ['~~', '/x\r'], '~/x\r', false],
    ['a tilde before anything else', ['~/x\r~'], '~/x\r', false],
    ['nothing behind it goes through', ['a\n~.rest'], 'a\n', true, 'rest'],
    ['bytes as they are', ['\xff\x80~.'], '\xff\x80~.', false],
  ] as const)('%s', (_, typed, passed, leaves, rest: string = '') => {
    const escape = createEscape();
    const results = typed.map((text) => escape(Buffer.from(text, 'latin1')));
    expect(Buffer.concat(results.map(({ bytes }) => bytes)).toString('latin1')).toBe(passed);
    expect(results.at(-1)?.leaves).toBe(leaves);
    expect(results.at(-1)?.rest.toString()).toBe(rest);
  });
});

test('what is typed before there is a shell goes to it in order, what is typed after it not, and Esc or Ctrl-C gives it up', async () => {
  const typed = createTypeAhead();
  const got: string[] = [];
  let isGivenUp = false;
  void typed.givenUp.then(() => (isGivenUp = true));
  for (const text of ['l', 's', '\x1b[A']) typed.push(Buffer.from(text));
  typed.connect((bytes) => got.push(bytes.toString()));
  typed.push(Buffer.from('\x03'));
  await Promise.resolve();
  expect(got.join('')).toBe('ls\x1b[A\x03');
  expect(isGivenUp).toBe(false);
  typed.disconnect();
  typed.push(Buffer.from('q'));
  expect(typed.rest().toString()).toBe('q');
  for (const key of ['\x1b', '\x03']) {
    const other = createTypeAhead();
    other.push(Buffer.from(key));
    await other.givenUp;
  }
});

describe('the end of a shell', () => {
  const say = (exit: { code: number | null; signal?: string; lost?: boolean }, said = '', lastedMs = 60_000) =>
    sayEnd({ kind: 'exit', exit: { lost: false, ...exit }, said }, { target: 'root@box', lastedMs });

  test('is a sentence, but for a plain one', () => {
    expect(say({ code: 0 })).toBeUndefined();
    expect(say({ code: 3 })).toBe('The shell ended with exit code 3.');
    expect(say({ code: null, signal: 'KILL' })).toBe('The shell was ended by SIGKILL.');
    expect(say({ code: null, lost: true })).toBe('The shell ended with the connection to root@box.');
    expect(sayEnd({ kind: 'ended' }, { target: 'root@box', lastedMs: 1 })).toBeUndefined();
  });

  test('that came at once says what the shell said, without its escape sequences', () => {
    const said = '\x1b[31mError: No such container: box\x1b[m\r\n\r\n';
    expect(say({ code: 1 }, said, 200)).toBe(
      'The shell ended with exit code 1, saying "Error: No such container: box".',
    );
    expect(say({ code: 1 }, said)).toBe('The shell ended with exit code 1.');
    expect(say({ code: 1 }, '$ exit 1\r\nexit\r\n', 200)).toBe('The shell ended with exit code 1.');
  });
});
