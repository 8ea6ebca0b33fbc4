import type { Terminal } from '../support/terminal.ts';
import { all, atThreads, here, hits, loses, sees, unzoomed, until, type Check, type Checks } from './key-checks.ts';
import { panel } from './program.ts';

const inWhy = sees('─ Why ─');

/** The key that opens it, on the screen. */
export const whyMainChecks: Checks = {
  w: [atThreads, all(sees(/─ Why ─.*Esc goes back/), hits('w'), unzoomed)],
};

/** Its first row is the headline's situation, which has how sure it is at its end. */
const atTop: Check = (terminal) => until(() => isTop(terminal)).toBe(true);
const isTop = (terminal: Terminal) => /%\s+(?:sure|likely|perhaps)/.test(panel(terminal.screen(), 'Why')[1] ?? '');
const below: Check = (terminal) => until(() => isTop(terminal)).toBe(false);
const fromTop = all(hits('Home'), atTop);
const fromBelow = all(fromTop, hits('j'), below);
const down = [fromTop, below] as const;
const up = [fromBelow, atTop] as const;

const reopened = all(loses('─ Why ─'), hits('w'), inWhy);
const asks = (title: string): Checks[string] => [here, all(sees(`─ ${title}`), hits('Esc'), inWhy)];
const focuses = (title: RegExp): Checks[string] => [here, all(sees(title), loses('─ Why ─'), hits('w'), inWhy)];
const says = (text: string): Checks[string] => [here, sees(text)];

/** Its keys, in a screen that is too low for all of it; the last one leaves it. */
export const whyChecks: Checks = {
  ...Object.fromEntries(['Down', 'j', 'PgDn', 'End'].map((key) => [key, down])),
  ...Object.fromEntries(['Up', 'k', 'PgUp', 'Home'].map((key) => [key, up])),
  Esc: [here, reopened],
  q: [here, reopened],
  D: asks('Native dump'),
  m: asks('Many dumps'),
  r: asks('Record'),
  G: asks('GIL share'),
  S: [here, all(loses('─ Why ─'), sees('─ Captures'), hits('Esc'), loses('─ Captures'), hits('w'), inWhy)],
  '1': focuses(/GPUs/),
  '2': focuses(/Throughput/),
  '3': focuses(/Queues/),
  '4': focuses(/Threads/),
  '5': focuses(/Log/),
  '6': focuses(/Host/),
  x: says('No capture is under way.'),
  C: says('No process was left stopped by a capture.'),
  X: says('No process was left stopped by a capture.'),
  d: [here, all(sees('─ Stacks: dump'), hits('Esc'), loses('─ Stacks: dump'), hits('w'), inWhy)],
  w: [here, loses('─ Why ─')],
};
