import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createManualClock, systemClock } from '../../src/clock.ts';
import { runJob } from '../../src/collectors/stream.ts';
import { createSshTransport } from '../../src/collectors/transport/ssh.ts';
import type { Transport } from '../../src/collectors/transport/transport.ts';
import { createMachine } from '../../src/demo/machine.ts';
import { healthy } from '../../src/demo/scenarios/healthy.ts';
import { startDemoServer, type DemoServer } from '../../src/demo/server.ts';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

describe('the simulated machine', () => {
  const startedAt = 1_700_000_000_000;
  const machine = () => createMachine({ seed: 27, startedAt });

  test('is a function of seed and time', () => {
    const [a, b] = [machine(), machine()];
    for (const seconds of [0, 1, 60, 3600]) {
      const up = a.uptime(startedAt + seconds * 1000);
      expect(a.gpus(up)).toEqual(b.gpus(up));
      expect(a.queue(up)).toEqual(b.queue(up));
    }
    const other = createMachine({ seed: 28, startedAt });
    expect(other.gpus(other.startUp)).not.toEqual(machine().gpus(machine().startUp));
  });

  test('has counters that never fall, and threads that use at most one core', () => {
    const m = machine();
    for (const thread of m.threads(m.startUp)) {
      let before = m.cpu(thread, m.startUp);
      for (let second = 0.5; second < 60; second += 0.5) {
        const now = m.cpu(thread, m.startUp + second);
        expect(now.runNs).toBeGreaterThanOrEqual(before.runNs);
        expect(now.userTicks).toBeGreaterThanOrEqual(before.userTicks);
        expect(now.systemTicks).toBeGreaterThanOrEqual(before.systemTicks);
        // A thread cannot run for more than the time there was.
        expect((now.runNs - before.runNs) / 0.5e9).toBeLessThanOrEqual(1);
        before = now;
      }
    }
  });

  test('is a healthy pipeline: busy GPUs, a queue between its ends', () => {
    const m = machine();
    for (let second = 0; second < 600; second += 7) {
      const up = m.startUp + second;
      for (const gpu of m.gpus(up)) {
        expect(gpu.utilization).toBeGreaterThan(60);
        expect(gpu.utilization).toBeLessThanOrEqual(100);
        expect(gpu.watts).toBeLessThanOrEqual(704);
      }
      const { low, high } = m.queue(up);
      expect(low).toBeGreaterThan(0);
      expect(high).toBeLessThan(60);
      expect(low).toBeLessThanOrEqual(high);
    }
  });
});

describe('the demo host', () => {
  let server: DemoServer;
  let folder: string;
  const open: Transport[] = [];
  const connect = async (keyText: string, user = server.user) => {
    writeFileSync(join(folder, 'id'), keyText, { mode: 0o600 });
    writeFileSync(join(folder, 'known'), `[127.0.0.1]:${server.port} ${server.hostKey}\n`);
    const transport = createSshTransport({
      target: { kind: 'ssh', user, host: '127.0.0.1', port: server.port },
      clock: systemClock,
      configFile: 'none',
      knownHostsFiles: [join(folder, 'known')],
      identityFiles: [join(folder, 'id')],
    });
    open.push(transport);
    await transport.connect();
    return transport;
  };
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'traintop-demo-test-'));
    server = await startDemoServer({ clock: systemClock });
  });
  afterAll(async () => {
    await Promise.all(open.map((transport) => transport.close()));
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('lets in its own key only, and its own user', async () => {
    const stranger = await startDemoServer({ clock: systemClock });
    await expect(connect(stranger.clientKey)).rejects.toThrow(/key|refused|let in/i);
    await expect(connect(server.clientKey, 'root')).rejects.toThrow();
    await stranger.close();
  });

  test('breaks its connections when the scenario says so, and takes none for a while', async () => {
    const clock = createManualClock(1_700_000_000_000);
    const scenario = { ...healthy, drops: [{ at: 5, seconds: 10 }] };
    const broken = await startDemoServer({ clock, scenario });
    const to = async () => {
      const transport = createSshTransport({
        target: { kind: 'ssh', user: broken.user, host: '127.0.0.1', port: broken.port },
        clock: systemClock,
        configFile: 'none',
        knownHostsFiles: [],
        confirmHostKey: async () => true,
        identityFiles: [],
        privateKey: broken.clientKey,
      });
      open.push(transport);
      const lost = new Promise<string>((resolve) => transport.onLost(resolve));
      await transport.connect();
      return { transport, lost };
    };
    const { transport, lost } = await to();
    const channel = await transport.open();
    clock.advance(5000);
    expect(await lost).toMatch(/connection/i);
    expect(await channel.exit).toMatchObject({ lost: true });
    await expect(to()).rejects.toThrow();
    clock.advance(10_000);
    await (await to()).transport.close();
    await broken.close();
  });

  test('plays no script that it does not know', async () => {
    const transport = await connect(server.clientKey);
    const job = await runJob({ transport, clock: systemClock, name: 'no-such-thing', body: 'echo 1', timeoutMs: 5000 });
    expect(job).toMatchObject({ began: false, code: 127 });
    expect(job.errorText).toMatch(/plays no script named no-such-thing/);
  });
});
