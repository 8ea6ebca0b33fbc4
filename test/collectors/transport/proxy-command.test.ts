import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { createSshTransport } from '../../../src/collectors/transport/ssh.ts';
import type { Transport } from '../../../src/collectors/transport/transport.ts';
import { isRunning } from '../../support/processes.ts';
import { describeWith } from '../../support/requires.ts';
import { startSshd, type TestSshd } from '../../support/sshd.ts';
import { waitFor } from '../../support/waiting.ts';

/** Passes data on to a host and port, notes its PID, and does what else it is told. */
const passOn = `
  const { connect } = require('node:net');
  const { appendFileSync } = require('node:fs');
  const [file, host, port, ...ways] = process.argv.slice(2);
  appendFileSync(file, process.pid + '\\n');
  process.stderr.write('a banner\\r\\npassing on to ' + host + '\\n');
  if (ways.includes('leaves')) {
    const left = require('node:child_process').spawn('sleep', ['1000'], { detached: true, stdio: ['ignore', 'ignore', 2] });
    appendFileSync(file + '.left', left.pid + '\\n');
    left.unref();
  }
  if (ways.includes('deaf')) process.on('SIGHUP', () => {});
  const socket = connect(Number(port), host);
  process.stdin.pipe(socket);
  socket.pipe(process.stdout);
  if (ways.includes('deaf')) setInterval(() => {}, 1000);
`;

