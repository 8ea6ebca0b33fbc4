import { expect, it } from 'vitest';
import { readDuration, readNumber, readValue, valuePattern } from '../../../src/collectors/log/numbers.ts';

it.each([
  ['7,282', 7282],
  ['1,237,871.5', 1237871.5],
  ['24.1k', 24100],
  ['305.1K', 305100],
  ['1.234T', 1.234e12],
  ['3.00e-05', 3e-5],
  ['1.63e+6', 1.63e6],
  ['-inf', -Infinity],
  ['nan', NaN],
])('reads %s', (text, value) => expect(readNumber(text)).toBe(value));

it.each([
  ['8:05:12', 29112],
  ['49:12', 2952],
  ['878:01:48', 3160908],
  ['1 day, 2:03:04', 93784],
  ['2h 3m', 7380],
  ['18m 26s', 1106],
  ['?', undefined],
  ['N/A', undefined],
])('reads the duration %s', (text, value) => expect(readDuration(text)).toBe(value));

const match = (text: string) => readValue(new RegExp(`^${valuePattern}`).exec(text)?.[0]?.trim() ?? '');
it.each([
  ['[9-10]', { kind: 'range', low: 9, high: 10 }],
  ['3/64 x', { kind: 'pair', first: 3, second: 64 }],
  ['71/     100 |', { kind: 'pair', first: 71, second: 100 }],
  ['88/121ms', { kind: 'pair', first: 88, second: 121, unit: 'ms' }],
  ['[5e-05]', { kind: 'number', value: 5e-5 }],
  ['[0.9, 0.99]', undefined],
  ['109ms', { kind: 'number', value: 109, unit: 'ms' }],
  ['64.90%)', { kind: 'number', value: 64.9, unit: '%' }],
  ['1.2.3', undefined],
  ['12abc', undefined],
  ['nano', undefined],
])('reads the value %s', (text, value) => expect(match(text)).toEqual(value));
