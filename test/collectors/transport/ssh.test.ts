import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { probeHost } from '../../../src/collectors/probe.ts';
import { runJob, startStream, type StreamEnd } from '../../../src/collectors/stream.ts';
import { createSshTransport } from '../../../src/collectors/transport/ssh.ts';
import type { Transport } from '../../../src/collectors/transport/transport.ts';
import { isRunning } from '../../support/processes.ts';
import { createRelay, type Relay } from '../../support/relay.ts';
import { describeWith } from '../../support/requires.ts';
import { startSshd, type TestSshd } from '../../support/sshd.ts';
import { waitFor } from '../../support/waiting.ts';

describeWith(['sshd', 'ssh-keygen'], 'the link to a real sshd', () => {
  let sshd: TestSshd;
  let relay: Relay;
  const open: Transport[] = [];

  beforeAll(async () => {
    sshd = await startSshd({ config: ['MaxSessions 2', 'RekeyLimit 1M'] });
    relay = await createRelay(sshd.port);
  });
  afterEach(async () => {
    relay.thaw();
    await Promise.all(open.splice(0).map((transport) => transport.close()));
  });
  afterAll(async () => {
    await relay.close();
    await sshd.stop();
  });

  function transport({ port = sshd.port, wrap }: { port?: number; wrap?: string } = {}) {
    const lost: string[] = [];
    const created = createSshTransport({
      target: { kind: 'ssh', host: '127.0.0.1', port },
      wrap,
      clock: systemClock,
      configFile: 'none',
      knownHostsFiles: [sshd.knownHostsFile],
      identityFiles: [sshd.keyFile],
      // The relay's port has no line of its own there.
      confirmHostKey: async () => true,
    });
    created.onLost((reason) => lost.push(reason));
    open.push(created);
    return Object.assign(created, { lost });
  }

  /** Starts a script that goes on for ever; gives its shell, a child of its, and its end. */
  async function startEndless(over: Transport) {
    const ends: StreamEnd[] = [];
    const pids: number[] = [];
    await startStream({
      transport: over,
      clock: systemClock,
      name: 'test',
      body: 'sleep 1000 & echo $!; echo noise >&2; wait',
      onReady: (pid) => void pids.push(pid),
      onLine: (line) => void pids.push(Number(line)),
      onEnd: (end) => void ends.push(end),
    });
    await waitFor('shell and sleep', () => pids.length === 2);
    expect(pids.map(isRunning)).toEqual([true, true]);
    return { ends, pids, gone: () => waitFor('an empty host', () => !pids.some(isRunning), 1000) };
  }

  /** The process of sshd that holds our connection. */
  function sessionOf(shellPid: number | undefined): number {
    const stat = readFileSync(`/proc/${shellPid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  }

  test('the probe runs, with a wrapper and without', async () => {
    const options = { intervalMs: 1000, threads: 'proc', logs: [] } as const;
    for (const wrap of [undefined, 'env FOO=1']) {
      const over = transport({ ...(wrap !== undefined && { wrap }) });
      await over.connect();
      expect(over.target).toBe(`${sshd.user}@127.0.0.1:${sshd.port}`);
      expect(await probeHost({ transport: over, clock: systemClock, options })).toMatchObject({ user: sshd.user });
      const job = await runJob({
        transport: over,
        clock: systemClock,
        name: 'x',
        body: 'echo "[$FOO]"',
        timeoutMs: 5000,
      });
      expect(job.output.trim()).toBe(wrap ? '[1]' : '[]');
    }
  });

  test('close leaves nothing on the host, and is no loss', async () => {
    const over = transport();
    await over.connect();
    const { ends, gone } = await startEndless(over);
    await over.close();
    await gone();
    expect(ends).toMatchObject([{ began: true }]);
    expect(over.lost).toEqual([]);
    await expect(over.open()).rejects.toMatchObject({ name: 'TransportFault', final: false });
    await over.close();
  });

  test('a socket that is cut leaves nothing on the host; it is told once, and connect works again', async () => {
    const over = transport({ port: relay.port });
    await over.connect();
    const { ends, gone } = await startEndless(over);
    relay.cut();
    await gone();
    await waitFor('the loss', () => over.lost.length > 0);
    expect(over.lost).toEqual([expect.stringMatching(/^the connection to \S+ broke \(ECONNRESET\)$/)]);
    expect(ends).toMatchObject([{ lost: true, began: true }]);
    await expect(over.open()).rejects.toThrow(/^There is no connection to /);
    await over.connect();
    const again = await startEndless(over);
    await over.close();
    await again.gone();
    expect(over.lost.length).toBe(1);
  });

  test('a killed sshd session is a loss', async () => {
    const over = transport();
    await over.connect();
    const { ends, pids, gone } = await startEndless(over);
    process.kill(sessionOf(pids[0]), 'SIGKILL');
    await waitFor('the loss', () => over.lost.length > 0 && ends.length > 0);
    expect(over.lost[0]).toMatch(/closed the connection$|broke \(ECONNRESET\)$/);
    expect(ends).toMatchObject([{ lost: true }]);
    await gone();
  });

  test(
    'a link that is silent is lost within 15 s, and close waits for it a second at most',
    { timeout: 40_000 },
    async () => {
      const over = transport({ port: relay.port });
      await over.connect();
      const { ends, pids } = await startEndless(over);
      const frozenAt = Date.now();
      relay.freeze();
      await waitFor('the loss', () => over.lost.length > 0 && ends.length > 0, 20_000);
      expect(over.lost).toEqual([expect.stringContaining('gave no sign of life for 13.5 s')]);
      const lostMs = Date.now() - frozenAt;
      // What was on its way may come a little later; before, a keep-alive was answered each 4.5 s.
      const heardAt = over.heardAt?.() ?? 0;
      expect(heardAt).toBeGreaterThan(frozenAt - 10_000);
      expect(heardAt).toBeLessThan(frozenAt + 1500);
      expect(lostMs).toBeGreaterThan(8000);
      // 13.5 s, and what a busy machine adds.
      expect(lostMs).toBeLessThan(17_000);
      relay.thaw();
      await waitFor('an empty host', () => !pids.some(isRunning));
      const other = transport({ port: relay.port });
      await other.connect();
      const rest = await startEndless(other);
      relay.freeze();
      const closedAt = Date.now();
      await other.close();
      expect(Date.now() - closedAt).toBeLessThan(2000);
      relay.thaw();
      await rest.gone();
    },
  );

  test('a link that is asked for a sign of life is lost without one, and lives with one', async () => {
    const over = transport({ port: relay.port });
    await over.connect();
    over.check?.(1500);
    await runJob({ transport: over, clock: systemClock, name: 'x', body: 'sleep 2', timeoutMs: 30_000 });
    expect(over.lost).toEqual([]);
    relay.freeze();
    over.check?.(1500);
    // Keep-alive alone would take 9 s at least.
    await waitFor('the loss', () => over.lost.length > 0, 7000);
    expect(over.lost).toEqual([expect.stringContaining('gave no sign of life for 1.5 s')]);
  });

  test('more channels than MaxSessions: a sentence, and room again when one ends', async () => {
    const over = transport();
    await over.connect();
    const first = await over.open();
    await over.open();
    await expect(over.open()).rejects.toMatchObject({ final: false });
    await expect(over.open()).rejects.toThrow(/opens no further channel on this connection .* saying: open failed\.$/);
    first.end();
    expect(await first.exit).toEqual({ code: 0, lost: false });
    // sshd frees the place a moment after it told the end.
    const third = await waitFor('a free channel', () => over.open().catch(() => undefined));
    third.write('echo out; echo err >&2; exit 3\n');
    const said: string[] = [];
    third.onOutput((chunk) => void said.push(`1${chunk.toString()}`));
    third.onErrorOutput((chunk) => void said.push(`2${chunk.toString()}`));
    expect(await third.exit).toEqual({ code: 3, lost: false });
    expect(said.sort()).toEqual(['1out\n', '2err\n']);
    third.write('too late\n');
    third.end();
  });

  test('output that nobody reads does not hold up the end, nor do keys that are exchanged anew', async () => {
    const over = transport();
    await over.connect();
    const channel = await over.open();
    channel.write('head -c 5000000 /dev/zero; head -c 5000000 /dev/zero >&2; kill -9 $$\n');
    expect(await channel.exit).toEqual({ code: null, signal: 'SIGKILL', lost: false });
  });

  test('a wrapper that is not there is said by the probe', async () => {
    const over = transport({ wrap: 'no-such-wrapper exec' });
    await over.connect();
    const options = { intervalMs: 1000, threads: 'proc', logs: [] } as const;
    await expect(probeHost({ transport: over, clock: systemClock, options })).rejects.toThrow(
      /behind `no-such-wrapper exec`, it ended with code 127, saying ".*not found"; check --wrap/,
    );
  });

  test('connect twice at once opens one connection; close while connecting gives up', async () => {
    const over = transport({ port: relay.port });
    const logins = () => sshd.log().match(/Accepted publickey/g)?.length ?? 0;
    const before = logins();
    await Promise.all([over.connect(), over.connect()]);
    await over.connect();
    expect(logins() - before).toBe(1);
    relay.freeze();
    const second = transport({ port: relay.port });
    const connecting = second.connect();
    const refused = expect(connecting).rejects.toThrow('was given up');
    await second.close();
    await refused;
  });
});
