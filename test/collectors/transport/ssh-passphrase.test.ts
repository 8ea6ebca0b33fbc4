import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { describeWith } from '../../support/requires.ts';
import { startAgent } from '../../support/ssh-agent.ts';
import { makeKey, startSshd, type TestSshd } from '../../support/sshd.ts';
import { waitFor } from '../../support/waiting.ts';
import { askedTransport, type AskedOptions } from './asked-login.ts';

describeWith(['sshd', 'ssh-keygen', 'ssh-agent', 'ssh-add'], 'key files with a passphrase', () => {
  const passphrase = 'a passphräse';
  const types = ['ed25519', 'rsa', 'ecdsa'];
  const stops: (() => Promise<void>)[] = [];
  let folder: string;
  let sshd: TestSshd;
  const key = (name: string) => join(folder, name);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'traintop-passphrase-'));
    for (const type of types) makeKey(key(type), type, passphrase);
    makeKey(key('stranger'), 'ed25519', 'other');
    makeKey(key('old'), 'rsa');
    execFileSync('ssh-keygen', ['-q', '-p', '-m', 'PEM', '-f', key('old'), '-P', '', '-N', passphrase]);
    const publicKeys = [...types, 'old'].map((name) => readFileSync(key(`${name}.pub`), 'utf8').trim());
    // What the old form does not say is not to be found beside it either.
    rmSync(key('old.pub'));
    sshd = await startSshd({ authorizedKeys: publicKeys });
  });
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });
  afterAll(async () => {
    await sshd.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  function at(names: readonly string[], more: Partial<AskedOptions> = {}) {
    const asked = askedTransport({ ...sshd, identityFiles: names.map(key), ...more });
    stops.push(asked.close);
    return asked;
  }
  const titles = ({ questions }: { readonly questions: readonly { readonly title: string }[] }) =>
    questions.map(({ title }) => title);

  test.each([...types, 'old'])('%s: asked for once, and kept for the next connection', async (name) => {
    const asked = at([name], { answers: [[passphrase]] });
    expect(await asked.connect()).toBeUndefined();
    await asked.transport.close();
    expect(await asked.connect()).toBeUndefined();
    expect(titles(asked)).toEqual([`Passphrase of ${key(name)}`]);
  });

  test.each([0, 2, 3, 4, 8])('a file that says %i bytes of its public key: the sentence names it', async (bytes) => {
    const asked = at(['damaged'], { answers: [[passphrase], [passphrase], [passphrase]] });
    writeFileSync(key('damaged'), withPublicPart(readFileSync(key('stranger'), 'latin1'), bytes));
    expect(await asked.connect()).toMatch(
      /^What was typed does not open \S+damaged, and there is nothing else to try at /,
    );
  });

  test('a wrong one is asked for again, three times', async () => {
    const asked = at(['rsa'], { answers: [['wrong'], [passphrase]] });
    expect(await asked.connect()).toBeUndefined();
    const never = at(['rsa'], { answers: [['1'], ['2'], ['3']] });
    expect(await never.connect()).toBe(
      `What was typed does not open ${key('rsa')}, and there is nothing else to try at ${sshd.user}@127.0.0.1:${sshd.port} ` +
        '(the server takes publickey): try again.',
    );
    expect(never.questions.map(({ lines }) => lines[0])).toEqual([
      expect.stringContaining('The key is encrypted'),
      'That did not open it: try 2 of 3.',
      'That did not open it: try 3 of 3.',
    ]);
  });

  test('a key that the server does not take is not asked for; one that the user leaves out goes by, also the next time', async () => {
    const asked = at(['stranger', 'rsa', 'ecdsa'], { answers: [undefined, [passphrase]] });
    expect(await asked.connect()).toBeUndefined();
    await asked.transport.close();
    expect(await asked.connect()).toBeUndefined();
    expect(titles(asked)).toEqual([`Passphrase of ${key('rsa')}`, `Passphrase of ${key('ecdsa')}`]);
  });

  test.each([
    ['an empty answer', ['']],
    ['Esc', undefined],
  ])('%s: the sentence says that the key was not tried, and the next try asks again', async (_, nothing) => {
    const asked = at(['stranger', 'rsa'], { answers: [nothing] });
    const sentence =
      `No passphrase was given for ${key('rsa')}, and ${sshd.user}@127.0.0.1:${sshd.port} takes nothing else of yours ` +
      `(tried ${key('stranger')}; the server takes publickey): `;
    expect(await asked.connect()).toBe(`${sentence}try again.`); // IdentityAgent none: ssh-add would not help
    asked.answer([passphrase]);
    expect(await asked.connect()).toBeUndefined();
    expect(titles(asked)).toEqual([`Passphrase of ${key('rsa')}`, `Passphrase of ${key('rsa')}`]);
    const agent = await startAgent(folder);
    stops.push(agent.stop);
    const config = [`IdentityAgent ${agent.socket}`];
    const helped = at(['stranger', 'rsa'], { config, answers: [nothing] });
    expect(await helped.connect()).toBe(
      `${sentence}run SSH_AUTH_SOCK=${agent.socket} ssh-add ${key('rsa')}, or try again.`,
    );
    const gone = at(['rsa'], { config: [`IdentityAgent ${join(folder, 'nothing')}`] });
    expect(await gone.connect()).toBe(
      `${key('rsa')} is encrypted, no agent holds it, and there is no terminal to ask on for its passphrase, ` +
        `and there is nothing else to try at ${sshd.user}@127.0.0.1:${sshd.port} (no agent answers on ${join(folder, 'nothing')}; ` +
        `the server takes publickey): start ssh-agent and run ssh-add ${key('rsa')}, or start it on a terminal.`,
    );
  });

  test('while the agent takes its time (a key to be touched, a window of its own) no time-out runs', async () => {
    const agent = await startAgent(folder);
    const slow = await startSlowAgent(agent.socket, 1200);
    stops.push(slow.stop, agent.stop);
    agent.add(key('ed25519'), passphrase);
    const asked = at([], { config: [`IdentityAgent ${slow.socket}`, 'ConnectTimeout 1'] });
    expect(await asked.connect()).toBeUndefined();
  });

  test('an agent that never answers (it is forwarded, and that link is frozen) holds up no log-in and no end', async () => {
    const frozen = await startFrozenAgent(join(folder, 'frozen.sock'));
    stops.push(frozen.stop);
    const config = [`IdentityAgent ${frozen.socket}`];
    // Its 20 s are one here.
    const clock = {
      ...systemClock,
      after: (ms: number, fn: () => void) => systemClock.after(ms === 20_000 ? 1000 : ms, fn),
    };
    const asked = at(['ed25519'], { answers: [[passphrase]], config, clock });
    expect(await asked.connect()).toBeUndefined();
    await waitFor('its end', () => frozen.open() === 0);
    const leaving = at(['ed25519'], { answers: [], config });
    const connected = leaving.connect();
    await waitFor('the question to the agent', () => frozen.open() === 1);
    await leaving.transport.close();
    expect(await connected).toMatch(/was given up/);
    await waitFor('the end of the question', () => frozen.open() === 0);
  });

  test('the agent that IdentityAgent names is asked before the user', async () => {
    const agent = await startAgent(folder);
    stops.push(agent.stop);
    agent.add(key('ecdsa'), passphrase);
    const config = [`IdentityAgent ${agent.socket}`, `IdentityFile ${key('rsa')}`, `IdentityFile ${key('ecdsa')}`];
    const asked = at([], { config, answers: [] });
    expect(await asked.connect()).toBeUndefined();
    const files = at([], { config: [...config.slice(0, 2), 'IdentitiesOnly yes'], answers: [[passphrase]] });
    expect(await files.connect()).toBeUndefined();
  });
});

