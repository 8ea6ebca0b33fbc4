import { expect, it } from 'vitest';
import { cleanText } from '../../../src/collectors/log/clean.ts';

it.each([
  ['plain text', 'step 10 | loss 2.3', 'step 10 | loss 2.3'],
  ['colours within a number', 'train/\x1b[33mloss\x1b[0m=\x1b[1;36m6\x1b[0m\x1b[1;36m.912', 'train/loss=6.912'],
  ['a hyperlink', '\x1b]8;id=1;file:///w/train.py\x1b\\train.py\x1b]8;;\x1b\\:9', 'train.py:9'],
  ['a title of the window', '\x1b]0;loss 3\x07step 1', 'step 1'],
  ['a sequence without an end', 'step 1\x1b[31', 'step 1'],
  ['a device control string', 'a\x1bPloss=9\x1b\\b', 'ab'],
  ['cursor movements', '\x1b[?25l\x1b[2Kstep 1\x1b[A', 'step 1'],
  ['a move to the first column', '10/40 loss 3\x1b[1G12/40 loss 2', '12/40 loss 2'],
  ['a move to the right', 'loss:\x1b[4C2.5', 'loss: 2.5'],
  ['backspaces', '1/10 loss 3.0\b\b\b\b\b\b\b\b\b\b\b\b\b2/10 loss 2.5', '2/10 loss 2.5'],
  ['more backspaces than there is text', 'ab\b\b\b\b\bcd', 'cd'],
  [
    'carriage returns of a log daemon',
    '[1,mpirank:0,algo-1]<stdout>:#015 1/2 loss 3#015 2/2 loss 2',
    '[1,mpirank:0,algo-1]<stdout>: 2/2 loss 2',
  ],
  ['escapes of a log daemon', '#033[31mstep 1#033[0m', 'step 1'],
  ['carets for escapes', '^[[36mstep^[[0m 1', 'step 1'],
  ['NULs', 's\0t\0ep 1', 'step 1'],
  ['zero-width characters', 'lo\u200bss 1\ufeff', 'loss 1'],
  ['what reorders text', 'a\u202eb', 'a\ufffdb'],
  ['C1 controls', 'a\x9bb', 'a\ufffdb'],
  [
    'a line that docker wrote down',
    '{"log":"\\u001b[1mstep 1\\u001b[0m\\n","stream":"stdout","time":"2026-01-02T03:04:05Z"}',
    'step 1',
  ],
  ['JSON that only looks so', '{"log":"step 1', '{"log":"step 1'],
  ['octal numbers that are none', 'issue #0151 and #01', 'issue #0151 and #01'],
])('shows %s as a terminal would', (_, raw, shown) => expect(cleanText(raw)).toBe(shown));

it('takes the beginning of a long line, and the end of one that was drawn over', () => {
  expect(cleanText(`step 1 ${'x'.repeat(50_000)}`).length).toBe(16_000);
  const frame = (i: number) => `${i}/5000 loss ${i}.5`;
  const frames = Array.from({ length: 3000 }, (_, i) => frame(i)).join('\b'.repeat(30));
  expect(cleanText(frames).trim()).toBe(frame(2999));
});

it('never lets a control character through', () => {
  let state = 7;
  const random = () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31);
  const odd = [
    '\x1b',
    '[',
    ']',
    '8;;',
    '\\',
    '\x07',
    '\b',
    '\r',
    '\0',
    '#015',
    '#033',
    '^[',
    '\x9b',
    '{"log":"',
    'm',
    '1',
    'G',
    'C',
    'a',
    '\u202e',
  ];
  for (let i = 0; i < 20_000; i++) {
    const text = Array.from({ length: 12 }, () => odd[random() % odd.length]).join('');
    expect(cleanText(text)).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
  }
});
