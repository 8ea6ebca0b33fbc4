import { writeFileSync } from 'node:fs';
import type { Terminal } from '../support/terminal.ts';
import { all, atThreads, back, here, hits, loses, scrollChecks, sees, unzoomed, type Checks } from './key-checks.ts';
import { panel, type Home } from './program.ts';

/** The key that opens them, on the screen. */
export const alarmMainChecks: Checks = {
  a: [atThreads, all(sees('Nothing rings, and nothing has rung so far.'), hits('Esc'), unzoomed)],
};

/** The same over why. */
export const alarmWhyChecks: Checks = {
  a: [here, all(sees('─ Alarms'), hits('Esc'), loses('─ Alarms'), hits('w'), sees('─ Why ─'))],
};

/** A configuration by which two alarms ring as soon as the log tells anything; gives its path. */
export function twoPatterns(home: Home): string {
  const pattern = (name: string, severity: string) =>
    `[[alarms.pattern]]\nname = "${name}"\nmatch = "."\nseverity = "${severity}"\n`;
  writeFileSync(home.file('alarms.toml'), pattern('one', 'critical') + pattern('two', 'warning'));
  return home.file('alarms.toml');
}

/** Which alarm the cursor is on, from 0. */
const alarmPlace = (terminal: Terminal) =>
  panel(terminal.screen(), 'Alarms')
    .filter((row) => / (?:RINGING|seen|muted|over) +\w/.test(row))
    .findIndex((row) => row.includes('▸'));

const muted = sees(/▸ .* muted +critical one /);
const heard = sees(/▸ .* RINGING +critical one /);

/** The keys of their list, in which two ring; they are seen at the end. */
export const alarmChecks: Checks = {
  ...scrollChecks(alarmPlace),
  m: [hits('g'), all(muted, sees(/one is muted until \d\d:/), hits('u'), heard)],
  M: [here, all(muted, sees('one is muted until u:'), hits('u'), heard)],
  u: [all(hits('M'), muted), all(heard, sees('one is heard again.'))],
  Enter: [here, sees(/▸ .* seen +critical one /)],
  a: [here, sees('It was seen already.')],
  A: [sees('▼ 1 warning'), sees('▲ 2 seen')],
  Esc: [here, back('Alarms', 'a')],
  q: [here, back('Alarms', 'a')],
};
