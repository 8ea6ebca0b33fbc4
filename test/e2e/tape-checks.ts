import { join } from 'node:path';
import { recordDemo } from '../support/demo-recording.ts';
import type { Terminal } from '../support/terminal.ts';
import { all, here, hits, loses, scrollChecks, sees, until, type Check, type Checks } from './key-checks.ts';
import { panel, type Home } from './program.ts';

/** Seconds of the recording, and when in it something was marked. */
const seconds = 180;
const marks: readonly (readonly [second: number, text: string])[] = [
  [30, 'first'],
  [60, 'second'],
  [120, 'third'],
];

/** A short recording of the demo with marks in it; gives its path. */
export function recordMarks(home: Home): Promise<string> {
  return recordDemo({
    folder: join(home.folder, 'tape'),
    seconds,
    onStep({ clock, take }, second) {
      const text = marks.find(([at]) => at === second)?.[1];
      const now = clock.now();
      if (text !== undefined) take({ kind: 'mark', host: 'demo', source: 'user', time: now, receivedAt: now, text });
    },
  });
}

const atStart = all(paused, hits('0'), place(0));
const atMinute = all(atStart, hits('.'), place(60));

/** The keys of a recording that stands; each begins and ends there. */
export const tapeChecks: Checks = {
  ' ': [atStart, all(sees(/^ ▸ {2}/m), (t) => until(() => elapsed(t)).toBeGreaterThan(1), hits(' '), sees(/^ ┃┃/m))],
  // Several frames come in the first second.
  Right: [atStart, all(hits(...Array<string>(7).fill('Right')), (t) => until(() => elapsed(t)).toBeGreaterThan(0))],
  Left: [atMinute, (t) => until(() => elapsed(t)).toBeLessThan(60)],
  '.': [atStart, place(60)],
  'Shift-Right': [atStart, place(60)],
  ',': [atMinute, place(0)],
  'Shift-Left': [atMinute, place(0)],
  ']': [atStart, all(place(30), sees('mark: first'))],
  '[': [all(atMinute, hits('.'), place(120), hits('.'), place(180)), all(place(120), sees('mark: third'))],
  '<': [atStart, all(sees(/ 0\.5x /), hits('>'), sees(/ 1x /))],
  '>': [atStart, all(sees(/ 2x /), hits('<'), sees(/ 1x /))],
  T: [
    atStart,
    all(
      sees('Time:'),
      hits(...'25:99', 'Enter'),
      sees('"25:99" is no time'),
      hits('Ctrl-U', ...'+2m', 'Enter'),
      place(120),
    ),
  ],
  0: [atMinute, place(0)],
  $: [atStart, place(seconds)],
  L: [here, sees('there is no live screen behind it')],
  O: [atStart, all(sees(/^ \d\d:\d\d ◂/m), hits('O'), sees(/^ \d\d:\d\d ├/m))],
};

const isLive = all(loses(' PAST '), (t) => until(() => ago(t)).toBeNaN());
/** From live: in the past by then, and live again. */
const leaves = (...checks: Check[]) => [here, all(sees(/ PAST .*s ago/), ...checks, hits('L'), isLive)] as const;
const fromPast = all(hits('Left'), sees(/ PAST .*s ago/));

/** The same keys on a live screen that has been there for some seconds; each begins and ends live. */
export const pastChecks: Checks = {
  Left: leaves((t) => until(() => ago(t)).toBeLessThan(8)),
  'Shift-Left': leaves(),
  ',': leaves(),
  ' ': leaves(sees(/^ (?:┃┃|■ ) {2}PAST/m), hits(' '), isLive, hits('Left')),
  0: leaves(hits('$'), sees(/^ (?:┃┃|■ ) {2}PAST .* [0-4]s ago/m)),
  T: [here, all(sees('Time:'), hits(...'-2s', 'Enter'), sees(/ PAST .*s ago/), hits('L'), isLive)],
  '[': [
    all(hits('M'), sees('Note:'), hits(...'here', 'Enter'), sees('Marked.')),
    all(sees(/ PAST .*s ago/), sees('mark: here'), hits('L'), isLive),
  ],
  Enter: [all(hits('E'), sees(/■ +mark +here/)), all(sees(/ PAST .*s ago/), sees('mark: here'), hits('L'), isLive)],
  Right: [here, sees('You see now. Left goes back in time')],
  ']': [here, sees('You see now. Left goes back in time')],
  '<': [here, sees('You see now. Left goes back in time')],
  $: [here, sees('You see now. Left goes back in time')],
  L: [fromPast, isLive],
  d: [fromPast, all(sees(/You look at \d\d:\d\d:\d\d; L goes back to live/), hits('L'), isLive)],
  // Beyond the newest is now.
  '>': [all(hits('Left'), sees(/ PAST .*s ago/), hits(' ')), isLive],
};

const eventPlace = (terminal: Terminal) =>
  panel(terminal.screen(), 'Events and marks')
    .slice(4)
    .findIndex((row) => row.includes('▸'));
const reopened = all(loses('╭─ Events'), hits('E'), sees('╭─ Events'));

/** The keys of the list of events, which is open. */
export const eventsChecks: Checks = {
  ...scrollChecks(eventPlace),
  Enter: [
    all(
      hits('g'),
      (t) => until(() => eventPlace(t)).toBe(0),
      hits('j'),
      (t) => until(() => eventPlace(t)).toBe(1),
    ),
    all(loses('╭─ Events'), place(60), hits('E'), sees('╭─ Events')),
  ],
  L: [here, sees('there is no live screen behind it')],
  Esc: [here, reopened],
  q: [here, reopened],
};

/** How many seconds from its start the tape stands; NaN while it goes somewhere. */
function elapsed(terminal: Terminal): number {
  const found = /^ (?:▸ |┃┃|■ ) .*? (\d+):(\d\d)\/3:00 /m.exec(terminal.screen());
  return found ? Number(found[1]) * 60 + Number(found[2]) : NaN;
}

/** How many seconds before now a live screen shows. */
function ago(terminal: Terminal): number {
  return Number(/ PAST .*? (\d+)s ago/.exec(terminal.screen())?.[1] ?? NaN);
}

function place(second: number): Check {
  return (terminal) => until(() => elapsed(terminal)).toBe(second);
}

async function paused(terminal: Terminal) {
  await until(() => elapsed(terminal)).toBeGreaterThanOrEqual(0);
  if (!/^ ▸ {2}/m.test(terminal.screen())) return;
  await hits(' ')(terminal);
  await sees(/^ (?:┃┃|■ )/m)(terminal);
}
