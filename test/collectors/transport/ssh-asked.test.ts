import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { codeNow, pamUser, startPamSshd, type PamOptions } from '../../support/pam-sshd.ts';
import { describeWith } from '../../support/requires.ts';
import { startAgent } from '../../support/ssh-agent.ts';
import type { TestSshd } from '../../support/sshd.ts';
import { waitFor } from '../../support/waiting.ts';
import { askedTransport, type AskedOptions, type AskedTransport } from './asked-login.ts';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

const keyboard = 'KbdInteractiveAuthentication yes';
const passwords = 'PasswordAuthentication yes';
const right = [pamUser.password];
const wrong = ['wrong'];
const code = [codeNow];

// Only root can give an sshd accounts of its own.
const tools = process.getuid?.() === 0 ? ['sshd', 'unshare', 'google-authenticator'] : ['root'];

describeWith(tools, 'an sshd with PAM that asks', () => {
  async function start(options: PamOptions): Promise<TestSshd> {
    const sshd = await startPamSshd(options);
    stops.push(sshd.stop);
    return sshd;
  }

  function at(sshd: TestSshd, more: Partial<AskedOptions> = {}): AskedTransport {
    const asked = askedTransport({ ...sshd, ...more });
    stops.push(asked.close);
    return asked;
  }

  const name = ({ port }: TestSshd) => `${pamUser.name}@127.0.0.1:${port}`;
  const labels = ({ questions }: AskedTransport) =>
    questions.map(({ fields }) => fields.map(({ label }) => label).join());
  const connections = (sshd: TestSshd) => sshd.log().match(/Connection from|(?:Failed|Accepted) \w+/g)?.length ?? 0;

  test('a password and a code, one after the other; neither is kept', async () => {
    const sshd = await start({ factors: ['password', 'code'], config: [keyboard, 'LogLevel VERBOSE'] });
    const asked = at(sshd, { answers: [right, code] });
    expect(await asked.connect()).toBeUndefined();
    expect(asked.questions).toEqual([
      { title: `${name(sshd)} asks, to log in`, lines: [], fields: [{ label: 'Password', hidden: true }] },
      { title: `${name(sshd)} asks, to log in`, lines: [], fields: [{ label: 'Verification code', hidden: true }] },
    ]);
    await asked.transport.close();

    // Nothing reaches the host before the user wants to log in again.
    const before = connections(sshd);
    const told: string[] = [];
    asked.answer('wait');
    const waits = asked.connect((reason) => void told.push(reason));
    await waitFor('the question', () => asked.questions.length === 3);
    expect(asked.questions[2]).toMatchObject({ title: `Log in to ${name(sshd)} again?`, fields: [] });
    expect(told).toEqual([`the log-in to ${name(sshd)} waits for an answer`]);
    expect(connections(sshd)).toBe(before);
    await asked.transport.close();
    expect(await waits).toMatch(/again was declined/);
    expect(asked.withdrawn.length).toBe(1);

    asked.answer(undefined);
    expect(await asked.connect()).toBe(`Logging in to ${name(sshd)} again was declined: R asks anew.`);
    expect(connections(sshd)).toBe(before);
    asked.answer([], right, code);
    expect(await asked.connect()).toBeUndefined();
  });

  test('a wrong code, then the right one', async () => {
    const sshd = await start({ factors: ['password', 'code'], config: [keyboard] });
    const asked = at(sshd, { answers: [right, ['000000'], right, code] });
    expect(await asked.connect()).toBeUndefined();
    expect(asked.questions.map(({ lines }) => lines)).toEqual([[], [], ['That was not accepted: try 2 of 3.'], []]);
  });

  test('what is always wrong, or is not given: one sentence', async () => {
    const sshd = await start({ factors: ['password'], config: [keyboard] });
    expect(await at(sshd, { answers: [wrong, wrong, wrong] }).connect()).toBe(
      `${name(sshd)} refused the log-in: tried keyboard-interactive; the server takes publickey, keyboard-interactive; ` +
        'check the user name and what was typed.',
    );
    expect(await at(sshd, { answers: [wrong, undefined] }).connect()).toBe(
      `The log-in to ${name(sshd)} was given up: it wanted Password, which was not given; try again to give it.`,
    );
  });

  test('without a terminal the sentence says what would have been asked for', async () => {
    const sshd = await start({ factors: ['password'], config: [keyboard, passwords] });
    expect(await at(sshd).connect()).toBe(
      `${name(sshd)} refused the log-in: there was no key to try; there is no terminal to ask on for the answers of ` +
        'keyboard-interactive; there is no terminal to ask on for a password; the server takes publickey, password, ' +
        'keyboard-interactive; start it on a terminal, or log in with a key.',
    );
    const batch = at(sshd, { config: ['BatchMode yes'], answers: [] });
    const said = await batch.connect();
    expect(said).toContain('; BatchMode forbids to ask for a password;');
    expect(said).toMatch(/; take BatchMode out of the SSH configuration, or log in with a key\.$/);
    const keyless = at(await start({ factors: ['password'] }));
    expect(await keyless.connect()).toMatch(
      /there was no key to try; .*; name a key by --identity or IdentityFile, or load one into an agent\.$/,
    );
  });

  test('a key and then a code: of a file, and of the agent', async () => {
    const sshd = await start({
      factors: ['code'],
      config: [keyboard, 'AuthenticationMethods publickey,keyboard-interactive', 'MaxAuthTries 3'],
    });
    expect(await at(sshd, { answers: [code] }).connect()).toMatch(/the server takes publickey;/);
    expect(await at(sshd, { answers: [code], identityFiles: [sshd.keyFile] }).connect()).toBeUndefined();
    const agent = await startAgent(sshd.folder);
    stops.push(agent.stop);
    agent.add(sshd.keyFile);
    const config = [`IdentityAgent ${agent.socket}`];
    const byAgent = at(sshd, { answers: [['000000'], code], config });
    expect(await byAgent.connect()).toBeUndefined();
    expect(labels(byAgent)).toEqual(['Verification code', 'Verification code']);
  });

  test('a password and then what PAM asks', async () => {
    const methods = 'AuthenticationMethods password,keyboard-interactive';
    const sshd = await start({ factors: ['password'], config: [keyboard, passwords, methods] });
    const asked = at(sshd, { answers: [wrong, right, right] });
    expect(await asked.connect()).toBeUndefined();
    expect(asked.questions.map(({ title }) => title)).toEqual([
      `Log in to ${name(sshd)}`,
      `Log in to ${name(sshd)}`,
      `${name(sshd)} asks, to log in`,
    ]);
  });

  test('a password that was right is kept, and asked for again when it no longer is', async () => {
    const sshd = await start({ factors: ['password'], config: [passwords] });
    const asked = at(sshd, { answers: [wrong, right] });
    expect(await asked.connect()).toBeUndefined();
    expect(asked.questions.map(({ lines }) => lines[0])).toEqual([
      expect.stringContaining('stays in the memory'),
      'That was not accepted: try 2 of 3.',
    ]);
    await asked.transport.close();
    expect(await asked.connect()).toBeUndefined();
    expect(asked.questions.length).toBe(2);
    await asked.transport.close();
    // The account is locked, and opened again while the question stands.
    const shadow = join(sshd.folder, 'shadow');
    const accounts = readFileSync(shadow, 'utf8');
    writeFileSync(shadow, accounts.replace(`${pamUser.name}:`, `${pamUser.name}:!`));
    const unlock = () => {
      writeFileSync(shadow, accounts);
      return pamUser.password;
    };
    asked.answer([unlock]);
    expect(await asked.connect()).toBeUndefined();
    expect(asked.questions.length).toBe(3);
    await asked.transport.close();
    const forbidden = at(sshd, { answers: [right], config: ['PasswordAuthentication no'] });
    expect(await forbidden.connect()).toMatch(/there was no key to try; the server takes publickey, password;/);
    const once = at(sshd, { answers: [wrong], config: ['NumberOfPasswordPrompts 1'] });
    expect(await once.connect()).toMatch(/refused the log-in: tried a password;/);
  });

  test('a server that does not wait: the question goes, and the next connection waits for the user', async () => {
    const sshd = await start({ factors: ['password'], config: [keyboard, 'LoginGraceTime 1', 'LogLevel VERBOSE'] });
    const asked = at(sshd, { answers: ['wait'] });
    expect(await asked.connect()).toBe(
      `${name(sshd)} closed the connection while the log-in waited for an answer: sshd gives two minutes (LoginGraceTime).`,
    );
    expect(asked.withdrawn.length).toBe(1);
    const before = connections(sshd);
    asked.answer(undefined);
    expect(await asked.connect()).toMatch(/again was declined/);
    expect(connections(sshd)).toBe(before);
  });

  test('while the user types no time-out runs', async () => {
    const sshd = await start({ factors: ['password'], config: [keyboard] });
    const asked = at(sshd, { answers: ['wait'], config: ['ConnectTimeout 1'] });
    const connecting = asked.connect();
    await waitFor('the question', () => asked.questions.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 1300));
    expect(asked.withdrawn).toEqual([]);
    await asked.transport.close();
    expect(await connecting).toMatch(/was given up/);
    expect(asked.withdrawn.length).toBe(1);
  });
});
