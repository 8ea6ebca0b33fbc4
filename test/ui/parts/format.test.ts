import { describe, expect, it } from 'vitest';
import * as format from '../../../src/ui/parts/format.ts';

describe('formats', () => {
  const cases: readonly (readonly [(value: number) => string, readonly (readonly [number, string])[]])[] = [
    [
      format.formatPercent,
      [
        [0, '0%'],
        [0.4, '0%'],
        [99.4, '99%'],
        [99.95, '100%'],
        [100, '100%'],
      ],
    ],
    [
      format.formatCpu,
      [
        [0, '0.0'],
        [99.94, '99.9'],
        [99.95, '100.0'],
        [999.94, '999.9'],
        [999.95, '1000'],
        [1234.5, '1235'],
      ],
    ],
    [
      format.formatCount,
      [
        [0, '0'],
        [7, '7'],
        [142, '142'],
        [999, '999'],
        [999.4, '999'],
        [999.5, '1.00K'],
        [1000, '1.00K'],
        [14_532, '14.5K'],
        [99_949, '99.9K'],
        [99_950, '100K'],
        [999_499, '999K'],
        [999_500, '1.00M'],
        [282_600, '283K'],
        [1.5e9, '1.50G'],
        [3.456, '3.46'],
        [9.995, '9.99'],
        [-14_532, '-14.5K'],
      ],
    ],
    [
      format.formatBytes,
      [
        [0, '0 B'],
        [999, '999 B'],
        [1000, '0.98 KiB'],
        [1024, '1.00 KiB'],
        [118 * 2 ** 30, '118 GiB'],
        [999.5 * 2 ** 20, '0.98 GiB'],
        [1.5 * 2 ** 40, '1.50 TiB'],
      ],
    ],
    [
      format.formatBytesShort,
      [
        [0, '0B'],
        [999.6, '0.98K'],
        [118 * 2 ** 30, '118G'],
        [99.96 * 2 ** 30, '100G'],
        [1.97 * 2 ** 40, '1.97T'],
      ],
    ],
    [
      format.formatGib,
      [
        [9.94 * 2 ** 30, '9.9'],
        [9.95 * 2 ** 30, '10'],
        [118.4 * 2 ** 30, '118'],
        [0, '0.0'],
      ],
    ],
    [
      format.formatDuration,
      [
        [0, '0s'],
        [59.4, '59s'],
        [59.5, '1m 0s'],
        [3599.6, '1h 0m'],
        [3725, '1h 2m'],
        [273_600, '3d 4h'],
        [NaN, '–'],
        [Infinity, '–'],
        [-5, '0s'],
      ],
    ],
    [
      format.formatSeconds,
      [
        [0.035, '35.0ms'],
        [0.35, '350ms'],
        [0.9994, '999ms'],
        [0.9995, '1.00s'],
        [1.25, '1.25s'],
        [125, '125s'],
        [0, '0.00ms'],
      ],
    ],
    [
      format.formatSignificant,
      [
        [0, '0'],
        [2.3012, '2.301'],
        [46.6099, '46.61'],
        [0.0213, '0.02130'],
        [1234.5, '1235'],
        [9.9996, '10.00'],
        [1.2e-5, '1.20e-5'],
        [2.5e7, '2.50e+7'],
        [-0.5, '-0.5000'],
      ],
    ],
  ];
  for (const [fn, pairs] of cases) {
    it(`${fn.name} at its borders`, () => {
      for (const [value, expected] of pairs) expect.soft(fn(value), `${fn.name}(${value})`).toBe(expected);
    });
  }

  it('says absent, NaN and infinite as what they are', () => {
    for (const fn of [
      format.formatPercent,
      format.formatCpu,
      format.formatCount,
      format.formatBytesShort,
      format.formatSignificant,
    ]) {
      expect(fn(undefined)).toBe('–');
      expect(fn(null)).toBe('–');
      expect(fn(NaN)).toBe('NaN');
      expect(fn(Infinity)).toBe('inf');
      expect(fn(-Infinity)).toBe('-inf');
    }
  });

  it('keeps counts and bytes within five cells', () => {
    for (let value = 0.001; value < 1e15; value *= 1.007) {
      expect(format.formatCount(value).length).toBeLessThanOrEqual(5);
      expect(format.formatBytesShort(value).length).toBeLessThanOrEqual(5);
    }
  });
});
