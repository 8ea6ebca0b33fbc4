import { describe, expect, it } from 'vitest';
import { bar } from '../../../src/ui/parts/bar.ts';

const drawn = (shares: readonly (number | null | undefined)[], width: number) =>
  bar(
    shares.map((share) => ({ share, tone: 'series1' })),
    width,
  )
    .map(({ text }) => text)
    .join('');

describe('bar', () => {
  it('ends on a part of a cell', () => {
    expect(drawn([0], 6)).toBe('······');
    expect(drawn([1], 6)).toBe('▇▇▇▇▇▇');
    expect(drawn([0.98], 6)).toBe('▇▇▇▇▇▆');
    expect(drawn([0.5], 6)).toBe('▇▇▇···');
  });

  it('shows little as a sliver, nothing as nothing, and absent as blank', () => {
    expect(drawn([0.001], 4)).toBe('▁···');
    expect(drawn([0.02, 0.01], 4)).toBe('▁···');
    expect(drawn([undefined], 4)).toBe('    ');
    expect(drawn([null, null], 4)).toBe('    ');
  });

  it('tells its parts apart by shape', () => {
    expect(drawn([0.5, 0.25], 8)).toBe('▇▇▇▇▄▄··');
    expect(drawn([0.5, 2], 8)).toBe('▇▇▇▇▄▄▄▄');
  });

  it('is exactly as wide as asked, whatever the shares', () => {
    for (let width = 0; width < 30; width++) {
      for (const a of [-1, 0, 0.01, 0.33, 0.499, 0.999, 1, 7, NaN, Infinity, null]) {
        expect(drawn([a], width)).toHaveLength(width);
        for (const b of [0, 0.01, 0.5, 3, NaN, undefined]) expect(drawn([a, b], width)).toHaveLength(width);
      }
    }
  });
});
