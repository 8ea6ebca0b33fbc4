import { expect } from 'vitest';
import { keySequence } from '../support/keys.ts';
import type { Terminal } from '../support/terminal.ts';
import { cursorRow, makeHome, panel } from './program.ts';

/**
 * Every key of the key map is pressed in the real program and its effect looked for on the screen. A check begins and ends on the same
 * screen of its mode; keys that end the program have one of their own.
 */
export type Check = (terminal: Terminal) => Promise<unknown>;

/** By key: what brings the screen there, and what the key then does. */
export type Checks = Readonly<Record<string, readonly [before: Check, check: Check]>>;

/** Key names of the key map as test/support/keys.ts calls them. */
const names: Readonly<Record<string, string>> = {
  Up: 'up',
  Down: 'down',
  Left: 'left',
  Right: 'right',
  'Shift-Left': 'shift-left',
  'Shift-Right': 'shift-right',
  PgUp: 'pgup',
  PgDn: 'pgdn',
  Home: 'home',
  End: 'end',
  Tab: 'tab',
  'Shift-Tab': 'shift-tab',
  Enter: 'enter',
  Esc: 'esc',
  Backspace: 'backspace',
  'Ctrl-C': 'ctrl-c',
  'Ctrl-L': 'ctrl-l',
  'Ctrl-U': 'ctrl-u',
  F9: 'f9',
  text: 'n',
};
export const press = (terminal: Terminal, ...keys: string[]) =>
  terminal.type(keys.map((key) => keySequence(names[key] ?? key)).join(''));
export const until = (check: () => unknown) => expect.poll(check, { timeout: 10_000, interval: 20 });
const focus = (terminal: Terminal) => focusedTitle(terminal);

export const all =
  (...checks: Check[]): Check =>
  async (terminal) => {
    for (const check of checks) await check(terminal);
  };
export const sees =
  (wanted: Parameters<Terminal['waitFor']>[0]): Check =>
  (terminal) =>
    terminal.waitFor(wanted);
export const loses = (text: string) => sees((screen) => !screen.includes(text));
export const hits =
  (...keys: string[]): Check =>
  async (terminal) =>
    press(terminal, ...keys);

/** One key after what brings the screen there. */
export async function run(terminal: Terminal, key: string, [before, check]: readonly [before: Check, check: Check]) {
  await before(terminal);
  press(terminal, key);
  await check(terminal);
}

export const quits: Check = async (terminal) => expect((await terminal.exit).code).toBe(0);

/** Moves from the first row; the cursor's row is told by its TID. */
const movesDown: Check = (terminal) => until(() => rowNumber(terminal)).toBeGreaterThan(0);
const movesUp: Check = (terminal) => until(() => rowNumber(terminal)).toBe(0);

export const here: Check = async () => {};

/** Everything that keys changed is drawn: a half-drawn screen has neither the old focus nor the new one. */
const settled: Check = (terminal) => {
  let before = '';
  return expect.poll(() => before === (before = terminal.screen()), { timeout: 10_000, interval: 80 }).toBe(true);
};

/** The threads have the focus, and their usual place. */
export const atThreads: Check = async (terminal) => {
  await settled(terminal);
  if (!terminal.screen().includes('¹GPUs')) press(terminal, 'z');
  await unzoomed(terminal);
  await settled(terminal);
  if (focus(terminal) !== 'Threads') press(terminal, '4');
  await until(() => focus(terminal)).toBe('Threads');
};
/** Another program wrote over the screen: the GPUs' headings, which no frame changes, are gone. */
const spoilt: Check = async (terminal) => {
  await atThreads(terminal);
  const row = terminal
    .screen()
    .split('\n')
    .findIndex((text) => text.includes('# UTIL'));
  terminal.xterm.write(`\x1b7\x1b[${row + 1};1H\x1b[2K\x1b8`);
  await until(() => terminal.screen().includes('# UTIL')).toBe(false);
};
const atTop = all(atThreads, hits('Home'), movesUp);
const atSecond = all(atTop, hits('j'), movesDown);

