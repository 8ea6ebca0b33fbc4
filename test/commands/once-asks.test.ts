import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { makeHome, removeHomes, traintop, type Home } from '../e2e/program.ts';
import { describeWith } from '../support/requires.ts';
import { makeKey, startSshd, type TestSshd } from '../support/sshd.ts';
import { waitFor } from '../support/waiting.ts';
import { closeTerminals, type Terminal } from '../support/terminal.ts';
import { runTraintop } from './run-once.ts';

/** Of the two waits of a test; what stood on the screen then is in the error. */
const slowMs = 40_000;
vi.setConfig({ testTimeout: 3 * slowMs });

describeWith(['sshd', 'ssh-keygen', 'stty'], 'once, where the log-in asks', () => {
  const passphrase = 'a pass phräse';
  let sshd: TestSshd;
  let home: Home;
  beforeAll(async () => {
    home = makeHome();
    makeKey(home.file('locked'), 'ed25519', passphrase);
    sshd = await startSshd({ authorizedKeys: [readFileSync(home.file('locked.pub'), 'utf8').trim()] });
  });
  afterEach(closeTerminals);
  afterAll(async () => {
    await sshd.stop();
    removeHomes();
  });

  /** Under a shell that says how the command ended, and then how its terminal is set. */
  function once(known: boolean, name = 'once'): Terminal {
    writeFileSync(home.file('.ssh/known_hosts'), known ? `${sshd.hostKeyLine}\n` : '');
    const target = `${sshd.user}@127.0.0.1:${sshd.port}`;
    const command = `"$0" bin/traintop.js ${name} ${target} --identity ${home.file('locked')} >${home.file('out')}`;
    return traintop(home, [], {
      command: ['sh', '-c', `${command}; echo "ended $?"; stty -a; read rest`, process.execPath],
    });
  }
  const ended = (terminal: Terminal, code: number) =>
    terminal.waitFor(
      (screen) => screen.includes(`ended ${code}`) && /(?<!-)icanon[^]*(?<!-)echo\b/.test(screen),
      slowMs,
    );

  test('the host key and the passphrase are asked for on the terminal, and the output stays clean', async () => {
    const terminal = once(false);
    await terminal.waitFor(/is not known yet\.[^]*\(yes\/no\)\?/, slowMs);
    terminal.type('maybe\r');
    await terminal.waitFor('Please type yes or no:');
    terminal.type('nx\x7f\x15yes\r');
    await terminal.waitFor(/Passphrase of \S+locked[^]*Passphrase: /);
    terminal.type('wrong\r');
    await terminal.waitFor(/That did not open it: try 2 of 3\.[^]*Passphrase: $/m);
    terminal.type(`\x1b[Anot this\x15${passphrase}x\x7f\r`);
    await ended(terminal, 0);
    expect(JSON.parse(readFileSync(home.file('out'), 'utf8'))).toHaveProperty('host');
    for (const secret of [passphrase, 'phräse', 'not this', 'wrong']) expect(terminal.raw()).not.toContain(secret);
    expect(readFileSync(home.file('.ssh/known_hosts'), 'utf8')).toContain('ssh-ed25519');
  });

  test.each([
    ['Ctrl-C', '\x03', 130],
    ['Ctrl-D, and then no other key', '\x04', 2],
  ])('%s sets the terminal back', async (_, key, code) => {
    const terminal = once(true);
    await terminal.waitFor('Passphrase: ', slowMs);
    terminal.type(key);
    await ended(terminal, code);
  });

  test('Ctrl-C at the question of doctor is no finding: it ends without a report', async () => {
    const terminal = once(true, 'doctor');
    await terminal.waitFor('Passphrase: ', slowMs);
    terminal.type('\x03');
    await ended(terminal, 130);
    expect(readFileSync(home.file('out'), 'utf8')).toBe('');
  });

  test.each(['SIGTERM', 'SIGHUP'] as const)('%s sets the terminal back', async (signal) => {
    const terminal = once(true);
    await terminal.waitFor('Passphrase: ', slowMs);
    // The kernel may leave a child out of the list while others come and go (proc(5)).
    process.kill(await waitFor('the command', () => childOf(terminal.pid) || undefined), signal);
    await ended(terminal, signal === 'SIGTERM' ? 143 : 129);
  });

  test('without a terminal nothing is asked: one sentence', async () => {
    const { code, errors } = await runTraintop(
      ['once', `${sshd.user}@127.0.0.1:${sshd.port}`, '--identity', home.file('locked')],
      home.env,
    );
    expect(code).toBe(2);
    expect(errors).toMatch(
      /^traintop: [^\n]*there is no terminal to ask on for its passphrase,[^\n]*: start ssh-agent and run ssh-add \S+, or [^\n]*\.\n$/,
    );
  });
});

/** 0 = none, which as a target would be our own group. */
function childOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0]);
}