describeWith(['sshd', 'ssh', 'ssh-keygen'], 'a ProxyCommand', () => {
  let folder: string;
  let sshd: TestSshd;
  const open: Transport[] = [];
  const file = (name: string) => join(folder, name);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'traintop-proxy-'));
    writeFileSync(file('pass-on.cjs'), passOn);
    sshd = await startSshd();
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await Promise.all(open.splice(0).map((transport) => transport.close()));
    const pids = started();
    rmSync(file('pids'), { force: true });
    expect(pids.filter(isRunning)).toEqual([]);
  });
  afterAll(async () => {
    await sshd.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** PIDs of the commands that ran. */
  function started(): number[] {
    try {
      return readFileSync(file('pids'), 'utf8').split('\n').filter(Boolean).map(Number);
    } catch {
      return [];
    }
  }

  function transport(command: string, more: readonly string[] = []) {
    writeFileSync(
      file('config'),
      [
        'Host alias',
        ...more,
        // Nobody listens where this leads: only the command knows the way.
        '  HostName host.invalid',
        `  Port ${sshd.port}`,
        `  User ${sshd.user}`,
        '  HostKeyAlias alias',
        `  ProxyCommand ${command}`,
        'Host bastion',
        '  HostName 127.0.0.1',
        `  Port ${sshd.port}`,
        'Host *',
        '  BatchMode yes',
        '  StrictHostKeyChecking no',
        `  UserKnownHostsFile ${file('known_hosts')}`,
        '  LogLevel ERROR',
        `  IdentityFile ${sshd.keyFile}`,
        '  IdentityAgent none',
        '',
      ].join('\n'),
    );
    const lost: string[] = [];
    const created = createSshTransport({
      target: { kind: 'ssh', host: 'alias' },
      clock: systemClock,
      configFile: file('config'),
    });
    created.onLost((reason) => lost.push(reason));
    open.push(created);
    return Object.assign(created, { lost });
  }
  const passing = (...ways: string[]) =>
    `${process.execPath} ${file('pass-on.cjs')} ${file('pids')} 127.0.0.1 %p ${ways.join(' ')}`;

  async function output(over: Transport, command: string): Promise<string> {
    const channel = await over.open();
    const said: string[] = [];
    channel.onOutput((chunk) => said.push(chunk.toString()));
    channel.write(`${command}\n`);
    channel.end();
    await channel.exit;
    return said.join('');
  }

  test('is the way, is ended with the link, and is started again', async () => {
    const over = transport(passing());
    for (const count of [1, 2]) {
      await over.connect();
      expect(started().length).toBe(count);
      expect((await output(over, 'head -c 3000000 /dev/zero | tr "\\0" x')).length).toBe(3_000_000);
      await over.close();
      await waitFor('its end', () => !started().some(isRunning));
    }
    expect(over.lost).toEqual([]);
  });

  test('ssh -W through a bastion', async () => {
    const over = transport(`ssh -F ${file('config')} -W 127.0.0.1:%p bastion`);
    await over.connect();
    expect(await output(over, 'echo there')).toBe('there\n');
  });

  test('one that does not hear the hang-up is killed, with what it started', async () => {
    writeFileSync(file('nested.sh'), `trap '' HUP\n"$@"\nsleep 1000\n`);
    const over = transport(`sh ${file('nested.sh')} ${passing('deaf')}`);
    await over.connect();
    const [pid = 0] = started();
    await over.close();
    await waitFor('its end', () => !isRunning(pid));
  });

  test('killed in the middle it is the reason, with its last words', async () => {
    const over = transport(passing());
    await over.connect();
    process.kill(started()[0] ?? 0, 'SIGKILL');
    await waitFor('the loss', () => over.lost.length > 0);
    expect(over.lost).toEqual([
      `the ProxyCommand to ${sshd.user}@host.invalid:${sshd.port} was ended by SIGKILL, saying: passing on to 127.0.0.1: try it by itself in a shell`,
    ]);
    await over.connect();
    expect(await output(over, 'echo again')).toBe('again\n');
  });

  test('one that leaves a process with its standard error is not waited for', async () => {
    const pipes = () => process.getActiveResourcesInfo().filter((name) => name === 'PipeWrap').length;
    const before = pipes();
    const over = transport(passing('leaves'));
    await over.connect();
    const [pid = 0] = started();
    process.kill(pid, 'SIGKILL');
    await waitFor('the loss', () => over.lost.length > 0);
    expect(over.lost[0]).toMatch(/was ended by SIGKILL/);
    await over.connect();
    await over.close();
    await waitFor('the end of its pipes', () => pipes() <= before);
    for (const left of readFileSync(file('pids.left'), 'utf8').split('\n').filter(Boolean)) process.kill(Number(left));
  });

  test.each([
    [
      'no-such-command --now',
      /^The ProxyCommand to \S+ ended with code 127, saying: .*no-such-command.*: try it by itself in a shell\.$/,
    ],
    ['echo what >&2; exit 3', /ended with code 3, saying: what: /],
    ['printf "\\033[31mred\\033[0m\\n" >&2; false', /saying: [^\x1b]*red[^\x1b]*: /],
    ['true', /^The ProxyCommand to \S+ ended with code 0: /],
    ['sleep 1000', /did not finish the SSH handshake on port \d+ within 1 s/],
    ['echo HTTP/1.1 400 Bad Request; sleep 1000', /within 1 s|did not answer as an SSH server/],
  ])('%s', async (command, sentence) => {
    const over = transport(`sh -c '${command}'`, ['  ConnectTimeout 1']);
    await expect(over.connect()).rejects.toThrow(sentence);
    await over.close();
  });

  test('goes through the shell of the user, and says so when that is not there', async () => {
    vi.stubEnv('SHELL', '/no/such/shell');
    await expect(transport(passing()).connect()).rejects.toThrow(
      /^The ProxyCommand to \S+ could not be started \(ENOENT: \/no\/such\/shell\): /,
    );
    vi.stubEnv('SHELL', '/bin/bash');
    const over = transport(`test -n "$BASH_VERSION"; ${passing()}`.replace('exec ', ''));
    await expect(over.connect()).rejects.toThrow('ended with code 0');
  });

  test('close while it connects leaves nothing', async () => {
    const over = transport(`sh -c 'echo $$ >>${file('pids')}; sleep 1000'`);
    const refused = expect(over.connect()).rejects.toThrow('was given up');
    await waitFor('its start', () => started().length === 1);
    await over.close();
    await refused;
    await waitFor('its end', () => !started().some(isRunning));
  });
});
