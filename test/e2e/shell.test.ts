import { readFileSync } from 'node:fs';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { isRunning } from '../support/processes.ts';
import { describeWith } from '../support/requires.ts';
import { closeTerminals } from '../support/terminal.ts';
import { makeHome, markedProcesses, removeHomes, traintop } from './program.ts';
import {
  answers,
  bodyOf,
  expectPlainModes,
  expectWholeTerminal,
  inShell,
  onMonitor,
  openShell,
  resizedTo,
  slow,
} from './shells.ts';

// Many steps, each of which waits for a program.
vi.setConfig({ testTimeout: 120_000 });

afterEach(closeTerminals);
afterAll(removeHomes);

/** The layout is the same while none is found. */
const noRun = '999999999';
const env = { SHELL: '/bin/bash' };

describeWith(['busybox'], 'a shell on this machine', () => {
  test('is a whole terminal, and gives the screen back whole', async () => {
    const terminal = traintop(makeHome(), ['--pid', noRun], { env });
    await terminal.waitFor(/No process \d+ on/, 20_000);
    terminal.type('p');
    await terminal.waitFor('PAUSED');
    const before = bodyOf(terminal);
    await openShell(terminal);
    expect(terminal.alternateScreen()).toBe(false);
    await expectWholeTerminal(terminal);
    // What a program that was killed leaves behind: alternate screen, mouse, pastes, focus, margins, colours, line drawing, keys, no cursor.
    const modes = '[?1049h [?1000h [?1003h [?1006h [?2004h [?1004h [5;9r [31;7m (0 [?1h = [?7l [4h [?25l [?5h';
    await answers(
      terminal,
      `printf '${modes
        .split(' ')
        .map((mode) => `\\033${mode}`)
        .join('')}'; echo spoi""lt`,
      /./,
    );
    terminal.type('exit 3\r');
    await onMonitor(terminal);
    await terminal.waitFor('The shell ended with exit code 3.');
    expect(bodyOf(terminal)).toBe(before);
    expectPlainModes(terminal);
    expect(terminal.alternateScreen()).toBe(true);
    expect(terminal.cursorVisible()).toBe(false);
    // At the other size that the shell was left with.
    terminal.type('!');
    await inShell(terminal);
    terminal.resize(100, 30);
    await resizedTo(terminal, '30 100');
    terminal.type('\x04');
    await onMonitor(terminal);
    const drawn = await terminal.waitFor((screen) => screen.split('\n').length === 30 && / q quit/.test(screen));
    terminal.press('ctrl-l');
    expect(bodyOf(terminal)).toBe(drawn.split('\n').slice(3, -1).join('\n'));
    terminal.type('q');
    expect(await terminal.exit).toEqual({ code: 0, signal: undefined });
    expect(terminal.alternateScreen()).toBe(false);
    expect(terminal.cursorVisible()).toBe(true);
    // The user's own terminal goes on below what they did in the shell.
    expect(terminal.screen()).toMatch(/^sized$/m);
  });

  test('gets what is typed in the same moment as its key', async () => {
    const terminal = traintop(makeHome(), [], { env });
    await terminal.waitFor(/link \d+ ms/, 20_000);
    terminal.type('!echo ty""ped ö; exit\r');
    await expect.poll(() => terminal.raw(), slow).toMatch(/[\r\n]typed ö\r\n/);
    // Behind the way out the keys are the monitor's again, in the same moment too.
    await onMonitor(terminal);
    terminal.type('!\r~.?');
    await terminal.waitFor('Keys and figures', 20_000);
  });

  test('is stopped by no key of its own: Ctrl-Z is for its jobs, ~~ a tilde, ~. the way out', async () => {
    const home = makeHome();
    const terminal = traintop(home, [], { env });
    await openShell(terminal);
    terminal.type('sleep 1000\r');
    await expect
      .poll(() => markedProcesses(home.marker).some(({ command }) => command === 'sleep 1000'), slow)
      .toBe(true);
    terminal.press('ctrl-z');
    await terminal.waitFor(/Stopped +sleep 1000/, 20_000);
    terminal.type('~~\x08\x08echo ti""lde\r');
    await terminal.waitFor(/^tilde$/m, 20_000);
    terminal.type('~.');
    await onMonitor(terminal);
    await terminal.waitFor('The shell was left by ~. and hung up.');
    await expect
      .poll(
        () =>
          markedProcesses(home.marker).filter(({ pid, command }) => /sleep 1000|bash/.test(command) && isRunning(pid)),
        slow,
      )
      .toEqual([]);
    terminal.type('q');
    expect((await terminal.exit).code).toBe(0);
  });

  test('may print without end: memory stays as it was', async () => {
    const terminal = traintop(makeHome(), [], { env });
    await openShell(terminal);
    const peak = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${terminal.pid}/status`, 'utf8'))?.[1]) / 1024;
    const before = peak();
    await answers(
      terminal,
      'yes 0123456789012345678901234567890123456789 | head -c 20000000; echo; echo fl""ood',
      /^flood$/m,
    );
    expect(terminal.bytes()).toBeGreaterThan(20_000_000);
    expect(peak() - before).toBeLessThan(60);
    // Nothing of what was still to come stands between the user and their Ctrl-C.
    terminal.type('yes\r');
    await terminal.waitFor(/^y\ny\ny\ny$/m, 20_000);
    terminal.press('ctrl-c');
    await answers(terminal, 'echo af""ter', /^after$/m);
    terminal.type('exit\r');
    await onMonitor(terminal);
  });

  test.each(['SIGTERM', 'SIGHUP'] as const)('ends with traintop by %s, and leaves nothing', async (signal) => {
    const home = makeHome();
    const terminal = traintop(home, [], { env });
    await openShell(terminal);
    await answers(terminal, 'printf \'\\033[?1000h\\033[?1h\'; echo mo""des; sleep 1000', /^modes$/m);
    await expect
      .poll(() => markedProcesses(home.marker).some(({ command }) => command === 'sleep 1000'), slow)
      .toBe(true);
    terminal.kill(signal);
    expect((await terminal.exit).signal).toBeUndefined();
    await expect.poll(() => markedProcesses(home.marker).filter(({ pid }) => isRunning(pid)), slow).toEqual([]);
    expectPlainModes(terminal);
    expect(terminal.alternateScreen()).toBe(false);
    expect(terminal.cursorVisible()).toBe(true);
  });

  test('that cannot start is a sentence, and so is a wrapper without a terminal', async () => {
    const terminal = traintop(makeHome(), ['--wrap', `bash -c 'exec "$@" < <(exec cat 2>/dev/null)' x`], { env });
    await terminal.waitFor(/link \d+ ms/, 20_000);
    terminal.type('!');
    await terminal.waitFor(/`bash -c .*` gives no terminal inside/, 20_000);
    await onMonitor(terminal);
  });
});
