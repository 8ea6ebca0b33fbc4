import { all, atThreads, here, hits, loses, sees, unzoomed, type Checks } from './key-checks.ts';

const none = 'No process was left stopped by a capture.';
const menu = sees(/SIGTERM +is caught/);
const at = (name: string) => sees(new RegExp(`▸ ${name}`));
const opens = all(sees(/Signals to PID \d+/), menu, hits('Esc'), unzoomed);

/** The alarm's keys where there is none: under an overlay its answer stands in the footer's place until something else is done. */
const noAlarm: Checks[string] = [here, sees(none)];

/** The keys of the screen. */
export const signalMainChecks: Checks = {
  K: [atThreads, opens],
  F9: [atThreads, opens],
  C: [atThreads, all(sees(none), hits('Esc'), loses(none))],
  X: [atThreads, all(sees(none), hits('Esc'), loses(none))],
};

/** The keys of the menu, which begins at its first row. */
export const signalChecks: Checks = {
  Down: [at('SIGINT'), at('SIGTERM')],
  j: [here, at('SIGKILL')],
  Up: [here, at('SIGTERM')],
  k: [here, at('SIGINT')],
  End: [here, at('SIGCONT')],
  Home: [here, at('SIGINT')],
  C: noAlarm,
  X: noAlarm,
  Enter: [
    all(hits('j'), at('SIGTERM')),
    all(
      sees(/Send SIGTERM to PID \d+/),
      hits('Enter'),
      sees(/This is not \d+: nothing was sent\./),
      hits('Esc'),
      sees(/Signals to PID/),
    ),
  ],
  Esc: [here, all(unzoomed, hits('K'), menu)],
  q: [here, unzoomed],
};
