import type { IBufferCell, Terminal } from '@xterm/headless';
import { describe, expect, it } from 'vitest';
import { replayDemo } from '../../../bench/replay.tsx';
import { importTypeScript } from '../../../scripts/lib/run-typescript.mjs';
import { screenOf } from '../../../scripts/lib/screen-of.ts';

// Vitest imports Ink as it is; the bundle of importTypeScript has the faster parts in it, as dist/ has.
const bundled = (await importTypeScript('bench/replay.tsx')) as { replayDemo: typeof replayDemo };

describe('the faster parts of Ink', () => {
  it.each([
    { columns: 160, rows: 50, seconds: 4 },
    { columns: 80, rows: 24, seconds: 3 },
    { columns: 60, rows: 20, seconds: 3 },
    { columns: 120, rows: 40, seconds: 3, keys: [[1.5, '?']] as const },
    { columns: 120, rows: 40, seconds: 4, keys: [[2, 'd']] as const },
    {
      columns: 160,
      rows: 50,
      seconds: 4,
      keys: [
        [2, '4'],
        [2.5, 'j'],
        [3, '/'],
        [3.2, 'pt'],
      ] as const,
    },
    { columns: 20, rows: 5, seconds: 1 },
  ])('draw the same screen as its own: $columns x $rows, $keys', async (options) => {
    expect(await screenOf(bundled.replayDemo, options, cells)).toBe(await screenOf(replayDemo, options, cells));
  });
});

/** Every cell that shows something, with what it looks like. The colour of a blank is nothing that one sees. */
function cells({ buffer, cols, rows }: Terminal): string {
  const { active } = buffer;
  return Array.from({ length: rows }, (_, row) => {
    const line = active.getLine(active.baseY + row);
    return Array.from({ length: cols }, (_, column) => cellText(line?.getCell(column))).join('');
  }).join('\n');
}

function cellText(cell: IBufferCell | undefined): string {
  if (!cell) return ' ';
  const text = cell.getChars() || ' ';
  const marked = cell.isInverse() || cell.isUnderline() || !cell.isBgDefault();
  if (text === ' ' && !marked) return ' ';
  const colours = [cell.isFgDefault() ? '' : cell.getFgColor(), cell.isBgDefault() ? '' : cell.getBgColor()];
  return `${text}[${[...colours, cell.isBold() && 'b', cell.isInverse() && 'i', cell.isUnderline() && 'u', cell.isDim() && 'd'].join()}]`;
}
