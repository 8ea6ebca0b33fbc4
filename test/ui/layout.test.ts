import { describe, expect, test } from 'vitest';
import { layout, type Layout, type LayoutInput } from '../../src/ui/layout.ts';
import type { PanelId } from '../../src/ui/panels/panel.ts';

const at = (columns: number, rows: number, change: Partial<LayoutInput> = {}) =>
  layout({ columns, rows, gpuCount: 8, queueCount: 2, hasLog: true, focused: 'threads', zoomed: undefined, ...change });

/** Why the rectangles do not tile the screen, or nothing. */
function fault(found: Layout, columns: number, rows: number): string | undefined {
  const rects = [found.header, found.headline, found.tape, found.footer, ...found.panels.map(({ rect }) => rect)];
  for (const { left, top, width, height } of rects)
    if (left < 0 || top < 0 || left + width > columns || top + height > rows) return 'outside of the screen';
  for (const a of rects)
    for (const b of rects) {
      const apart = a.left + a.width <= b.left || b.left + b.width <= a.left;
      if (a !== b && !apart && a.top < b.top + b.height && b.top < a.top + a.height) return 'overlap';
    }
  if (rects.reduce((sum, { width, height }) => sum + width * height, 0) !== columns * rows) return 'gap';
  if (found.panels.some(({ rect }) => rect.height < 3 || rect.width < 20)) return 'a panel without room';
  return undefined;
}

test('a tape has a row below the panels, or two where there is room, and the panels are those of as many rows less', () => {
  for (let rows = 10; rows <= 80; rows++)
    for (const columns of [40, 60, 80, 120, 160, 200]) {
      const found = at(columns, rows, { hasTape: true });
      const tapeRows = rows < 30 ? 1 : 2;
      expect(found?.tape).toMatchObject({ top: rows - 1 - tapeRows, height: tapeRows });
      expect(found && fault(found, columns, rows)).toBeUndefined();
      // At 24 rows threads have the three that a live screen of 24 rows gives them.
      const live = rows === 24 ? 24 : rows - tapeRows;
      if (live >= 10) expect(found?.panels.map(({ id }) => id)).toEqual(ids(at(columns, live)));
    }
});

describe.each([
  [0, 0, false],
  [1, 1, true],
  [4, 5, true],
  [8, 2, true],
  [16, 12, true],
])('%i GPUs, %i queues, log %s', (gpuCount, queueCount, hasLog) => {
  test('every size from 20x5 to 250x80 is filled exactly, or said to be too small', () => {
    for (let columns = 20; columns <= 250; columns++)
      for (let rows = 5; rows <= 80; rows++) {
        const found = at(columns, rows, { gpuCount, queueCount, hasLog });
        if ((columns < 40 || rows < 10) !== (found === undefined)) expect.fail(`${columns}x${rows}: too small?`);
        const wrong = found && fault(found, columns, rows);
        if (wrong) expect.fail(`${columns}x${rows}: ${wrong} ${JSON.stringify(found.panels)}`);
        if (found && !found.fitting.includes('threads')) expect.fail(`${columns}x${rows}: no threads`);
      }
  });
});

const heightOf = (found: Layout | undefined, id: PanelId) =>
  found?.panels.find((panel) => panel.id === id)?.rect.height;
const ids = (found: Layout | undefined) => found?.panels.map(({ id }) => id);

test('80x24 shows something of everything that matters', () => {
  const found = at(80, 24);
  expect(ids(found)).toEqual(['gpus', 'throughput', 'queues', 'threads', 'log']);
  // The edges, and its newest line.
  expect(heightOf(found, 'log')).toBe(3);
  // The edges, the titles, the line of idle threads, and three threads.
  expect(heightOf(found, 'threads')).toBe(7);
  expect(found?.header.height).toBe(2);
  expect(found?.headline).toEqual({ left: 0, top: 2, width: 80, height: 1 });
});

test('the headline has one row below the header at every size', () => {
  for (let rows = 10; rows <= 60; rows++)
    for (const columns of [40, 60, 80, 120, 200])
      for (const reasonRows of [0, 3]) {
        const found = at(columns, rows, { reasonRows });
        expect(found?.headline).toEqual({ left: 0, top: found?.header.height, width: columns, height: 1 });
        expect(found?.body.top).toBe((found?.header.height ?? 0) + 1);
      }
});

test('the header has its second row from 24 rows on, and threads three rows wherever there are 24', () => {
  expect([20, 23, 24, 40].map((rows) => at(80, rows)?.header.height)).toEqual([1, 1, 2, 2]);
  for (const columns of [60, 80, 120, 160])
    for (let rows = 24; rows < 80; rows++) expect(heightOf(at(columns, rows), 'threads')).toBeGreaterThanOrEqual(7);
});

test('rows of why the link is down are the header’s, a third of the screen at most, and all is filled', () => {
  for (let columns = 40; columns <= 220; columns += 20)
    for (let rows = 10; rows <= 80; rows++)
      for (const reasonRows of [1, 3, 40]) {
        const found = at(columns, rows, { reasonRows });
        const wrong = found && fault(found, columns, rows);
        if (wrong !== undefined) expect.fail(`${columns}x${rows}: ${wrong}`);
        expect(found?.fitting).toContain('threads');
        expect((found?.header.height ?? 0) - (found?.headerRows ?? 0)).toBeLessThanOrEqual(rows / 3);
      }
  expect(at(80, 24, { reasonRows: 3 })?.header.height).toBe(5);
});

test('60 columns are one stack', () => {
  const found = at(60, 40);
  expect(found?.panels.every(({ rect }) => rect.width === 60)).toBe(true);
  expect(ids(found)).toContain('log');
});

test('120x40 has GPUs on the left and throughput over queues on the right', () => {
  const found = at(120, 40);
  expect(ids(found)).toEqual(['gpus', 'throughput', 'queues', 'threads', 'log']);
  expect(heightOf(found, 'gpus')).toBeGreaterThanOrEqual(11);
});

test.each([
  [160, 50],
  [200, 60],
])('%ix%i shows all panels', (columns, rows) => {
  expect(ids(at(columns, rows))).toEqual(['gpus', 'threads', 'throughput', 'queues', 'host', 'log']);
});

test('a zoomed panel has the whole body', () => {
  const found = at(80, 24, { zoomed: 'log' });
  expect(found?.panels).toEqual([{ id: 'log', rect: { left: 0, top: 3, width: 80, height: 20 } }]);
});

test('a focused panel that has no place of its own is zoomed', () => {
  expect(at(80, 24, { focused: 'host' })?.zoomed).toBe('host');
  expect(at(200, 60, { focused: 'host' })?.zoomed).toBeUndefined();
});
