import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import type { Line } from '../../../src/ui/parts/line.ts';
import { renderLine } from '../../../src/ui/parts/render-line.ts';
import { createTheme } from '../../../src/ui/theme.ts';

const utf8 = { LANG: 'C.UTF-8' };
const theme = createTheme({ ...utf8, TERM: 'xterm-256color' });
const mono = createTheme({ ...utf8, NO_COLOR: '1' });
const ascii = createTheme({ TRAINTOP_ASCII: '1', NO_COLOR: '1', LANG: 'C.UTF-8' });

const lines: Record<string, Line> = {
  empty: [],
  plain: [{ text: 'GPU 0' }, { text: ' 97 %', tone: 'ok' }],
  wide: [{ text: 'データ', tone: 'title' }, { text: 'ローダー' }],
  combining: [{ text: 'e\u0301'.repeat(5), tone: 'warn' }],
  emoji: [{ text: '🚀 ❤\ufe0f 👨\u200d👩\u200d👧 🇩🇪' }],
  braille: [{ text: '⣀⣤⣶⣿', tone: 'series1' }, { text: '▏▎▍▌▋▊▉█' }],
  hostile: [{ text: 'a\x1b[2Jb\x07\r\nc\u009b31m' }],
};

const strip = (row: string) => row.replace(/\x1b\[[\d;]*m/g, '');

describe.each(Object.entries(lines))('%s', (_, line) => {
  test.each([theme, mono, ascii])('is exactly as wide as asked (%#)', (theme) => {
    for (let width = 0; width <= 30; width++) {
      const row = renderLine({ line, width, theme });
      expect(stringWidth(row)).toBe(width);
      expect(strip(row)).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
    }
  });
  test('is ASCII in the ASCII theme', () => {
    expect(strip(renderLine({ line, width: 30, theme: ascii }))).toMatch(/^[\x20-\x7e]*$/);
  });
});

test('what is cut off is marked, also at the border of two segments', () => {
  const line = [{ text: 'abc' }, { text: 'def' }];
  expect(renderLine({ line, width: 6, theme: mono })).toBe('abcdef');
  expect(renderLine({ line, width: 5, theme: mono })).toBe('abcd…');
  expect(renderLine({ line, width: 3, theme: mono })).toBe('ab…');
  expect(renderLine({ line: [{ text: 'abc' }, { text: '  ' }], width: 3, theme: mono })).toBe('abc');
});

test('every style is closed', () => {
  const line: Line = [{ text: 'x', tone: 'bad', inverse: true }];
  expect(renderLine({ line, width: 1, theme })).toBe('\x1b[7m\x1b[1m\x1b[38;5;166mx\x1b[39m\x1b[22m\x1b[27m');
});

test('a dimmed row has one tone', () => {
  const line: Line = [{ text: 'x', tone: 'bad' }];
  expect(renderLine({ line, width: 1, theme, dimmed: true })).toBe('\x1b[38;5;245mx\x1b[39m');
});

describe('createTheme', () => {
  test.each([
    [{ ...utf8, NO_COLOR: '1', COLORTERM: 'truecolor' }, 'none'],
    [{ ...utf8, NO_COLOR: '', COLORTERM: 'truecolor' }, 'true'],
    [{ ...utf8, TERM: 'screen-256color' }, '256'],
    [{ ...utf8, TERM: 'xterm' }, '16'],
    [{ ...utf8, TERM: 'dumb' }, 'none'],
  ])('%o has %s colours', (environment, colours) => expect(createTheme(environment).colours).toBe(colours));
  test.each([
    [{ LANG: 'en_US.UTF-8' }, false],
    [{ LANG: 'en_US.UTF-8', LC_ALL: 'C' }, true],
    [{ LANG: 'C', LC_CTYPE: 'C.utf8' }, false],
    [{}, true],
    [{ LANG: 'en_US.UTF-8', TRAINTOP_ASCII: '1' }, true],
    [{ LANG: 'C', TRAINTOP_ASCII: '0' }, false],
  ])('%o: ASCII %s', (environment, is) => expect(createTheme(environment).ascii).toBe(is));
});
