import { expect, test } from 'vitest';
import { placeItems } from '../../../src/ui/panels/log-place.ts';

const placed = (heights: readonly number[], init: { height: number; cursor: number; share: number }) =>
  placeItems({ count: heights.length, rowsOf: (i) => heights[i] ?? 0, ...init }).map(
    ({ index, skip, rows }) => `${index}:${skip}+${rows}`,
  );
const ones = [1, 1, 1, 1, 1, 1];

test('the cursor stands where it should, and no room stays empty', () => {
  expect(placed(ones, { height: 3, cursor: 5, share: 1 })).toEqual(['3:0+1', '4:0+1', '5:0+1']);
  expect(placed(ones, { height: 3, cursor: 3, share: 0.5 })).toEqual(['2:0+1', '3:0+1', '4:0+1']);
  expect(placed(ones, { height: 3, cursor: 0, share: 1 })).toEqual(['0:0+1', '1:0+1', '2:0+1']);
  expect(placed(ones, { height: 3, cursor: 5, share: 0 })).toEqual(['3:0+1', '4:0+1', '5:0+1']);
  expect(placed([1, 1], { height: 9, cursor: 1, share: 0.5 })).toEqual(['0:0+1', '1:0+1']);
  expect(placed([], { height: 9, cursor: 0, share: 0.5 })).toEqual([]);
});

test('of lines that are wrapped, the last rows of the uppermost and the first ones of the lowest are in view', () => {
  expect(placed([3, 2, 3], { height: 4, cursor: 1, share: 0.5 })).toEqual(['0:2+1', '1:0+2', '2:0+1']);
  expect(placed([3, 2, 3], { height: 4, cursor: 2, share: 1 })).toEqual(['1:1+1', '2:0+3']);
});

test('of a line that is higher than the panel the beginning is in view', () =>
  expect(placed([1, 9, 1], { height: 4, cursor: 1, share: 1 })).toEqual(['1:0+4']));
