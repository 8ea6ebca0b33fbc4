import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createGenericReader } from '../../../src/collectors/log/generic.ts';

const linesOf = (name: string) => readFileSync(`test/fixtures/log-lines/${name}.txt`, 'utf8').trimEnd().split('\n');
const read = (text: string) => createGenericReader().read(text);

it('reads lines in many turns: queues, stages, steps, units, languages, loggers', () => {
  const lines = linesOf('turns');
  const expected = lines.flatMap((line, i) => (i % 2 === 0 ? [[line, JSON.parse(lines[i + 1] ?? '') as unknown]] : []));
  expect(expected.length).toBeGreaterThan(200);
  expect(expected.map(([line]) => [line, read(String(line))])).toEqual(expected);
});

it('reads nothing from settings, sentences and counts of other things', () => {
  expect(linesOf('nothing').map((line) => [line, read(line)])).toEqual(
    linesOf('nothing').map((line) => [line, undefined]),
  );
});

it('takes what is not finite for what it is', () => {
  expect(read('gradient is not finite update=1202 grad_norm=NaN')).toEqual({ step: 1202, gradNorm: NaN });
  expect(read('{"msg":"gradient is not finite","update":1202,"grad_norm":"NaN"}')).toEqual({
    step: 1202,
    gradNorm: NaN,
  });
});
