import { expect, it } from 'vitest';
import { readDuration, readNumber, readPlain, shift } from '../../../src/collectors/log/numbers.ts';
import { blankNumber, scanNumber, type Marks } from '../../../src/collectors/log/values/scan-number.ts';
import { blankReading, scanValue } from '../../../src/collectors/log/values/scan-value.ts';
import { unitOf } from '../../../src/collectors/log/values/units.ts';

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
  '0.1',
  '-0.0',
  ' 1099.35 ',
  '+5.',
  '.5',
  '123456789012345',
  '1.2345678901234567',
  '9007199254740993',
  '3e-05',
])('reads %s as JavaScript does', (text) => expect(readPlain(text)).toBe(Number(text)));

it.each(['', ' ', '  ', '-', '.', '1 2', '1.2.3', '5-', 'e5', '1,000', '1:02'])(
  'takes "%s" for more than digits',
  (text) => expect(readPlain(text)).toBeNaN(),
);

it.each([
  [1099.35, -3, 1.09935],
  [0.65243, 3, 652.43],
  [0.1 + 0.2, 2, 30.000000000000004],
  [5e-7, -6, 5e-13],
  [-2.5, 2, -250],
])('moves the point of %s by %s', (value, places, moved) => expect(shift(value, places)).toBe(moved));

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

/** What is read at the beginning of a text, in short. */
function told(text: string): unknown {
  const reading = blankReading();
  if (!scanValue(text, 0, 'point', reading)) return undefined;
  const { kind, first, second, of, unit, seconds } = reading;
  const values = { number: [first], pair: [first, second], range: [first, second, of], time: [] }[kind];
  return [kind === 'time' ? seconds : values.map(({ value }) => value), ...(unit ? [unit.of, unit.factor] : [])].flat();
}

it.each<[string, unknown]>([
  ['[9-10]', [9, 10, NaN]],
  ['[9-10]/60', [9, 10, 60]],
  ['3/64 x', [3, 64]],
  ['7 of 16', [7, 16]],
  ['71/     100 |', [71, 100]],
  ['88/121ms', [88, 121, 'time', 1e-3]],
  ['[5e-05]', [5e-5]],
  ['[0.9, 0.99]', undefined],
  ['109ms', [109, 'time', 1e-3]],
  ['64.90%)', [64.9, 'percent', 1]],
  ['24.1k tok/s/gpu', [24_100, 'tokens', 1]],
  ['1:02:03', [3723]],
  ['2小时5分', [7500]],
  ['1h37', [5820]],
  ['1.2.3', undefined],
  ['12abc', undefined],
  ['nano', undefined],
  ['2026-05-18', undefined],
])('reads the value %s', (text, value) => expect(told(text)).toEqual(value));

it.each<[string, Marks, number | undefined]>([
  ['1,237,871.5', 'point', 1_237_871.5],
  ['0,0003', 'point', 0.0003],
  ['2,31', 'point', 2.31],
  ['2,301', 'point', 2301],
  ['2,301', 'comma', 2.301],
  ['20.000', 'comma', 20_000],
  ['24 100', 'comma', 24_100],
  ['1_234_567', 'point', 1_234_567],
  ['0.40187661349773403', 'point', 0.40187661349773403],
  ['-inf', 'point', -Infinity],
  ['1.2万', 'point', 12_000],
  ['0,1,2,3', 'point', undefined],
])('reads the number %s where decimals have a %s', (text, marks, value) => {
  const number = blankNumber();
  expect(scanNumber(text, 0, marks, number) ? number.value : undefined).toBe(value);
});

it.each([
  ['tok/s/GPU', { of: 'tokens', scope: 'gpu' }],
  ['tokens per second', { of: 'tokens' }],
  ['ms/step', { of: 'steptime', factor: 1e-3 }],
  ['it/min', { of: 'steps', factor: 1 / 60 }],
  ['GiB', { of: 'bytes', factor: 2 ** 30 }],
  ['TFLOP/s/device', { of: 'flops', factor: 1, scope: 'gpu' }],
  ['トークン/秒', { of: 'tokens', factor: 1 }],
])('knows the unit %s', (text, unit) => expect(unitOf(text)).toMatchObject(unit));

it.each(['D', 'Gb/s', 'loss', 'x'])('takes %s for no unit', (text) => expect(unitOf(text)).toBeUndefined());
