import { all, here, hits, loses, sees, type Check, type Checks } from './key-checks.ts';
import { panel } from './program.ts';

/** What the logs say in which these keys are pressed: steps of two ranks, and an error between them. */
export const loggedSteps = Array.from({ length: 60 }, (_, i) =>
  i === 40 ? '[rank1]: ERROR: a collective timed out' : `[rank${i % 2}]: step ${i} loss 2.${i}`,
);
/** The other log: one line that is longer than the screen, and has its end in its own words. */
export const loggedLong = `a long line${' of words'.repeat(30)} that ends`;

const shows = (wanted: RegExp): Check => sees((screen) => wanted.test(panel(screen, 'Log').join('\n')));
const hides = (wanted: RegExp): Check => sees((screen) => !wanted.test(panel(screen, 'Log').join('\n')));
const follows = all(hits('F'), hides(/from the end|does not follow/));
const searched = all(hits('/', ...'step 5', 'Enter'), shows(/\/step 5 \d+ of 11/));
const unsearched = all(hits('Esc'), hides(/\/step 5/));
const atStart = all(hits('g'), shows(/step 0 /));
const scrolled = shows(/↑ \d+ lines from the end/);

/** The keys of the log, which has the whole screen. */
export const logChecks: Checks = {
  '/': [follows, all(sees(/^ search \//m), hits('Esc'), loses(' search /'))],
  n: [all(atStart, searched, shows(/\/step 5 1 of 11/)), all(shows(/\/step 5 2 of 11/), unsearched)],
  N: [all(follows, searched, shows(/\/step 5 11 of 11/)), all(shows(/\/step 5 10 of 11/), unsearched)],
  E: [follows, all(scrolled, shows(/E \[rank1\]: ERROR/))],
  e: [atStart, all(scrolled, shows(/E \[rank1\]: ERROR/))],
  '&': [follows, all(sees(/^ filter \//m), hits('Esc'), loses(' filter /'))],
  o: [atStart, all(shows(/rank 0 ·|rank 0 ─/), hits('o'), shows(/rank 1/), hits('o'), hides(/· rank \d/))],
  f: [atStart, all(shows(/out\.log · generic/), hits('f'), shows(/err\.log · generic/), hits('f'), shows(/2 logs/))],
  W: [follows, all(shows(/that ends/), hits('W'), hides(/that ends/))],
  F: [atStart, hides(/from the end/)],
  G: [atStart, hides(/from the end/)],
  g: [follows, all(shows(/step 0 /), scrolled)],
  ' ': [atStart, all(hides(/step 0 /), follows)],
  b: [follows, scrolled],
  l: [follows, all(shows(/→ \d+/), hits('h'), hides(/→ \d+/))],
  h: [all(follows, hits('l'), shows(/→ \d+/)), hides(/→ \d+/)],
  Esc: [all(follows, searched), hides(/\/step 5/)],
};

const empty = all(hits('Ctrl-U'), sees(/^ search \/ /m));
const typed = (text: string) => all(hits(...text), sees(`search /${text} `));

/** The keys of the line in which one types what is sought. */
export const findChecks: Checks = {
  text: [here, all(sees(/^ search \/n /m), empty)],
  Backspace: [typed('stepx'), all(sees('search /step '), empty)],
  'Ctrl-U': [typed('step'), sees(/^ search \/ /m)],
  Enter: [
    typed('step 5'),
    all(shows(/\/step 5 \d+ of 11/), hits('Esc'), hides(/\/step 5/), hits('/'), sees(/^ search \/ /m)),
  ],
  Esc: [typed('step 5'), all(loses(' search /'), hides(/\/step 5/), hits('/'), sees(/^ search \/ /m))],
};
