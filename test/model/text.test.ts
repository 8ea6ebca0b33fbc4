import { expect, test } from 'vitest';
import { safeText } from '../../src/model/text.ts';

test.each([
  ['plain text 14.5K tok/s', 'plain text 14.5K tok/s'],
  ['größe 東京 ▇ ⣿ 🚀', 'größe 東京 ▇ ⣿ 🚀'],
  ['\x1b[31mred\x1b[0m', 'red'],
  ['\x1b]0;title\x07after', 'after'],
  ['\x1b]8;;file:///x\x1b\\link\x1b]8;;\x1b\\', 'link'],
  ['\x1bPq#0\x1b\\sixel', 'sixel'],
  ['a\tb', 'a b'],
  ['a\rb\x08c\x00', 'a\ufffdb\ufffdc\ufffd'],
  ['\x1b(Bx', 'x'],
  ['csi without end \x1b[12;', 'csi without end '],
  ['\x9b31mC1', '\ufffd31mC1'],
  ['evil\u202etxt.exe', 'evil\ufffdtxt.exe'],
])('%j becomes %j', (raw, safe) => {
  expect(safeText(raw)).toBe(safe);
});

test('no byte below 32, no ESC and no C1 is ever left, whatever comes', () => {
  for (let seed = 1; seed < 3000; seed++) {
    let state = seed;
    const next = () => (state = (state * 48271) % 0x7fffffff);
    const raw = Array.from({ length: 12 }, () =>
      String.fromCharCode(
        ['\x1b', '[', ']', 'P', '\x07', '\\', '1', 'm', '\x9b', '\n', ';', 'x'][next() % 12]!.charCodeAt(0),
      ),
    ).join('');
    expect(safeText(raw)).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
  }
});
