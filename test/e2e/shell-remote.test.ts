import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { isRunning } from '../support/processes.ts';
import { describeWith } from '../support/requires.ts';
import { closeTerminals } from '../support/terminal.ts';
import { startHost } from './on-host.ts';
import { markedProcesses, traintop } from './program.ts';
import { startRelayedHost, type RelayedHost } from './relayed-host.ts';
import { answers, bodyOf, expectPlainModes, expectWholeTerminal, onMonitor, openShell, slow } from './shells.ts';

// Many steps, each of which waits for a program.
vi.setConfig({ testTimeout: 120_000 });

let relayed: RelayedHost;
const start = async () => void (relayed = await startRelayedHost());
const stop = () => relayed.stop();
afterEach(closeTerminals);

const monitor = (...args: string[]) => relayed.monitor(...args);
/** What runs on the host for traintop. */
const onHost = () => markedProcesses(relayed.host.marker).filter(({ pid }) => isRunning(pid));

describeWith(['sshd', 'busybox'], 'a shell over SSH', () => {
  beforeAll(start);
  afterAll(stop);

  test('is a whole terminal, and gives the screen back whole', async () => {
    // The layout is the same while no run is found.
    const terminal = monitor('--pid', '999999999');
    await terminal.waitFor(/No process \d+ on/, 20_000);
    terminal.type('p');
    await terminal.waitFor('PAUSED');
    const before = bodyOf(terminal);
    await openShell(terminal);
    await expectWholeTerminal(terminal);
    await answers(terminal, 'echo $TERM; shopt login_shell', /xterm-256color\nlogin_shell +on/);
    terminal.type('exit 7\r');
    await onMonitor(terminal);
    await terminal.waitFor('The shell ended with exit code 7.');
    expect(bodyOf(terminal)).toBe(before);
    terminal.type('q');
    expect((await terminal.exit).code).toBe(0);
    await expect.poll(onHost, slow).toEqual([]);
  });

  test('ends with the link, and is there again with the next one', async () => {
    const terminal = monitor();
    await openShell(terminal);
    await answers(terminal, 'printf \'\\033[?1000h\\033[?25l\'; echo mo""des; sleep 1000', /^modes$/m);
    relayed.relay.cut();
    await onMonitor(terminal);
    await terminal.waitFor(/The shell ended with the connection to \S+\./);
    expectPlainModes(terminal);
    await openShell(terminal);
    terminal.type('exit\r');
    await onMonitor(terminal);
    // The monitor goes on: its sources live.
    await terminal.waitFor((screen) => !/stale|lost/.test(screen), 20_000);
  });

  test('on a link that is frozen is left by ~.', async () => {
    const terminal = monitor();
    await openShell(terminal);
    relayed.relay.freeze();
    terminal.type('echo nobody hears\r~.');
    await onMonitor(terminal);
    await terminal.waitFor('The shell was left by ~. and hung up.');
    // Nor does one open: Esc gives it up.
    terminal.type('!');
    await terminal.waitFor('Opening a shell on');
    terminal.press('esc');
    await terminal.waitFor(/^ q quit/m);
    relayed.relay.thaw();
    await openShell(terminal);
    terminal.type('exit\r');
    await onMonitor(terminal);
  });

  test('has room where sshd allows two sessions', async () => {
    const strict = await startHost(['MaxSessions 2']);
    const terminal = traintop(strict.home(), [strict.name]);
    await openShell(terminal);
    await answers(terminal, 'stty size', /^40 120$/m);
    terminal.type('exit\r');
    await onMonitor(terminal);
    await terminal.close();
    await strict.stop();
  });

  test('ends with traintop, and leaves nothing on the host', async () => {
    const terminal = monitor();
    await openShell(terminal);
    await answers(terminal, 'echo sle""eps; sleep 1000', /^sleeps$/m);
    await expect.poll(() => onHost().some(({ command }) => command === 'sleep 1000'), slow).toBe(true);
    terminal.kill('SIGTERM');
    await terminal.exit;
    await expect.poll(onHost, slow).toEqual([]);
    expect(terminal.alternateScreen()).toBe(false);
  });

  test('passes 50 MB on, while the collectors go on', async () => {
    const terminal = monitor();
    await openShell(terminal);
    await answers(
      terminal,
      'yes 0123456789012345678901234567890123456789 | head -c 50000000; echo; echo fl""ood',
      /^flood$/m,
    );
    expect(terminal.bytes()).toBeGreaterThan(50_000_000);
    terminal.type('exit\r');
    await onMonitor(terminal);
    expect(terminal.screen()).not.toMatch(/link lost/);
  });
});
