import stringWidth from 'string-width';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { closeTerminals, type Terminal } from '../support/terminal.ts';
import { makeHome, oddBytes, panel, removeHomes, traintop } from './program.ts';

afterEach(closeTerminals);
afterAll(removeHomes);

/** First data everywhere: shares of threads come with the second tick. */
async function allData(terminal: Terminal): Promise<string> {
  return terminal.waitFor((screen) => {
    const gpus = panel(screen, 'GPUs').join('\n');
    const threads = panel(screen, 'Threads').join('\n');
    return (
      /\d%/.test(gpus) && /tok\/s \d/.test(screen) && /(?:9|10)\d\.\d/.test(threads) && /step \d+\/20000/.test(screen)
    );
  }, 30_000);
}

/** What is shown once it stays the same for a second. */
async function settled(show: () => string): Promise<string> {
  for (let before = show(); ;) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const now = show();
    if (now === before) return now;
    before = now;
  }
}

/** The screen is filled to its last row and not beyond its last column. */
function expectFilled(terminal: Terminal) {
  const rows = terminal.screen().split('\n');
  const { cols } = terminal.xterm;
  expect(rows).toHaveLength(terminal.xterm.rows);
  for (const row of rows) expect(stringWidth(row)).toBeLessThanOrEqual(cols);
  expect(rows[0]).toMatch(/^ traintop {2}DEMO /);
  expect(rows.at(-1)).toMatch(/^ q quit {2}\? help/);
  // Between headline and footer every row is part of a frame, from edge to edge.
  for (const row of rows.slice(rows.length < 24 ? 2 : 3, -1)) {
    expect(row).toMatch(/^[╭│╰].*[╮│╯]$/);
    expect(stringWidth(row)).toBe(cols);
  }
}

/** Where frames begin and end, without what is in them. */
const frames = (screen: string) =>
  screen
    .split('\n')
    .slice(1, -1)
    .map((row) => row.replace(/─ ([⁰-⁹¹²³]?\w+) [^╮]*/g, (all, title: string) => `─ ${title} `.padEnd([...all].length)))
    .map((row) => row.replace(/[^╭╮╰╯│]/g, ' ').trimEnd())
    .join('\n');

describe.each([
  [80, 24],
  [120, 40],
  [200, 60],
])('traintop demo at %sx%s', (cols, rows) => {
  test('has data in every panel, fills the screen, and leaves it as it was', async () => {
    const terminal = traintop(makeHome(), ['demo'], { cols, rows });
    const screen = await allData(terminal);
    const gpus = panel(screen, 'GPUs').join('\n');
    for (let gpu = 0; gpu < 8; gpu++) expect(gpus).toMatch(new RegExp(`(?:│|  ) *${gpu} [▁-█·]+ +\\d+%`));
    expect(screen).toMatch(/tok\/s 1[345]\.\d+K/);
    expect(panel(screen, 'Queues').join('\n')).toMatch(/q_hs .*\d+\/60/);
    expect(panel(screen, 'Threads').join('\n')).toMatch(/41207 +412\d\d (?:pt_main_thre|target-)/);
    expect(panel(screen, 'Log').join('\n')).toMatch(/step \d+\/20000 \| loss \d\.\d+/);
    expect(screen).toMatch(/train_pipeline\.py.* PID 41207/);
    expectFilled(terminal);
    expect(terminal.alternateScreen()).toBe(true);
    expect(terminal.cursorVisible()).toBe(false);
    terminal.press('q');
    expect(await terminal.exit).toEqual({ code: 0, signal: undefined });
    expect(terminal.alternateScreen()).toBe(false);
    expect(terminal.cursorVisible()).toBe(true);
    expect(oddBytes(terminal.raw())).toEqual([]);
    expect(terminal.raw()).not.toContain('\x1b[3J');
  });
});

test('after resizes the screen is what a new one would be, without left-overs', async () => {
  const terminal = traintop(makeHome(), ['demo']);
  await allData(terminal);
  // The log's past is read from its oldest line on: once the last minute is known all of it is.
  await terminal.waitFor(/ 1 min +1\d\.\d+K /, 30_000);
  terminal.press('p');
  await terminal.waitFor('PAUSED');
  // The newest second of the graphs is still being filled when the screen is held.
  const body = () =>
    terminal
      .screen()
      .split('\n')
      .slice(2)
      .join('\n')
      .replace(/[\u2800-\u28ff]/g, '⣿');
  // What was on its way to the screen in that moment still comes.
  const before = await settled(body);
  const seen = new Map<string, string>();
  for (const [cols, rows] of [
    [80, 24],
    [60, 20],
    [200, 60],
    [20, 5],
    [120, 40],
  ] as const) {
    terminal.resize(cols, rows);
    if (cols === 20) {
      await terminal.waitFor(/^traintop needs\s+40x10/);
      expect(terminal.screen()).not.toMatch(/[╭│╰]/);
      continue;
    }
    await terminal.waitFor((screen) => isWhole(screen, cols, rows));
    expectFilled(terminal);
    seen.set(`${cols}x${rows}`, frames(terminal.screen()));
  }
  // The data were held: every cell is as it was.
  await expect.poll(body).toBe(before);
  await terminal.close();
  for (const [cols, rows] of [
    [80, 24],
    [60, 20],
    [200, 60],
  ] as const) {
    const fresh = traintop(makeHome(), ['demo'], { cols, rows });
    await expect.poll(() => frames(fresh.screen()), { timeout: 20_000 }).toBe(seen.get(`${cols}x${rows}`));
    await fresh.close();
  }
}, 60_000);

const isWhole = (screen: string, cols: number, rows: number) => {
  const all = screen.split('\n');
  return (
    all.length === rows &&
    all.slice(3, -1).every((row) => stringWidth(row) === cols) &&
    /^ q quit/.test(all.at(-1) ?? '')
  );
};

test('a very small terminal says what is needed, and the screen comes back', async () => {
  const terminal = traintop(makeHome(), ['demo'], { cols: 20, rows: 5 });
  await terminal.waitFor(/traintop needs\s+40x10; this is\s+20x5/);
  terminal.resize(80, 24);
  await allData(terminal);
  expectFilled(terminal);
  terminal.resize(1, 1);
  terminal.resize(80, 24);
  await terminal.waitFor((screen) => isWhole(screen, 80, 24));
  terminal.press('q');
  expect((await terminal.exit).code).toBe(0);
});
