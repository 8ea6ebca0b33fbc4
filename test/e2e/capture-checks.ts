import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Terminal } from '../support/terminal.ts';
import { all, atThreads, here, hits, home, loses, press, scrollChecks, sees, unzoomed, until } from './key-checks.ts';
import type { Check, Checks } from './key-checks.ts';
import { panel } from './program.ts';

const none = 'No capture is under way.';
/** Over the screen a notice has the footer's place until something else is done. */
const nothingToEnd: Checks[string] = [here, sees(none)];

/** A form is there, says what it costs, and is left. */
const asks = (title: string, cost: RegExp): Checks[string] => [
  atThreads,
  all(sees(`─ ${title}`), sees(cost), hits('Esc'), unzoomed),
];

/** The keys of the screen that take captures. */
export const takeChecks: Checks = {
  d: [atThreads, dumped],
  D: asks('Native dump', /held while its\s+\d+ threads are read: for about \d+ ms/),
  m: asks('Many dumps', /10 dumps of \d+ threads in 10 s: about/),
  r: asks('Record', /20 samples a second of \d+ threads for 30 s: about [\d.]+ % of a core/),
  G: asks('GIL share', /20 samples a second of \d+ threads/),
  S: [atThreads, all(sees(/▸ ● +\d\d:\d\d:\d\d dump +rank 0 \(PID 41207\)/), hits('Esc'), unzoomed)],
  x: nothingToEnd,
};

/** The stacks are shown beside names and CPU, and the threads have their Python names. */
async function dumped(terminal: Terminal) {
  await terminal.waitFor(/Stacks: dump of rank 0 \(PID 41207\)/);
  await terminal.waitFor(/target-0 +41208 +\d+\.\d/);
  await terminal.waitFor(/\d+ frames, innermost first/);
  press(terminal, 'Esc');
  await unzoomed(terminal);
  await until(() => panel(terminal.screen(), 'Threads').join('\n')).toMatch(/41208 target-0 /);
  await until(() => panel(terminal.screen(), 'Threads').join('\n')).toMatch(/drafter-0/);
}

/** Which row the cursor is on: that under the heading is 0. */
const placeIn = (title: string) => (terminal: Terminal) =>
  panel(terminal.screen(), title)
    .slice(2)
    .findIndex((row) => row.includes('▸'));

/** The keys of the list of captures, in which there are two. */
export const listChecks: Checks = {
  ...scrollChecks(placeIn('Captures')),
  Enter: [here, all(sees('─ Stacks: dump'), hits('Esc'), sees('─ Captures'))],
  Esc: [here, all(loses('─ Captures'), hits('S'), sees('─ Captures'))],
  q: [here, all(loses('─ Captures'), hits('S'), sees('─ Captures'))],
  x: nothingToEnd,
};

const inList = sees('─ Captures');
const inStacks = sees('─ Stacks: dump');
const atFirst = all(hits('g'), (t) => until(() => placeIn('Stacks: dump')(t)).toBe(0));
/** A stack of more frames than the low screen has rows for: some thread of the demo is always below a forward, and deep. */
const atLong = all(hits('g'), hits('/', ...'forward', 'Enter'), sees('/forward'), sees(/\d+ more below/));
const unsearched = all(hits('Esc'), loses('/forward'));
const { PgDn: _pageDown, PgUp: _pageUp, ...rowChecks } = scrollChecks(placeIn('Stacks: dump'));