export const mainChecks: Checks = {
  '?': [atThreads, all(sees('hold the screen still'), hits('Esc'), unzoomed)],
  'Ctrl-L': [spoilt, sees('# UTIL')],
  p: [here, all(sees('PAUSED'), stillness, hits('p'), loses('PAUSED'))],
  R: [here, all(sees('The link to the host is up.'), hits('Esc'))],
  '+': [here, all(sees('every 2s'), hits('-'), sees('every 1s'))],
  '-': [here, all(sees('every 0.5s'), hits('+'), sees('every 1s'))],
  '!': [here, sees('The host of the demo is simulated: there is no shell on it.')],
  c: [atThreads, all(sees('Training runs'), hits('Esc'), unzoomed)],
  Tab: [atThreads, (t) => until(() => focus(t)).toBe('Log')],
  'Shift-Tab': [atThreads, (t) => until(() => focus(t)).toBe('Queues')],
  '1': [atThreads, (t) => until(() => focus(t)).toBe('GPUs')],
  '2': [atThreads, (t) => until(() => focus(t)).toBe('Throughput')],
  '3': [atThreads, (t) => until(() => focus(t)).toBe('Queues')],
  '5': [atThreads, (t) => until(() => focus(t)).toBe('Log')],
  '4': [
    all(atThreads, hits('5'), (t) => until(() => focus(t)).toBe('Log')),
    (t) => until(() => focus(t)).toBe('Threads'),
  ],
  // At this size the host's panel has no place of its own: it takes the screen.
  '6': [atThreads, all((t) => until(() => panel(t.screen(), 'Host').length).toBeGreaterThan(30), hits('4'), unzoomed)],
  Enter: [atThreads, all(zoomed, hits('Enter'), unzoomed)],
  z: [atThreads, all(zoomed, hits('z'), unzoomed)],
  Esc: [all(atThreads, hits('z'), zoomed), unzoomed],
  Down: [atTop, movesDown],
  j: [atTop, movesDown],
  PgDn: [atTop, movesDown],
  End: [atTop, movesDown],
  Up: [atSecond, movesUp],
  k: [atSecond, movesUp],
  PgUp: [atSecond, movesUp],
  Home: [all(atTop, hits('End'), movesDown), movesUp],
  g: [
    atThreads,
    all(sees(/\d roles · 62 threads/), hits('g'), sees(/\d process(es)? · 62 threads/), hits('g'), sees(/\d of 62/)),
  ],
  '/': [atThreads, all(sees(/^ filter \//m), hits('Esc'), sees(/^ q quit/m))],
  s: [atThreads, all(loses('by cpu'), sortBack)],
  y: [here, all(sees('log scale'), hits('y'), loses('log scale'))],
  H: [atThreads, all(sees('62 of 62'), hits('H'), sees(/idle threads \(H/))],
  M: [
    atThreads,
    all(
      sees('Mark this moment'),
      hits(...'odd', 'Enter'),
      // The form says the second sentence too.
      sees('Marked. Marks are only in the list of events (E) until traintop ends: nothing is recorded.'),
    ),
  ],
  E: [atThreads, all(sees(/▸ +\d\d:\d\d:\d\d {2}■ {2}mark +odd/), hits('Esc'), unzoomed)],
};

/** Where the demo of these checks writes. */
export const home = makeHome();

/** While it is held no value changes; the time goes on. */
async function stillness(terminal: Terminal) {
  const body = () =>
    terminal
      .screen()
      .split('\n')
      .slice(2, -1)
      .join('\n')
      .replace(/[\u2800-\u28ff]/g, '⣿');
  const [before, clock] = [body(), terminal.row(0)];
  await until(() => terminal.row(0)).not.toBe(clock);
  const next = terminal.row(0);
  await until(() => terminal.row(0)).not.toBe(next);
  expect(body()).toBe(before);
}

async function sortBack(terminal: Terminal) {
  for (let i = 0; i < 12 && !terminal.screen().includes('by cpu'); i++) {
    const note = /by \w+/.exec(terminal.screen())?.[0];
    press(terminal, 's');
    await until(() => /by \w+/.exec(terminal.screen())?.[0]).not.toBe(note);
  }
  expect(terminal.screen()).toContain('by cpu');
}

async function zoomed(terminal: Terminal) {
  await until(() => panel(terminal.screen(), 'Threads').length).toBe(36);
  await loses('¹GPUs')(terminal);
}

export async function unzoomed(terminal: Terminal) {
  await terminal.waitFor('¹GPUs');
}

/** The title of the panel whose frame has the focus's colour: another than the others'. */
function focusedTitle(terminal: Terminal): string | undefined {
  const { buffer } = terminal.xterm;
  const frames: { title: string; colour: number }[] = [];
  for (let y = 0; y < terminal.xterm.rows; y++) {
    const row = terminal.row(y);
    for (const match of row.matchAll(/╭─ [⁰-⁹¹²³]?(\w+) /g)) {
      const cell = buffer.active.getLine(buffer.active.baseY + y)?.getCell([...row.slice(0, match.index)].length);
      if (match[1] && cell) frames.push({ title: match[1], colour: cell.getFgColor() * 10 + (cell.isBold() ? 1 : 0) });
    }
  }
  return frames.find(({ colour }) => frames.filter((frame) => frame.colour === colour).length === 1)?.title;
}

/** How many rows of threads are above the cursor; undefined when there is none. */
function rowNumber(terminal: Terminal): number | undefined {
  const cursor = /\d+ +\d+/.exec(cursorRow(terminal))?.[0];
  const rows = panel(terminal.screen(), 'Threads').slice(2);
  const at = cursor === undefined ? -1 : rows.findIndex((row) => row.includes(cursor));
  return at < 0 ? undefined : at;
}

export const scrollChecks = (
  place: (terminal: Terminal) => number,
): Readonly<Record<string, readonly [before: Check, check: Check]>> => {
  const down: Check = (t) => until(() => place(t)).toBeGreaterThan(0);
  const up: Check = (t) => until(() => place(t)).toBe(0);
  return {
    ...Object.fromEntries(['Down', 'j', 'PgDn', 'End', 'G'].map((key) => [key, [all(hits('g'), up), down] as const])),
    ...Object.fromEntries(['Up', 'k'].map((key) => [key, [all(hits('g'), up, hits('j'), down), up] as const])),
    ...Object.fromEntries(
      ['PgUp', 'Home', 'g'].map((key) => [key, [all(hits('g'), up, hits('j'), down), up] as const]),
    ),
  };
};

/** Which line of the help is at the top: counted from the first. */
const helpPlace = (terminal: Terminal) => {
  const first = panel(terminal.screen(), 'Keys')[1] ?? '';
  return /General/.test(first) ? 0 : first === '' ? -1 : 1;
};

export const back = (wanted: string, reopen: string) => all(loses(`╭─ ${wanted}`), hits(reopen), sees(`╭─ ${wanted}`));

export const helpChecks: Checks = {
  ...scrollChecks(helpPlace),
  Esc: [here, back('Keys', '?')],
  q: [here, back('Keys', '?')],
  '?': [here, back('Keys', '?')],
};

const unfiltered = sees(/^ (?:Esc back {2})?q quit/m);
const emptied = all(hits('Esc'), unfiltered, hits('/'), sees(/^ filter \/ /m));
const typed = (text: string) => all(hits(...text), sees(`filter /${text} `));
export const filterChecks: Checks = {
  text: [here, all(sees(/^ filter \/n /m), sees(/· \/n ─/), emptied)],
  Backspace: [typed('ncclx'), all(sees('filter /nccl '), sees('pt_nccl_watchdg'), emptied)],
  Enter: [typed('nccl'), all(unfiltered, sees(/· \/nccl ─/), hits('/'), sees('filter /nccl '), emptied)],
  Esc: [typed('nccl'), all(loses('/nccl'), hits('/'), sees(/^ filter \/ /m))],
};

export const questionChecks: Readonly<Record<string, Check>> = {
  y: all(sees('link '), loses('is not known yet')),
  n: refusedKey,
  Esc: refusedKey,
  q: refusedKey,
};

async function refusedKey(terminal: Terminal) {
  expect((await terminal.exit).code).toBe(2);
  expect(terminal.screen()).toMatch(/traintop: The host key of \S+ \(SHA256:\S+\) was not accepted:/);
}
