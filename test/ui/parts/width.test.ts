import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { cutText, displayWidth, fitText, plainText, wrapText } from '../../../src/ui/parts/width.ts';

describe('displayWidth', () => {
  test('agrees with string-width on every character of the fast path and on all others', () => {
    for (let code = 0x20; code < 0x3000; code++) {
      const text = plainText(String.fromCodePoint(code));
      if (displayWidth(text) !== stringWidth(text)) expect.fail(`U+${code.toString(16)}: ${displayWidth(text)}`);
    }
  });

  test.each([
    ['abc', 3],
    ['日本語', 6],
    ['e\u0301te\u0301', 3],
    ['🚀', 2],
    ['▏▎▍⣿⡀', 5],
    ['GPU 0 │ 97 %', 12],
  ])('%s takes %i cells', (text, cells) => expect(displayWidth(plainText(text))).toBe(cells));
});

describe('plainText', () => {
  test.each([
    ['family', '👨\u200d👩\u200d👧', '👨👩👧'],
    ['heart with a variation selector', '❤\ufe0f', '❤'],
    ['skin tone', '👍\u{1f3fd}', '👍'],
    ['flag', '🇩🇪', 'DE'],
    ['escape sequence', 'a\x1b[31mb', 'a\ufffd[31mb'],
    ['C1 control', 'a\u009bb', 'a\ufffdb'],
    ['text turned round', 'a\u202eb', 'a\ufffdb'],
  ])('%s', (_, text, plain) => expect(plainText(text)).toBe(plain));
});

describe('cutText', () => {
  test.each([
    ['training', 8, 'training'],
    ['training', 5, 'trai…'],
    ['training', 1, '…'],
    ['training', 0, ''],
    ['日本語', 5, '日本…'],
    ['日本語', 4, '日…'],
    ['日本語', 2, '…'],
  ])('%s in %i cells', (text, width, shown) => expect(cutText(text, width)).toBe(shown));
});

test('fitText is exactly as wide as asked', () => {
  for (const text of ['', 'a', '日本語のスレッド', 'e\u0301'.repeat(9), '🚀🚀🚀', '👨\u200d👩\u200d👧 x'])
    for (let width = 0; width < 14; width++)
      for (const align of ['left', 'right'] as const) expect(stringWidth(fitText(text, width, align))).toBe(width);
});

describe('wrapText', () => {
  test('breaks at blanks', () =>
    expect(wrapText('no GPU was found here', 8)).toEqual(['no GPU', 'was', 'found', 'here']));
  test('breaks words that are too long', () =>
    expect(wrapText('a /very/long/path', 6)).toEqual(['a', '/very/', 'long/p', 'ath']));
  test('ends with wide characters in one cell', () => expect(wrapText('日本', 1)).toEqual(['日', '本']));
});
