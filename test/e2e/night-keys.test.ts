import { afterAll, test } from 'vitest';
import { closeTerminals } from '../support/terminal.ts';
import { alarmChecks, twoPatterns } from './alarm-checks.ts';
import { boxChecks, boxMainChecks, recordBoxes } from './box-checks.ts';
import { press, quits, run } from './key-checks.ts';
import { makeHome, removeHomes, traintop } from './program.ts';

afterAll(async () => {
  await closeTerminals();
  removeHomes();
});

test('the keys of the alarms', async () => {
  const ownHome = makeHome();
  const terminal = traintop(ownHome, ['demo', '--config', twoPatterns(ownHome)]);
  await terminal.waitFor('▲ 1 CRITICAL +1', 30_000);
  press(terminal, 'a');
  await terminal.waitFor('2 ring · 1 of 2');
  for (const [key, check] of Object.entries(alarmChecks)) await run(terminal, key, check);
  press(terminal, 'Ctrl-C');
  await quits(terminal);
});

test('the keys of the evidence', async () => {
  const ownHome = makeHome();
  const terminal = traintop(ownHome, ['replay', await recordBoxes(ownHome), '--paused']);
  await terminal.waitFor(/REPLAY {2}DEMO /, 30_000);
  for (const [key, check] of Object.entries(boxMainChecks)) await run(terminal, key, check);
  press(terminal, 'B');
  await terminal.waitFor('The newer trouble.');
  for (const [key, check] of Object.entries(boxChecks)) await run(terminal, key, check);
  press(terminal, 'Ctrl-C');
  await quits(terminal);
});
