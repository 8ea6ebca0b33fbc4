import type { Terminal } from '../support/terminal.ts';
import { here, loses, press, scrollChecks, type Checks } from './key-checks.ts';
import { panel } from './program.ts';

/** Which run of the picker the cursor is on, from 0. */
export const pickerPlace = (terminal: Terminal) =>
  panel(terminal.screen(), 'Training runs')
    .slice(4)
    .findIndex((row) => row.includes('▸'));
/** The keys of the picker, which is open. */
export const pickerChecks: Checks = {
  ...scrollChecks(pickerPlace),
  Esc: [here, pickerLeft],
  q: [here, pickerLeft],
};

async function pickerLeft(terminal: Terminal) {
  await terminal.waitFor('choose one (c)');
  await loses('Which one is it?')(terminal);
  press(terminal, 'c');
  await terminal.waitFor('Which one is it?');
}
