import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeTerminals, type Terminal } from '../support/terminal.ts';
import { press, quits } from './key-checks.ts';
import { makeHome, removeHomes, traintop } from './program.ts';
import { pastChecks } from './tape-checks.ts';

const home = makeHome();
const temporary = makeHome().folder;
let terminal: Terminal;

beforeAll(async () => {
  terminal = traintop(home, ['demo'], { env: { TMPDIR: temporary } });
  await terminal.waitFor(/41207 +412\d\d/, 30_000);
});
afterAll(async () => {
  await closeTerminals();
  removeHomes();
});

const kept = () => readdirSync(temporary).filter((name) => name.startsWith('traintop-demo-'));

test.each(Object.entries(pastChecks))('%s on the live screen of a demo', async (key, [before, check]) => {
  await before(terminal);
  press(terminal, key);
  await check(terminal);
});

test('what a demo keeps for that goes with it', async () => {
  expect(kept()).toHaveLength(1);
  press(terminal, 'q');
  await quits(terminal);
  expect(kept()).toEqual([]);
});

test('where nothing is recorded the keys say so', async () => {
  const own = traintop(makeHome(), ['local', '--no-record', '--pid', String(process.pid)]);
  await own.waitFor('q quit', 30_000);
  press(own, 'Left');
  await own.waitFor('nothing is recorded here');
  press(own, 'q');
  await quits(own);
});
