import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { isRunning } from '../support/processes.ts';
import { describeWith, requiredTool } from '../support/requires.ts';
import { closeTerminals } from '../support/terminal.ts';
import { waitFor } from '../support/waiting.ts';
import { startWorkload, type Workload } from '../support/workload.ts';
import { makeHome, panel, removeHomes, traintop, type Home } from './program.ts';

let home: Home;
let workload: Workload;
beforeAll(() => {
  home = makeHome();
  mkdirSync(temporary());
});
beforeEach(async () => {
  workload = await startWorkload({ threads: [{ name: 'pump', percent: 20 }] });
});
afterEach(async () => {
  await closeTerminals();
  await workload.stop();
});
afterAll(removeHomes);

/** The screen of the workload, once its threads are there. */
async function watchWorkload(...args: string[]) {
  const terminal = traintop(home, ['--pid', String(workload.pid), '--no-record', ...args], {
    env: { TMPDIR: temporary() },
  });
  await terminal.waitFor((screen) => /pump +▇/.test(panel(screen, 'Threads').join('\n')), 30_000);
  return terminal;
}

/** Where the host's side makes its folders. */
const temporary = () => home.file('tmp');

describeWith(['python3'], 'signals on the screen', () => {
  test('are told, sent after the PID was typed, and their end is seen, also through a wrapper', async () => {
    const terminal = await watchWorkload('--wrap', 'env');
    // As xterm, the Linux console and tmux send F9.
    terminal.type('\x1b[20~');
    await terminal.waitFor(new RegExp(`Signals to PID ${workload.pid}`));
    await terminal.waitFor(/SIGINT +is (?:caught: its own handler decides|ignored)/);
    expect(terminal.screen()).toMatch(/SIGUSR1 +is not caught, and would end it: not sent/);
    terminal.press('down');
    await terminal.waitFor(/▸ SIGTERM/);
    terminal.press('enter');
    await terminal.waitFor(`Send SIGTERM to PID ${workload.pid}`);
    terminal.type('1\r');
    await terminal.waitFor(`This is not ${workload.pid}: nothing was sent.`);
    expect(isRunning(workload.pid)).toBe(true);
    terminal.press('backspace');
    terminal.type(`${workload.pid}\r`);
    await terminal.waitFor(new RegExp(`PID ${workload.pid} \\(.*\\) ended \\d+\\.\\d s after SIGTERM`), 20_000);
    expect(isRunning(workload.pid)).toBe(false);
  });

  test('are not there with --read-only, nor is anything that holds the process', async () => {
    const terminal = await watchWorkload('--read-only');
    expect(terminal.screen()).not.toMatch(/K signals/);
    for (const key of ['K', 'D']) {
      terminal.type(key);
      await terminal.waitFor('Not with --read-only: it would touch the run.');
      terminal.press('esc');
      await terminal.waitFor((screen) => !screen.includes('Not with --read-only'));
    }
    terminal.type('?');
    await terminal.waitFor('Keys and figures');
    expect(terminal.screen()).not.toMatch(/signals to the selected process/);
  });
});

describeWith(['python3', 'py-spy'], 'a py-spy of this machine', () => {
  test('is copied after a yes, used, and removed at the end, also when the monitor is killed', async () => {
    const file = home.file('py-spy');
    copyFileSync(requiredTool('py-spy'), file);
    chmodSync(file, 0o600);
    const terminal = await watchWorkload('--py-spy', file);
    terminal.press('d');
    await terminal.waitFor('py-spy is not on local: copy it there?');
    expect(terminal.screen()).toMatch(/removed when traintop ends, also when it is killed/);
    terminal.press('y');
    await terminal.waitFor(/run_thread/, 30_000);
    const found = readdirSync(temporary()).map((name) => join(temporary(), name, 'py-spy'));
    const [copy = ''] = found.filter((path) => statSync(path, { throwIfNoEntry: false }) !== undefined);
    expect(readFileSync(copy).equals(readFileSync(file))).toBe(true);
    process.kill(terminal.pid, 'SIGKILL');
    await waitFor('all that was there to be gone', () => readdirSync(temporary()).length === 0, 20_000);
  });
});
