import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isRunning } from '../support/processes.ts';
import { describeWith } from '../support/requires.ts';
import { freePort, makeKey } from '../support/sshd.ts';
import { closeTerminals, type Terminal } from '../support/terminal.ts';
import { startWorkload, type Workload } from '../support/workload.ts';
import { keyOf, startHost, type Host } from './on-host.ts';
import { markedProcesses, oddBytes, panel, removeHomes, traintop, type Home } from './program.ts';

describeWith(['sshd', 'python3'], 'a run behind a real sshd', () => {
  let host: Host;
  let home: Home;
  let workload: Workload;
  let logPath: string;
  const mark = `remote${process.pid}`;

  beforeAll(async () => {
    host = await startHost();
    home = host.home();
    logPath = home.file('train.log');
    workload = await startWorkload({
      threads: [{ name: 'pump', percent: 30 }, { name: mark }],
      logSeconds: 0.5,
      logPath,
    });
  });
  afterAll(async () => {
    await closeTerminals();
    await workload.stop();
    await host.stop();
    removeHomes();
  });

  const pid = () => String(workload.pid);
  const data = (terminal: Terminal) =>
    terminal.waitFor(
      (screen) => /pump +▇.* \d\d\.\d /.test(panel(screen, 'Threads').join('\n')) && /tok\/s 14\.5K/.test(screen),
      30_000,
    );
  /** What runs on the host for traintop: everything in sshd's sessions. */
  const onHost = () => markedProcesses(host.marker).filter(({ pid }) => isRunning(pid));

  test('by an alias: the same first data as of a local run', async () => {
    const terminal = traintop(home, [host.name, '--match', mark]);
    const screen = await data(terminal);
    expect(screen).toContain(`PID ${pid()}`);
    expect(terminal.row(1)).toMatch(/ trainer .*link/);
    await terminal.waitFor((now) => /q_hs .*9-10/.test(panel(now, 'Queues').join('\n')));
    await terminal.waitFor((now) => /step \d+ \| loss/.test(panel(now, 'Log').join('\n')));
    // This machine has no GPU: its panel says so, and shows no zero.
    const gpus = panel(terminal.screen(), 'GPUs').join('\n');
    if (!/\d ×/.test(gpus)) {
      expect(gpus).toMatch(/nvidia-smi|GPU/);
      expect(gpus).not.toMatch(/ 0%|\b0 W/);
    }
    expect(onHost().length).toBeGreaterThan(4);
    terminal.press('q');
    expect((await terminal.exit).code).toBe(0);
    await expect.poll(onHost, { timeout: 1000, interval: 20 }).toEqual([]);
    expect(oddBytes(terminal.raw())).toEqual([]);
  });

  test.each(['SIGTERM', 'SIGHUP', 'SIGKILL'] as const)('after %s nothing is left on the host', async (signal) => {
    const terminal = traintop(home, [host.name, '--pid', pid()]);
    await data(terminal);
    expect(onHost().length).toBeGreaterThan(4);
    terminal.kill(signal);
    const exit = await terminal.exit;
    await expect.poll(onHost, { timeout: 1000, interval: 20 }).toEqual([]);
    if (signal === 'SIGKILL') return;
    expect(exit.signal).toBeUndefined();
    // What the terminal was sent last may be drawn a moment after the end.
    await expect.poll(() => terminal.alternateScreen(), { timeout: 5000, interval: 20 }).toBe(false);
    expect(terminal.cursorVisible()).toBe(true);
  });

  test('an unknown host is asked for once and remembered', async () => {
    const fresh = host.home({ known: '' });
    const first = traintop(fresh, [host.name, '--pid', pid()]);
    await first.waitFor(/is not known yet/);
    first.press('y');
    await data(first);
    await first.close();
    expect(readFileSync(fresh.file('.ssh/known_hosts'), 'utf8')).toContain(keyOf(host.sshd.hostKeyLine));
    const second = traintop(fresh, [host.name, '--pid', pid()]);
    await data(second);
    expect(second.raw()).not.toContain('is not known yet');
    await second.close();
  });

  test('a changed key refuses with the line that holds the other one', async () => {
    makeKey(home.file('other'));
    const known = `# mine\ntrainer ${readFileSync(home.file('other.pub'), 'utf8')}`;
    const fresh = host.home({ known });
    const terminal = traintop(fresh, [host.name]);
    expect((await terminal.exit).code).toBe(2);
    const said = terminal.screen().trim().replaceAll('\n', '');
    expect(said).toMatch(
      /^traintop: The host key of trainer is now ssh-ed25519 SHA256:.*known_hosts:2: someone may be/,
    );
    expect(terminal.alternateScreen()).toBe(false);
  });

  const fault = async (terminal: Terminal) => {
    expect((await terminal.exit).code).toBe(2);
    expect(terminal.alternateScreen()).toBe(false);
    const said = terminal.screen().trim().replaceAll('\n', '');
    expect(said).toMatch(/^traintop: .*\.$/);
    return said;
  };

  test('a refused key is one sentence', async () => {
    makeKey(home.file('stranger'));
    const fresh = host.home({ keyFile: home.file('stranger') });
    expect(await fault(traintop(fresh, [host.name]))).toMatch(/trainer|127\.0\.0\.1/);
  });

  test('an unreachable host is one sentence', async () => {
    const fresh = host.home({ port: await freePort() });
    expect(await fault(traintop(fresh, [host.name]))).toMatch(/refused|Nothing listens|ECONNREFUSED/i);
  });

  test('a wrong wrapper is one sentence that shows what it said', async () => {
    expect(await fault(traintop(home, [host.name, '--wrap', 'no-such-wrapper --']))).toMatch(/no-such-wrapper/);
  });

  test('no such process: the screen waits for it', async () => {
    const terminal = traintop(home, [host.name, '--pid', '999999999']);
    await terminal.waitFor(/No process 999999999 on \S+; waiting for it/, 20_000);
    await terminal.close();
  });

  test('a log that cannot be read, or is not there, is said on its panel', async () => {
    const terminal = traintop(home, [host.name, '--pid', pid(), '--log', home.file('none.log')]);
    await terminal.waitFor((screen) => /there is no .*none\.log/.test(panel(screen, 'Log').join(' ')), 20_000);
    writeFileSync(home.file('none.log'), 'step 1 loss=0.5\n');
    await terminal.waitFor((screen) => panel(screen, 'Log').join('\n').includes('step 1 loss=0.5'), 40_000);
    await terminal.close();
  });
});
