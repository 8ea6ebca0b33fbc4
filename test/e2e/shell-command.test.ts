import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { runTraintop } from '../commands/run-once.ts';
import { isRunning } from '../support/processes.ts';
import { createRelay, type Relay } from '../support/relay.ts';
import { describeWith } from '../support/requires.ts';
import { freePort } from '../support/sshd.ts';
import { closeTerminals, type Terminal } from '../support/terminal.ts';
import { startHost, type Host } from './on-host.ts';
import { makeHome, markedProcesses, removeHomes, traintop } from './program.ts';
import { answers, expectPlainModes, expectWholeTerminal, slow } from './shells.ts';

vi.setConfig({ testTimeout: 60_000 });
afterEach(closeTerminals);
afterAll(removeHomes);

const ready = (terminal: Terminal) => answers(terminal, 'echo re""ady', /^ready$/m);

describeWith(['sshd', 'busybox'], 'traintop shell over SSH', () => {
  let host: Host;
  let relay: Relay;
  beforeAll(async () => {
    host = await startHost();
    relay = await createRelay(host.sshd.port);
  });
  afterAll(async () => {
    await closeTerminals();
    await relay.close();
    await host.stop();
  });
  const shell = async (...args: string[]) => {
    const terminal = traintop(host.home({ port: relay.port }), ['shell', host.name, ...args]);
    await ready(terminal);
    return terminal;
  };
  const onHost = () => markedProcesses(host.marker).filter(({ pid }) => isRunning(pid));

  test('is a whole terminal, and exits with the exit code of the shell', async () => {
    const terminal = await shell();
    await expectWholeTerminal(terminal);
    terminal.type('exit 7\r');
    expect(await terminal.exit).toEqual({ code: 7, signal: undefined });
    await expect.poll(onHost, slow).toEqual([]);
  });

  test('exits with 128 and the number of a signal that ended it', async () => {
    const terminal = await shell();
    terminal.type('kill -9 $$\r');
    expect((await terminal.exit).code).toBe(137);
  });

  test('exits with 255 and a sentence when the connection goes', async () => {
    const terminal = await shell();
    await answers(terminal, 'printf \'\\033[?1000h\\033[?25l\'; echo mo""des', /^modes$/m);
    relay.cut();
    expect((await terminal.exit).code).toBe(255);
    expect(terminal.screen()).toMatch(/\ntraintop: The shell ended with the connection to \S+\.\n/);
    expectPlainModes(terminal);
    expect(terminal.cursorVisible()).toBe(true);
  });

  test('is left by ~. with 255, on a frozen connection too', async () => {
    const terminal = await shell();
    relay.freeze();
    terminal.type('\r~.');
    expect((await terminal.exit).code).toBe(255);
    expect(terminal.screen()).toContain('traintop: The shell was left by ~. and hung up.');
    relay.thaw();
  });

  test('after SIGTERM nothing is left', async () => {
    const terminal = await shell();
    await answers(terminal, 'echo sle""eps; sleep 1000', /^sleeps$/m);
    await expect.poll(() => onHost().some(({ command }) => command === 'sleep 1000'), slow).toBe(true);
    terminal.kill('SIGTERM');
    expect((await terminal.exit).code).toBe(143);
    await expect.poll(onHost, slow).toEqual([]);
  });

  test('is refused in a sentence where the host gives no terminal', async () => {
    const strict = await startHost(['PermitTTY no']);
    const terminal = traintop(strict.home(), ['shell', strict.name]);
    expect((await terminal.exit).code).toBe(2);
    expect(terminal.screen().replaceAll('\n', '')).toMatch(/gives this user no terminal: check PermitTTY/);
    await strict.stop();
  });
});

describe('traintop shell on this machine', () => {
  test("is the user's shell, or the one behind the wrapper", async () => {
    const plain = traintop(makeHome(), ['shell'], { env: { SHELL: '/bin/dash' } });
    await answers(plain, 'echo $0-$NODE_ENV-', /\/bin\/dash--$/m);
    plain.type('exit 4\r');
    expect((await plain.exit).code).toBe(4);
    const wrapped = traintop(makeHome(), ['shell', '--wrap', 'env INSIDE=yes']);
    await answers(wrapped, 'echo $INSIDE-$TERM', /yes-xterm-256color$/m);
    wrapped.type('exit 5\r');
    expect((await wrapped.exit).code).toBe(5);
  });

  test.each([
    ['nosuchcmd', /saying ".*nosuchcmd.*not found"; check --wrap: the shell there does not find that program/],
    ['sh -c "exit 3" --', /it ended with code 3/],
  ])('behind %s, where no shell runs, is one sentence and code 2', async (wrap, why) => {
    const terminal = traintop(makeHome(), ['shell', '--wrap', wrap], { cols: 200 });
    expect((await terminal.exit).code).toBe(2);
    const said = terminal.screen().trim().replaceAll('\n', '');
    expect(said).toMatch(/^traintop: No shell runs on local: tried `sh -s` behind `[^`]*`, .*\.$/);
    expect(said).toMatch(why);
  });

  test('opens where there is no tty to ask', async () => {
    const folder = makeHome().file('bin');
    mkdirSync(folder);
    for (const tool of ['sh', 'env']) symlinkSync(`/bin/${tool}`, join(folder, tool));
    const terminal = traintop(makeHome(), ['shell', '--wrap', `/usr/bin/env PATH=${folder}`]);
    await answers(terminal, 'echo in$((1))side', /^in1side$/m);
    terminal.type('exit 6\r');
    expect((await terminal.exit).code).toBe(6);
  });

  test.each([
    [['shell'], /^traintop: A shell needs a terminal; .*\.\n$/],
    [['shell', '--pid', '3'], /unknown option '--pid'/],
  ])('%j without a terminal is one sentence', async (args, wanted) => {
    const { code, errors, output } = await runTraintop(args);
    expect({ code, output }).toEqual({ code: 2, output: '' });
    expect(errors).toMatch(wanted);
  });

  test('on the demo, and on a host that is not there, is one sentence', async () => {
    const demo = traintop(makeHome(), ['shell', 'demo']);
    expect((await demo.exit).code).toBe(2);
    expect(demo.screen()).toContain('traintop: The host of the demo is simulated: there is no shell on it.');
    const nobody = traintop(makeHome(), ['shell', `nobody@127.0.0.1:${await freePort()}`]);
    expect((await nobody.exit).code).toBe(2);
    expect(nobody.screen()).toMatch(/refused the connection/);
  });
});
