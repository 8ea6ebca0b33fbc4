import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { createSshTransport, type AskSecrets, type HostKeyQuestion } from '../../../src/collectors/transport/ssh.ts';
import type { Transport } from '../../../src/collectors/transport/transport.ts';
import { createNetworks, here, type Networks } from '../../support/netns.ts';
import { isRunning } from '../../support/processes.ts';
import { describeWith } from '../../support/requires.ts';
import { keyOf, makeKey, startSshd, type TestSshd } from '../../support/sshd.ts';
import { waitFor } from '../../support/waiting.ts';

/** here - near - middle - far: each reaches its neighbours only. */
describeWith(['root', 'sshd', 'ssh', 'ssh-keygen', 'ip', 'iptables'], 'jump hosts in networks of their own', () => {
  let folder: string;
  let net: Networks;
  let near: TestSshd;
  let middle: TestSshd;
  let far: TestSshd;
  const open: Transport[] = [];
  const file = (name: string) => join(folder, name);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'traintop-jump-'));
    net = createNetworks([
      [here, 'near'],
      ['near', 'middle'],
      ['middle', 'far'],
    ]);
    const start = (node: string, before: string, address = net.address(node, before)) =>
      startSshd({ address, around: () => net.command(node) });
    near = await start('near', here);
    // IPv6 behind the first.
    middle = await start('middle', 'near', net.address6('middle', 'near'));
    far = await start('far', 'middle');
  }, 30_000);
  afterEach(async () => {
    net.restore('near');
    await Promise.all(open.splice(0).map((transport) => transport.close()));
  });
  afterAll(async () => {
    for (const sshd of [near, middle, far]) await sshd?.stop();
    await net?.remove();
    rmSync(folder, { recursive: true, force: true });
  }, 30_000);

  /** The configuration of the three, with more lines for some of them. */
  function configure(more: Partial<Record<'near' | 'middle' | 'far', readonly string[]>> = {}) {
    const entry = (name: 'near' | 'middle' | 'far', sshd: TestSshd, address: string, way: string) => [
      `Host ${name}`,
      ...(more[name] ?? []).map((line) => `  ${line}`),
      `  HostName ${address}`,
      `  Port ${sshd.port}`,
      `  User ${sshd.user}`,
      `  IdentityFile ${sshd.keyFile}`,
      `  HostKeyAlias ${name}-key`,
      `  ProxyJump ${way}`,
    ];
    writeFileSync(
      file('config'),
      [
        ...entry('near', near, net.address('near', here), 'none'),
        ...entry('middle', middle, net.address6('middle', 'near'), 'near'),
        ...entry('far', far, net.address('far', 'middle'), 'middle'),
        'Host *',
        '  IdentitiesOnly yes',
        '  IdentityAgent none',
        `  UserKnownHostsFile ${file('known_hosts')}`,
        '  GlobalKnownHostsFile none',
        '',
      ].join('\n'),
    );
    const known = Object.entries({ near, middle, far }).map(
      ([name, sshd]) => `${name}-key ${keyOf(join(sshd.folder, 'host_ed25519.pub'))}\n`,
    );
    writeFileSync(file('known_hosts'), known.join(''));
  }

  function transport(host = 'far', askSecrets?: AskSecrets) {
    const lost: string[] = [];
    const asked: HostKeyQuestion[] = [];
    const created = createSshTransport({
      target: { kind: 'ssh', host },
      clock: systemClock,
      configFile: file('config'),
      askSecrets,
      confirmHostKey: async (question) => {
        asked.push(question);
        return true;
      },
    });
    created.onLost((reason) => lost.push(reason));
    open.push(created);
    return Object.assign(created, { lost, asked });
  }

  /** What a command prints over there. */
  async function output(over: Transport, command: string): Promise<string> {
    const channel = await over.open();
    const said: string[] = [];
    channel.onOutput((chunk) => said.push(chunk.toString()));
    channel.write(`${command}\n`);
    channel.end();
    await channel.exit;
    return said.join('');
  }

  const sessions = (sshd: TestSshd) => sshd.log().match(/Accepted publickey/g)?.length ?? 0;

  test('two hops, one over IPv6: each host checked and logged in to by its own entry', async () => {
    configure();
    const over = transport();
    await over.connect();
    expect(await output(over, 'ip -o -4 address show scope global; echo "$SSH_CONNECTION"')).toMatch(
      new RegExp(
        `${net.address('far', 'middle')}/[^]*${net.address('middle', 'far')} \\d+ ${net.address('far', 'middle')}`,
      ),
    );
    expect(over.login?.()?.hosts.map(({ target, how }) => `${target} by ${how}`)).toEqual([
      `jump host near (root@${net.address('near', here)}:${near.port}) by ${near.keyFile}`,
      `jump host middle (root@[${net.address6('middle', 'near')}]:${middle.port}) by ${middle.keyFile}`,
      `root@${net.address('far', 'middle')}:${far.port} by ${far.keyFile}`,
    ]);
    expect(over.login?.()?.configReader).toMatch(/^ssh -G \(OpenSSH_\S+\)$/);
    await over.close();
    await waitFor('the end of all sessions', () =>
      [near, middle, far].every((sshd) => childrenOf(sshd.pid).length === 0),
    );
    expect([...over.lost, ...over.asked]).toEqual([]);
  });

  test('a host key that is unknown at a hop is asked for by its name there, a changed one ends the way there', async () => {
    configure({ middle: ['StrictHostKeyChecking ask'] });
    const known = readFileSync(file('known_hosts'), 'utf8');
    writeFileSync(file('known_hosts'), known.replace(/^middle-key.*\n/m, ''));
    const over = transport();
    await over.connect();
    expect(over.asked.map(({ host }) => host)).toEqual(['jump host middle (on the way to far; middle-key)']);
    await over.close();
    writeFileSync(
      file('known_hosts'),
      known.replace(/^near-key .*$/m, `near-key ${keyOf(join(far.folder, 'host_ed25519.pub'))}`),
    );
    const before = [middle, far].map(sessions);
    await expect(transport().connect()).rejects.toThrow(
      /^The host key of jump host near \(on the way to far; near-key\) is now ssh-ed25519 .*, another than in \S+:1: /,
    );
    expect([middle, far].map(sessions)).toEqual(before);
  });

  test('a key that a hop does not take: the sentence names the hop', async () => {
    configure({ middle: [`IdentityFile ${near.keyFile}`] });
    writeFileSync(
      file('config'),
      readFileSync(file('config'), 'utf8').replace(`  IdentityFile ${middle.keyFile}\n`, ''),
    );
    await expect(transport().connect()).rejects.toMatchObject({
      message: expect.stringMatching(
        /^jump host middle \(on the way to far\) refused the log-in of root: tried \S+user_key; /,
      ),
      final: true,
    });
  });

  test('the passphrase of a key for a hop is asked for, once', async () => {
    makeKey(file('locked'), 'ed25519', 'a passphrase');
    const allowed = join(middle.folder, 'authorized_keys');
    const before = readFileSync(allowed, 'utf8');
    writeFileSync(allowed, `${before}${readFileSync(file('locked.pub'), 'utf8')}`);
    configure({ middle: [`IdentityFile ${file('locked')}`] });
    const titles: string[] = [];
    const lines: string[] = [];
    const over = transport('far', async (question) => {
      titles.push(question.title);
      lines.push(...question.lines);
      return ['a passphrase'];
    });
    for (const _time of [1, 2]) {
      await over.connect();
      expect(over.login?.()?.hosts.map(({ how }) => how)).toEqual([near.keyFile, file('locked'), far.keyFile]);
      await over.close();
    }
    expect(titles).toEqual([`Passphrase of ${file('locked')}`]);
    expect(lines).toContain('It is for the log-in to jump host middle (on the way to far).');
    writeFileSync(allowed, before);
  });

  test('a hop that does not reach the next host, or may not, says so', async () => {
    configure({ far: ['HostName 127.0.0.9'] });
    await expect(transport().connect()).rejects.toMatchObject({
      message: expect.stringMatching(
        /^jump host middle \(on the way to far\) could not connect to 127\.0\.0\.9 port \d+ \(Connection refused\): /,
      ),
      final: false,
    });
    configure({ far: ['HostName no-such-host.invalid', 'ConnectTimeout 9'] });
    await expect(transport().connect()).rejects.toThrow(
      /^jump host middle \(on the way to far\) (could not connect to|did not reach) no-such-host\.invalid port \d+ /,
    );
    const strict = await startSshd({
      address: net.address('near', here),
      around: () => net.command('near'),
      config: ['AllowTcpForwarding no'],
    });
    configure({
      near: [
        `Port ${strict.port}`,
        `IdentityFile ${strict.keyFile}`,
        'StrictHostKeyChecking no',
        'UserKnownHostsFile none',
      ],
    });
    await expect(transport('middle').connect()).rejects.toMatchObject({
      message: expect.stringMatching(
        /^jump host near \(on the way to middle\) does not let this user connect on to \S+ port \d+ \(.*\): check AllowTcpForwarding/,
      ),
      final: true,
    });
    await strict.stop();
  });

  test('a hop killed in the middle: the link is lost by its name, and comes back', async () => {
    configure();
    const over = transport();
    await over.connect();
    const channel = await over.open();
    channel.write('sleep 1000 & echo $!; wait\n');
    const said: string[] = [];
    channel.onOutput((chunk) => said.push(chunk.toString()));
    await waitFor('the shell', () => said.length > 0);
    const [session = 0] = await waitFor('one session', () => {
      const all = childrenOf(middle.pid);
      return all.length === 1 && all;
    });
    process.kill(session, 'SIGKILL');
    await waitFor('the loss', () => over.lost.length > 0);
    expect(over.lost).toEqual([
      expect.stringMatching(
        /jump host middle \(on the way to far\) (closed the connection|broke)|the connection to jump host middle \(on the way to far\) broke/,
      ),
    ]);
    expect(await channel.exit).toMatchObject({ lost: true });
    await over.connect();
    expect(await output(over, 'echo again')).toBe('again\n');
    process.kill(Number(said.join('')), 'SIGKILL');
  });

  test('a configuration that changed since is seen by the next connection', async () => {
    configure();
    const over = transport('middle');
    await over.connect();
    await over.close();
    configure({ middle: ['ProxyJump none', 'HostName 127.0.0.1', `Port ${near.port}`] });
    await expect(over.connect()).rejects.toThrow(/^127\.0\.0\.1 refused the connection on port/);
    configure();
    await over.connect();
    expect(over.login?.()?.hosts.length).toBe(2);
  });

  test('close in the middle of opening ends what was opened', async () => {
    configure();
    await waitFor('the end of older sessions', () => childrenOf(near.pid).length === 0);
    const over = transport();
    const connecting = over.connect();
    const refused = expect(connecting).rejects.toThrow('was given up');
    await waitFor('the first hop', () => childrenOf(near.pid).length > 0);
    await over.close();
    await refused;
    await waitFor('the end of its session', () => childrenOf(near.pid).length === 0);
  });

  test('a hop that falls silent is the reason, not the hosts behind it', { timeout: 40_000 }, async () => {
    configure();
    const over = transport();
    await over.connect();
    net.silence('near');
    await waitFor('the loss', () => over.lost.length > 0, 20_000);
    expect(over.lost).toEqual([
      expect.stringMatching(/^jump host near \(on the way to far\) gave no sign of life for /),
    ]);
  });
});

function childrenOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  return children.filter(isRunning);
}
