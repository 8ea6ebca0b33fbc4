import { expect, it } from 'vitest';
import { byOutline } from '../../../src/collectors/log/outline.ts';

it('looks once at lines that are alike but for their digits', () => {
  const seen: string[] = [];
  const find = byOutline((text) => seen.push(text));
  const of = (text: string) => find(text);
  const first = of('step 1 loss 2.5');
  expect(of('other')).not.toBe(first);
  expect(of('step 1200 loss 0.25')).toBe(first);
  expect(of('step 1 loss 2.5')).toBe(first);
  expect(seen).toEqual(['step 1 loss 2.5', 'other']);
});

it.each([
  ['step 1', 'step'],
  ['step 1', 'step 1 '],
  ['step 12', 'step 1.2'],
  ['a1b', 'ab1'],
  ['损失 1', '损矢 1'],
  ['1', ''],
])('tells %j from %j', (one, other) => {
  const find = byOutline((text) => ({ text }));
  expect(find(one).text).toBe(one);
  expect(find(other).text).toBe(other);
});

it('remembers no line that is very long', () => {
  const find = byOutline((text) => ({ text }));
  const long = 'a'.repeat(3000);
  expect(find(`${long}1`).text).toBe(`${long}1`);
  expect(find(`${long}b`).text).toBe(`${long}b`);
  expect(find(`${long}2`).text).toBe(`${long}2`);
});

it('finds what several ask for, each its own', () => {
  const length = byOutline((text) => text.length);
  const upper = byOutline((text) => ({ text: text.toUpperCase() }));
  expect([length('loss'), upper('loss').text, length('loss')]).toEqual([4, 'LOSS', 4]);
});
