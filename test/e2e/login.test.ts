import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { codeNow, pamUser, startPamSshd } from '../support/pam-sshd.ts';
import { createRelay, type Relay } from '../support/relay.ts';
import { describeWith } from '../support/requires.ts';
import { makeKey, startSshd, type TestSshd } from '../support/sshd.ts';
import { closeTerminals, type Terminal } from '../support/terminal.ts';
import { keyOf } from './on-host.ts';
import { waitFor } from '../support/waiting.ts';
import { makeHome, oddBytes, removeHomes, traintop, type Home } from './program.ts';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  await closeTerminals();
  for (const stop of stops.splice(0)) await stop();
});
afterAll(removeHomes);

const linked = (terminal: Terminal) => terminal.waitFor(/ link (?:up|<?\d+ ms)/, 30_000);

/** A home that knows the host behind a relay, by which its connections are cut. */
async function behindRelay(sshd: TestSshd, ...config: readonly string[]): Promise<{ home: Home; relay: Relay }> {
  const relay = await createRelay(sshd.port);
  stops.push(relay.close, sshd.stop);
  const home = makeHome();
  writeFileSync(home.file('.ssh/known_hosts'), `[127.0.0.1]:${relay.port} ${keyOf(sshd.hostKeyLine)}\n`);
  writeFileSync(home.file('.ssh/config'), `${config.join('\n')}\n`);
  return { home, relay };
}

/** Everything below a folder that holds the text. */
function filesWith(folder: string, text: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => readFileSync(path).includes(text));
}

describeWith(['sshd', 'ssh-keygen'], 'a key with a passphrase', () => {
  test('is opened on the screen, kept for the reconnect, and written nowhere', async () => {
    const passphrase = 'corrêct horse';
    const keys = makeHome();
    makeKey(keys.file('locked'), 'ed25519', passphrase);
    const sshd = await startSshd({ authorizedKeys: [readFileSync(keys.file('locked.pub'), 'utf8').trim()] });
    const { home, relay } = await behindRelay(sshd, `IdentityFile ${keys.file('locked')}`);
    const terminal = traintop(home, [`${sshd.user}@127.0.0.1:${relay.port}`], { cols: 60, rows: 24 });
    await terminal.waitFor(/Passphrase of/, 30_000);
    terminal.type('q wrong\r');
    await terminal.waitFor('That did not open it: try 2 of 3.');
    terminal.type(passphrase.slice(0, 4));
    await terminal.waitFor('Passphrase: (typed, not shown)');
    terminal.type(`${passphrase.slice(4)}\r`);
    await linked(terminal);
    // The next log-in needs nobody.
    relay.cut();
    await waitFor('the second log-in', () => sshd.log().match(/Accepted publickey/g)?.length === 2, 30_000);
    await linked(terminal);
    terminal.press('q');
    expect((await terminal.exit).code).toBe(0);
    for (const secret of [passphrase, 'corr', 'q wrong']) expect(terminal.raw()).not.toContain(secret);
    expect(oddBytes(terminal.raw())).toEqual([]);
    expect(filesWith(home.folder, passphrase)).toEqual([]);
  });
});

// Only root can give an sshd accounts of its own.
const tools = process.getuid?.() === 0 ? ['sshd', 'unshare', 'google-authenticator'] : ['root'];

describeWith(tools, 'two factors', () => {
  test('are asked for on the screen; after a lost link the log-in waits for the user', async () => {
    const config = ['KbdInteractiveAuthentication yes', 'LogLevel VERBOSE'];
    const sshd = await startPamSshd({ factors: ['password', 'code'], config });
    const { home, relay } = await behindRelay(sshd);
    const terminal = traintop(home, [`${pamUser.name}@127.0.0.1:${relay.port}`]);
    const codes: string[] = [];
    const answer = async () => {
      await terminal.waitFor(/Password: +│/, 30_000);
      terminal.type(`${pamUser.password}\r`);
      await terminal.waitFor(/Verification code: +│/);
      codes.push(codeNow());
      terminal.type(`${codes.at(-1)}\r`);
      await linked(terminal);
    };
    await answer();
    const connections = () => sshd.log().match(/Connection from/g)?.length ?? 0;
    const before = connections();
    relay.cut();
    await terminal.waitFor(/Log in to \S+ again\?/, 30_000);
    await terminal.waitFor(/link lost[^]*the log-in to \S+ waits for an/);
    terminal.type('qq');
    // Longer than the first waits between two attempts.
    await new Promise((resolve) => setTimeout(resolve, 3000));
    expect(connections()).toBe(before);
    // Esc leaves what was seen last, and R asks anew.
    terminal.press('esc');
    await terminal.waitFor(/link failed[^]*Logging in to \S+ again/);
    await terminal.waitFor('¹GPUs');
    terminal.type('R');
    await terminal.waitFor(/Log in to \S+ again\?/);
    expect(connections()).toBe(before);
    terminal.press('enter');
    await answer();
    terminal.press('q');
    expect((await terminal.exit).code).toBe(0);
    for (const secret of [pamUser.password, 'wörd', ...codes]) expect(terminal.raw()).not.toContain(secret);
    expect(filesWith(home.folder, pamUser.password)).toEqual([]);
  });
});
