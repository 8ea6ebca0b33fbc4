import { render } from 'ink-testing-library';
import { expect, test } from 'vitest';
import { Table } from '../../../src/ui/parts/ink-table.tsx';

const columns = [
  { key: 'gpu', title: 'GPU', width: 5 },
  { key: 'name', title: 'NAME' },
  { key: 'util', title: 'UTIL', align: 'right' },
] as const;

test('draws a title row and one line a row, without rules', () => {
  const rows = [
    { gpu: '0', name: 'H200', util: '98 %' },
    { gpu: '1', name: 'H200 NVL', util: '7 %' },
  ];
  const { lastFrame } = render(<Table columns={columns} rows={rows} />);
  expect(lastFrame()).toBe(['GPU    NAME      UTIL', '0      H200      98 %', '1      H200 NVL   7 %'].join('\n'));
});

test('draws an absent value as blanks', () => {
  const { lastFrame } = render(<Table columns={columns} rows={[{ gpu: '0', util: '0 %' }]} />);
  expect(lastFrame()).toBe(['GPU    NAME  UTIL', '0             0 %'].join('\n'));
});

test('draws the titles alone when there is no row', () => {
  const { lastFrame } = render(<Table columns={columns} rows={[]} />);
  expect(lastFrame()).toBe('GPU    NAME  UTIL');
});

test('measures and cuts by display width', () => {
  const rows = [
    { gpu: '学習学習', name: '日本', util: '1 %' },
    { gpu: '123456', name: 'x', util: '2 %' },
  ];
  const { lastFrame } = render(<Table columns={columns} rows={rows} />);
  expect(lastFrame()).toBe(['GPU    NAME  UTIL', '学習…  日本   1 %', '1234…  x      2 %'].join('\n'));
});

test('follows changed values, rows and columns', () => {
  const { lastFrame, rerender } = render(<Table columns={columns} rows={[{ gpu: '0', name: 'A', util: '1 %' }]} />);
  rerender(<Table columns={columns} rows={[{ gpu: '0', name: 'A', util: '100 %' }, { gpu: '1' }]} />);
  expect(lastFrame()).toBe(['GPU    NAME   UTIL', '0      A     100 %', '1'].join('\n'));
  rerender(<Table columns={columns.slice(0, 2)} rows={[{ gpu: '0', name: { text: 'B', color: 'red' } }]} />);
  expect(lastFrame()).toBe(['GPU    NAME', '0      B'].join('\n'));
});
