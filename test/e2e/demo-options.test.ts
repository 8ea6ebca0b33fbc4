import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { straggler } from '../../src/demo/scenarios/straggler.ts';
import { openRecording } from '../../src/recording/recording.ts';
import { closeTerminals } from '../support/terminal.ts';
import { makeHome, panel, removeHomes, traintop } from './program.ts';

afterEach(closeTerminals);
afterAll(removeHomes);

test('traintop demo --scenario list names all that can be played', async () => {
  const terminal = traintop(makeHome(), ['demo', '--scenario', 'list'], { rows: 80 });
  expect((await terminal.exit).code).toBe(0);
  expect(terminal.screen()).toMatch(/ {2}hang +\S.*[^]* {2}disk-full +\S/);
});

/** Every option of the live monitor works with the demo; `sees` is what it changes. */
test.each<readonly [args: readonly string[], sees: RegExp]>([
  [['--wrap', 'pct exec 200 --', '--interval', '2'], /through pct exec 200 --/],
  [['--pid', '41607', '--threads', 'top'], /PID 41207/],
  [['--match', 'configs/27b', '--threads', 'pidstat'], /PID 41207/],
  [['--log', '/no/such.log', '--py-spy', '/opt/venv/bin/py-spy'], /there is no \/no\/such\.log on/],
])('traintop demo %s', async (args, sees) => {
  const terminal = traintop(makeHome(), ['demo', ...args]);
  await terminal.waitFor(sees, 20_000);
  await terminal.waitFor((screen) => /(?:8|9|10)\d\.\d/.test(panel(screen, 'Threads').join('\n')), 20_000);
  if (args.includes('--interval')) await terminal.waitFor('every 2s');
  terminal.press('d');
  await terminal.waitFor(/target-0 +41208/);
  terminal.press('ctrl-c');
  expect((await terminal.exit).code).toBe(0);
});

test('traintop demo plays a scenario fast, and a recording of it says what is true of it', async () => {
  const home = makeHome();
  const runs = home.file('runs');
  const choice = ['--scenario', 'straggler', '--seed', '5', '--speed', '32'];
  const terminal = traintop(home, ['demo', ...choice, '--record', runs]);
  await terminal.waitFor(/DEMO 32x/, 20_000);
  await terminal.waitFor(/8 ranks/, 20_000);
  await terminal.waitFor((screen) => /step +29\d{3}/.test(panel(screen, 'Throughput').join('\n')), 20_000);
  terminal.press('q');
  expect((await terminal.exit).code).toBe(0);
  const [folder = ''] = readdirSync(runs);
  const recording = await openRecording(join(runs, folder));
  expect(recording.header.demo).toEqual({ scenario: 'straggler', seed: 5, truth: straggler.truth });
  await recording.close();
});
