import { expect, it } from 'vitest';
import { readLine, readLines } from './read-line.ts';
import { numberPattern } from '../../../src/collectors/log/numbers.ts';

const host = { utcOffsetMinutes: 0, clockOffsetMs: 0 };
const read = (text: string) => readLine(text, { arrival: 0, host, backlog: false });

/** Shapes on which a careless pattern takes quadratic time: 16 kB then take seconds. */
it.each([
  'x',
  'a-',
  'a/',
  'a.b.',
  'ab ',
  ' ',
  ' |',
  '1',
  '1,',
  'a(',
  'a(b',
  '123,',
  '1/',
  'a=',
  'a=1 ',
  '5%|',
  "{'a': ",
  '[1, ',
  'Error',
  'AWarning',
  '(a ',
  '\x1b[',
  '\x1b]',
  'eta 1:',
  'eta: 1h ',
  '1 tok',
  '%<[',
  'nan',
])('reads 20 kB of %j in no time', (piece) => {
  const started = performance.now();
  for (const end of ['', '!', '1', ' step 1/2', ' 5 tok/s: 1', '\n']) {
    read(`step ${piece.repeat(20_000 / piece.length)}${end}`);
    read(`1 < 2% ${piece.repeat(20_000 / piece.length)}${end}`);
  }
  expect(performance.now() - started).toBeLessThan(3000);
});

it('takes no number that is longer than any has', () => {
  expect(new RegExp(numberPattern).exec(`1${',234'.repeat(4000)}`)?.[0]).toBe(`1${',234'.repeat(6)}`);
});

it('keeps odd keys as data', () => {
  const values = read("{'__proto__': 1, 'constructor': 2, 'loss': 3}")?.values;
  expect(Object.keys(values?.other ?? {})).toEqual(['__proto__', 'constructor']);
  expect(values?.loss).toBe(3);
});

it('reads 20 000 lines (a fraction of a second on an idle core)', () => {
  const text = '[13:55:33] step 25 | loss 516.6057 | lr 6.00e-04 | 75.2K tok/s | step_time 109ms | q_hs=[9-60]';
  const started = performance.now();
  readLines(Array<string>(20_000).fill(text), { arrival: 0, host, backlog: false });
  const took = performance.now() - started;
  process.stdout.write(`20 000 lines: ${Math.round(took)} ms\n`);
  expect(took).toBeLessThan(8000);
});

it('takes words that every object has for words', () => {
  for (const word of ['constructor', 'valueOf', '__proto__', 'hasOwnProperty', 'toString'])
    for (const text of [
      `step 5 | loss 2.5 | 3 ${word} | 4 tok/${word} | 4${word}/s | 5 ms/${word}`,
      `step 5 | loss 2.5 | data_${word}: 5 | ${word} time 5 | mem ${word}=3 | time/${word}: 2 | q_${word} 4`,
      `step 5 | loss 2.5 | times (${word}) fwd=3 bwd=4 | avg ${word} (ms): 3/4`,
      `step 5 | loss 2.5 | ${word} 12ms | queue ${word}=[1-2] | ${word}=3`,
    ]) {
      const { values } = read(text) ?? {};
      expect(values, text).toMatchObject({ step: 5, loss: 2.5 });
      expect(JSON.stringify(values), text).not.toMatch(/null|function/);
    }
  expect(read('  5%|▌    | 5/100 [00:01<00:20, 5.0constructor/it, loss=2.5]')?.values).toMatchObject({ step: 5 });
});
