import { describe, expect, test } from 'vitest';
import { createKeyFilter } from '../../src/ui/screen-input.ts';

const filter = (...chunks: readonly string[]) => {
  const keys = createKeyFilter();
  return chunks.map(keys).join('');
};

describe('the input of the screen', () => {
  test.each([
    'jjjjq',
    '\x1b',
    '\x1b[',
    '\x1b[A\x1b[B',
    '\x1bOA',
    '\x1b[1;5D',
    '\x1b[5~\x1b[6~',
    '\x1b[3;5~',
    '\x1b[Z',
    '\x1b[H\x1b[F',
    '\x1b[1~\x1b[4~',
    '\x1b[97;5u',
    '\x1b[200~[rank0] q 2\x1b[201~',
    '[rank0]',
    '\x1bd',
    'é中🙂\x7f\r\t\x03',
  ])('keeps keys and text: %j', (text) => expect(filter(text)).toBe(text));

  test.each([
    ['a mouse report', '\x1b[<35;11;12M\x1b[<0;1;2m'],
    ['an old mouse report', '\x1b[M !q'],
    ['focus', '\x1b[I\x1b[O'],
    ['the colour of the background', '\x1b]11;rgb:0000/0000/dddd\x1b\\'],
    ['the same with BEL', '\x1b]11;rgb:0000/0000/dddd\x07'],
    ['attributes', '\x1b[?62;22c\x1b[>41;354;0c'],
    ['a cursor position', '\x1b[12;1R'],
    ['a mode', '\x1b[?2026;2$y'],
    ['a setting', '\x1bP1$r0 q\x1b\\'],
    ['a function key', '\x1b[15~\x1b[[A'],
  ])('drops what is no key: %s', (_, text) => {
    expect(filter(text)).toBe('');
    expect(filter(`j${text}k`)).toBe('jk');
  });

  test('drops an answer that comes in two chunks, and no more', () => {
    expect(filter('j\x1b]11;rgb:00', '00/dddd/qqqq\x1b\\k')).toBe('jk');
    expect(filter('j\x1b]11;rgb:00', 'q')).toBe('jq');
    expect(filter('j\x1b]11;rgb:00', 'q', 'x\x07')).toBe('jqx\x07');
  });
});