/** The same key file with so many bytes of its public key (OpenSSH, PROTOCOL.key). */
function withPublicPart(text: string, bytes: number): string {
  const data = Buffer.from(text.replace(/^-.*$/gm, ''), 'base64');
  let at = 'openssh-key-v1\0'.length;
  for (let i = 0; i < 3; i++) at += 4 + data.readUInt32BE(at);
  at += 4;
  const rest = data.subarray(at + 4 + data.readUInt32BE(at));
  const parts = [data.subarray(0, at), Buffer.from([0, 0, 0, bytes]), data.subarray(at + 4, at + 4 + bytes), rest];
  const lines = Buffer.concat(parts).toString('base64').replace(/.{70}/g, '$&\n');
  return text.replace(/(KEY-----\n)[^-]*/, `$1${lines}\n`);
}

/** Passes on to an agent, and its answers back after a while. */
async function startSlowAgent(to: string, delayMs: number) {
  const socket = `${to}.slow`;
  const server = createServer((near) => {
    const far = connect(to);
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
    near.pipe(far);
    far.on('data', (chunk) => setTimeout(() => near.write(chunk), delayMs));
    near.on('close', () => far.destroy());
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  return { socket, stop: () => new Promise<void>((resolve) => server.close(() => resolve())) };
}

/** Takes questions, and gives no answer. */
async function startFrozenAgent(socket: string) {
  const open = new Set<Socket>();
  const server = createServer((near) => {
    open.add(near);
    near.resume();
    near.on('error', () => {});
    near.on('close', () => open.delete(near));
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  const stop = () => {
    for (const near of open) near.destroy();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { socket, open: () => open.size, stop };
}