/** The keys of a dump that is read. */
export const stacksChecks: Checks = {
  ...rowChecks,
  PgDn: [atLong, all(loses('more below'), unsearched)],
  PgUp: [all(atLong, hits('PgDn'), loses('more below')), all(sees('more below'), unsearched)],
  b: [
    atFirst,
    all(
      sees('· by process ·'),
      hits('b'),
      sees('· by role ·'),
      sees(/ROLE .*[^]* ×\d/),
      hits('b'),
      sees('· by thread ·'),
    ),
  ],
  t: [here, all(sees('outermost first'), hits('t'), sees('innermost first'))],
  '/': [here, all(sees(/^ search \//m), hits('Esc'), loses(' search /'))],
  f: [here, all(sees('─ Flame: dump'), hits('q'), inStacks)],
  i: [here, all(sees('─ GIL: dump'), sees(/the GIL was held in \d+% of 1 looks/), hits('i'), inStacks)],
  '=': [here, all(sees('Remembered: open another capture'), hits('='), sees('compared with nothing any more'))],
  o: [here, all(sees(/^Process 41207: /m), sees('dump.txt'), hits('q'), inStacks)],
  y: [here, sees('This capture was not saved: there is no path to copy.')],
  e: [here, exported],
  // What is under way could be ended by the keys that follow.
  d: [
    here,
    all(sees('just now'), hits('S'), sees(/\d of 3 ─/), sees(/(?:dump .* done [^]*){3}/), hits('Enter'), inStacks),
  ],
  S: [here, all(inList, hits('Enter'), inStacks)],
  Esc: [here, all(inList, hits('Enter'), inStacks)],
  q: [here, all(inList, hits('Enter'), inStacks)],
  x: nothingToEnd,
};

/** The file is there, for its owner alone. */
async function exported(terminal: Terminal) {
  const folder = join(home.folder, 'data/traintop/exports');
  await sees('Markdown for an issue report is in')(terminal);
  const [name = '', ...more] = readdirSync(folder);
  expect(more).toEqual([]);
  expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(folder, name), 'utf8')).toMatch(/target_loop/);
}

/** What of the flame the cursor is on stands below it: its way from the root. */
const at = (way: RegExp): Check => sees((screen) => way.test(panel(screen, 'Flame: dump').at(-2) ?? ''));
const atRoot = all(hits('q'), inStacks, hits('f'), at(/│ all +│/));
const below = (key: string): Checks[string] => [atRoot, all(at(/│ all › [^›]+│/), atRoot, hits('Down'), hits(key))];
const beside = (key: string, back: string): Checks[string] => [
  all(atRoot, hits('Down'), at(/│ all › [^›]+│/)),
  async (terminal) => {
    const way = () => panel(terminal.screen(), 'Flame: dump').at(-2);
    // The key was pressed: at the right end of the row there is nothing more to the right, so back and on again.
    press(terminal, back);
    await settledWay(terminal);
    const before = way();
    press(terminal, key);
    await until(way).not.toBe(before);
  },
];

async function settledWay(terminal: Terminal) {
  let before = '';
  await expect.poll(() => before === (before = terminal.screen()), { timeout: 10_000, interval: 80 }).toBe(true);
}

/** The keys of the flame of a dump. */
export const flameChecks: Checks = {
  Down: below('Down'),
  j: below('j'),
  Up: [all(atRoot, hits('Down'), at(/│ all › /)), at(/│ all +│/)],
  k: [all(atRoot, hits('Down'), at(/│ all › /)), at(/│ all +│/)],
  Right: beside('Right', 'Left'),
  l: beside('l', 'h'),
  Left: [all(atRoot, hits('Down', 'Right'), settledWay), at(/│ all › /)],
  h: [all(atRoot, hits('Down', 'Right'), settledWay), at(/│ all › /)],
  Enter: [
    all(atRoot, hits('Down'), at(/│ all › /)),
    all(
      (t) => until(() => isZoomed(t)).toBe(true),
      hits('Esc'),
      (t) => until(() => isZoomed(t)).toBe(false),
    ),
  ],
  t: [atRoot, all(hits('t'), at(/│ all +│/))],
  '=': [here, all(sees('Remembered: open another capture'), hits('='), sees('compared with nothing any more'))],
  o: [here, all(sees(/^Process 41207: /m), hits('q'), sees('─ Flame'))],
  y: [here, sees('This capture was not saved: there is no path to copy.')],
  e: [here, sees('Markdown for an issue report is in')],
  S: [here, all(inList, hits('Enter'), sees('─ Flame'))],
  q: [here, all(inStacks, hits('f'), sees('─ Flame'))],
  f: [here, all(inStacks, hits('f'), sees('─ Flame'))],
  Esc: [atRoot, all(inStacks, hits('f'), sees('─ Flame'))],
  x: nothingToEnd,
};

/** Whether one thread has the whole width: its name is not cut. */
const isZoomed = (terminal: Terminal) => /\(TID \d+\)/.test(panel(terminal.screen(), 'Flame: dump')[2] ?? '');

const emptied = all(hits('Esc'), loses(' search /'), hits('/'), sees(/^ search \/ /m));
const typed = (text: string) => all(hits(...text), sees(`search /${text} `));
/** The keys of the line in which one types what is sought. */
export const searchChecks: Checks = {
  text: [here, all(sees(/^ search \/n /m), emptied)],
  Backspace: [typed('drafterx'), all(sees('search /drafter '), sees('drafter-0'), emptied)],
  Enter: [typed('drafter'), all(loses(' search /'), sees('/drafter · '), hits('/'), sees('search /drafter '), emptied)],
  Esc: [typed('drafter'), all(loses(' search /'), loses('/drafter'), hits('/'), sees(/^ search \/ /m))],
};
