import { describe, expect, it } from 'vitest';
import { createLogReader, type LogRecord, type Piece } from '../../../../src/collectors/log/reader.ts';
import { recordsOf } from '../read-records.ts';

const hostile = Buffer.concat([
  Buffer.from('step 1 | loss 2.5\r\n\x1b[31mstep 2\x1b[0m | loss 2.4 ██▌ héllo\n'),
  Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0x0a]),
  Buffer.from('\0\0step 3 | loss 2.3\0\n\x1b]8;;http://x\x1b\\step 4\x1b]8;;\x1b\\ | loss 2.2\n'),
  Buffer.from('\r 10%|█ | 1/10 [00:01<00:09,  1.00it/s]\r 20%|██ | 2/10 [00:02<00:08,  1.00it/s]\n'),
  Buffer.from([0xe2, 0x96]),
  Buffer.from(`\nstep 5:\n  loss: 2.1\n\x1b[999999999999mstep 6 | loss 2.0\x1b[\n\x1b]unfinished\n`),
  Buffer.from(`step 7 | loss 1.9 ${'x'.repeat(70_000)}step 8 | loss 9\n`),
  Buffer.from('step 9 | loss 1.8'),
]);

const told = (records: readonly LogRecord<Piece & { line: number }>[]) =>
  records.map(({ pieces, texts, ...said }) => ({ line: pieces[0]?.line, texts, ...said }));

describe('a hostile log', () => {
  it('gives the same records however its bytes come', async () => {
    const whole = told(await recordsOf(hostile));
    for (const size of [1, 2, 3, 5, 7, 64, 1000, 65_536]) expect(told(await recordsOf(hostile, size))).toEqual(whole);
    const steps = whole.flatMap(({ values }) => (values?.step === undefined ? [] : [values.step]));
    expect(steps).toEqual([1, 2, 3, 4, 1, 2, 5, 6, 7, 9]);
    expect(JSON.stringify(whole)).not.toMatch(/\\u00[01]|\\u001b|\x7f|[\x80-\x9f]/);
  });

  it('has a line of 1 MB in one record, of which the beginning is read', async () => {
    const long = `step 10 | loss 2.5 ${'y'.repeat(500_000)} step 11 | loss 1 ${'é'.repeat(250_000)}`;
    const records = await recordsOf(`step 9 | loss 3\n${long}\nstep 12 | loss 2\n`);
    expect(records.map(({ pieces, values }) => [pieces.length > 1, values?.step])).toEqual([
      [false, 9],
      [true, 10],
      [false, 12],
    ]);
  });

  it('has a line end of two bytes at the border of a part', async () => {
    for (const extra of [-2, -1, 0, 1, 2]) {
      const log = `${'z'.repeat(65_536 + extra)}\r\nstep 1 | loss 2\n`;
      const records = await recordsOf(log);
      expect(records.at(-1)).toMatchObject({ values: { step: 1 } });
      expect(records.at(-1)?.pieces[0]?.line).toBe(2);
    }
  });
});

describe('what the reader holds', () => {
  /** All pieces come out again, in their order; as many as `most` are held. */
  function held(text: (i: number) => Piece, count: number): number {
    const reader = createLogReader<Piece & { readonly i: number }>();
    const given: number[] = [];
    let most = 0;
    for (let i = 0; i < count; i++) {
      given.push(...reader.push({ ...text(i), i }).flatMap(({ pieces }) => pieces.map((piece) => piece.i)));
      most = Math.max(most, i + 1 - given.length);
    }
    given.push(...reader.flush().flatMap(({ pieces }) => pieces.map((piece) => piece.i)));
    expect(given).toEqual(Array.from({ length: count }, (_, i) => i));
    return most;
  }

  it.each<[string, (i: number) => Piece]>([
    ['a block without an end', (i) => ({ text: i === 0 ? 'Step 1:' : `  key${i}: ${i}` })],
    [
      'a traceback without an end',
      (i) => ({ text: i === 0 ? 'Traceback (most recent call last):' : `  File "a.py", line ${i}` }),
    ],
    ['a dictionary without an end', (i) => ({ text: i === 0 ? '{' : `  "key${i}": {` })],
    ['a table without an end', (i) => ({ text: i === 0 ? '----------' : `| key${i} | ${i} |` })],
    ['empty lines', () => ({ text: '' })],
    [
      'tracebacks of many ranks',
      (i) => ({ text: `[rank${i % 1000}]: ${i < 1000 ? 'Traceback (most recent call last):' : '  File "a.py"'}` }),
    ],
  ])('is bounded for %s', (_, text) => expect(held(text, 5000)).toBeLessThanOrEqual(400));

  it('is bounded for a line without an end', () => {
    const part = 'x'.repeat(65_536);
    expect(held((i) => ({ text: part, goesOn: i > 0 }), 2000)).toBeLessThanOrEqual(64);
  });

  it('has each piece once, whatever comes', () => {
    let state = 11;
    const random = (below: number) => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) % below;
    const texts = [
      '',
      'Step 5:',
      '  loss: 3',
      '{',
      '  "a": 1,',
      '}',
      'Traceback (most recent call last):',
      '  File "a.py", line 3',
      'ValueError: x',
      '----------',
      '| a | 1 |',
      '[rank0]: Traceback (most recent call last):',
      '[rank0]:   File "a.py"',
      '[rank1]: x',
      'NVRM: The NVIDIA GPU 0000:b3:00.0',
      'NVRM: fallen off',
      '[14:04:35] INFO     loss=1,',
      '                    step=3',
      'step:1 - a:1 - b',
      'c:2 - d:3',
      ' 10%|█ | 1/10 [00:01<00:09,  1.00it/s]',
    ];
    held(
      () => ({
        text: texts[random(texts.length)] ?? '',
        ...(random(9) === 0 && { goesOn: true }),
        ...(random(20) === 0 && { unread: true }),
      }),
      20_000,
    );
  });
});

/** Shapes on which a careless pattern takes quadratic time. */
it.each([
  'a',
  '1',
  ' ',
  '-',
  ':',
  '|',
  '| a ',
  'a:1 - ',
  ' - ',
  'a-1',
  '[PG ',
  '(a=1 ',
  'config ',
  'step ',
  '{',
  'rank=',
  'a:a:',
  '━',
  '1/',
  '[repeated 1x',
])('joins lines of 16 kB of %j in no time', async (piece) => {
  const long = piece.repeat(16_000 / piece.length);
  const firsts = [
    'Step 1:',
    '-------',
    'step:1 - a:1 - b:2 - c',
    '[14:04:35] INFO     a',
    '{',
    'Test Error:',
    '╭── a',
    long,
  ];
  const seconds = [long, `  ${long}`, `| ${long}`, `a:1 - ${long}`, `  a: ${long}`, `${' '.repeat(9000)}${long}`];
  const started = performance.now();
  await recordsOf(firsts.flatMap((first) => seconds.map((second) => `${first}\n${second}\n`)).join(''));
  expect(performance.now() - started).toBeLessThan(3000);
});
