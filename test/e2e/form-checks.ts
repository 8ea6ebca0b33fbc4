import { expect } from 'vitest';
import type { Terminal } from '../support/terminal.ts';
import { all, press, type Check } from './key-checks.ts';

/** The keys of a log-in's fields, of which the first is shown and the second hidden: what brings the screen there, what a key does. */
export const formChecks: Readonly<Record<string, readonly [before: Check, check: Check]>> = {
  text: [empty, sees(/Which device: n +│/)],
  Backspace: [typed('ab'), sees(/Which device: a +│/)],
  'Ctrl-U': [typed('ab'), sees(/Which device: +│/)],
  Tab: [empty, all(hits('x'), sees('Code: (typed, not shown)'))],
  'Shift-Tab': [
    all(empty, hits('Tab', 'x'), sees('Code: (typed, not shown)')),
    all(hits('y'), sees('Which device: y')),
  ],
  Down: [empty, all(hits('x'), sees('Code: (typed, not shown)'))],
  Up: [all(empty, hits('Tab', 'x'), sees('Code: (typed, not shown)')), all(hits('y'), sees('Which device: y'))],
  Enter: [empty, all(hits('x'), sees('Code: (typed, not shown)'), hits('Enter'), sees('Round 2'))],
  Esc: [empty, declined],
};

async function empty(terminal: Terminal) {
  press(terminal, 'Shift-Tab', 'Ctrl-U', 'Tab', 'Ctrl-U', 'Shift-Tab');
  await sees(/Which device: +│\n│ Code: +│/)(terminal);
}

function typed(text: string): Check {
  return all(empty, hits(...text), sees(`Which device: ${text}`));
}

function sees(wanted: string | RegExp): Check {
  return (terminal) => terminal.waitFor(wanted);
}

function hits(...keys: readonly string[]): Check {
  return async (terminal) => press(terminal, ...keys);
}

async function declined(terminal: Terminal) {
  expect((await terminal.exit).code).toBe(2);
  const said = terminal.screen().trim().replaceAll('\n', '');
  expect(said).toMatch(
    /^traintop: The log-in to \S+ was given up: it wanted Which device, Code, which was not given;.*\.$/,
  );
}
