import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createLogReader } from '../../../src/collectors/log/reader.ts';

const lines = ['test/fixtures/log', 'test/fixtures/log-made'].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.log'))
    .flatMap((name) => readFileSync(`${folder}/${name}`, 'utf8').split(/[\n\r]+/)),
);
const bits = [
  '=',
  ': ',
  ' | ',
  '[',
  ']',
  '{',
  '}',
  "'",
  '"',
  ',',
  '.',
  '/',
  '-',
  'nan',
  '1e',
  '%',
  '损失',
  '\u001b[',
  '(',
  '\\',
  '\b',
  ' step ',
  '__proto__',
];

it('lines that are cut, mixed and repeated at random never make it fail, and no figure but NaN comes as text', () => {
  // The same lines in each run.
  let state = 7;
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return state % below;
  };
  const pick = (from: readonly string[]) => from[random(from.length)] ?? '';
  const mutate = (text: string): string => {
    const at = random(text.length + 1);
    const kind = random(4);
    if (kind === 0) return text.slice(0, at) + pick(lines).slice(random(40));
    if (kind === 1) return text.slice(0, at) + pick(bits) + pick(bits) + text.slice(at + random(3));
    if (kind === 2) return text.slice(0, at) + `${pick(bits)}${pick(bits)}`.repeat(1 + random(300));
    return `${text} ${pick(lines)}`;
  };
  const reader = createLogReader();
  for (let i = 0; i < 1500; i++) {
    const text = mutate(pick(lines));
    let records;
    try {
      records = [...reader.push({ text }), ...(random(20) === 0 ? reader.flush() : [])];
    } catch (error) {
      throw new Error(`line ${JSON.stringify(text.slice(0, 300))}`, { cause: error });
    }
    for (const { values = {} } of records) {
      const { queues: _, stages: __, other = {}, tokensPerSecondScope: ___, ...fields } = values;
      for (const value of [...Object.values(fields), ...Object.values(other)]) expect(typeof value).toBe('number');
    }
  }
});
