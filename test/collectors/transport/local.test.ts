import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { createLineSplitter } from '../../../src/collectors/lines.ts';
import { probeHost } from '../../../src/collectors/probe.ts';
import { runJob, startStream, type StreamEnd } from '../../../src/collectors/stream.ts';
import { createLocalTransport } from '../../../src/collectors/transport/local.ts';
import { TransportFault } from '../../../src/collectors/transport/transport.ts';
import { isRunning } from '../../support/processes.ts';
import { waitFor } from '../../support/waiting.ts';

const options = { intervalMs: 1000, threads: 'proc', logs: [] } as const;
const endless = 'sleep 1000 & echo $!; wait';

describe('the local transport', () => {
  let folder: string;
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'traintop-local-'))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('the probe and a wrapper', async () => {
    const transport = createLocalTransport('env FOO=1');
    await transport.connect();
    expect(await probeHost({ transport, clock: systemClock, options })).toMatchObject({ uid: process.getuid?.() });
    const job = await runJob({ transport, clock: systemClock, name: 'x', body: 'echo "[$FOO]"', timeoutMs: 5000 });
    expect(job).toMatchObject({ bodyCode: 0, timedOut: false });
    expect(job.output.trim()).toBe('[1]');
    await transport.close();
  });

  test.each([
    ['an assignment', 'FOO=1'],
    ['two commands', 'FOO=1; export FOO;'],
    ['a shell', 'FOO=1 bash -lc'],
  ])('a wrapper that is %s for the shell, as over SSH', async (_, wrap) => {
    const transport = createLocalTransport(wrap);
    const job = await runJob({ transport, clock: systemClock, name: 'x', body: 'echo "[$FOO]"', timeoutMs: 5000 });
    expect(job.output.trim()).toBe('[1]');
    await transport.close();
  });

  test.each([
    ['no-such-wrapper exec', /it ended with code 127, saying ".*not found"; check --wrap/],
    ['false', /it ended with code 1; check --wrap/],
    ['echo hello #', /it ended with code 0, saying "hello"/],
  ])('a wrong wrapper (%s) is said by the probe', async (wrap, said) => {
    const transport = createLocalTransport(wrap);
    await expect(probeHost({ transport, clock: systemClock, options })).rejects.toThrow(said);
    await transport.close();
  });

  test('close leaves nothing, and does not wait for a wrapper that hangs', async () => {
    const pids: number[] = [];
    const ends: StreamEnd[] = [];
    const transport = createLocalTransport();
    await startStream({
      transport,
      clock: systemClock,
      name: 'test',
      body: endless,
      onReady: (pid) => void pids.push(pid),
      onLine: (line) => void pids.push(Number(line)),
      onEnd: (end) => void ends.push(end),
    });
    await waitFor('shell and sleep', () => pids.length === 2);
    await transport.close();
    expect(ends).toMatchObject([{ began: true, lost: false }]);
    await waitFor('an empty host', () => !pids.some(isRunning), 1000);

    const hanging = createLocalTransport("sh -c 'echo $$; exec sleep 1000'");
    const channel = await hanging.open();
    const pid = new Promise<number>((resolve) => channel.onOutput((chunk) => resolve(Number(chunk.toString()))));
    const wrapper = await pid;
    expect(isRunning(wrapper)).toBe(true);
    await hanging.close();
    await waitFor('its end', () => !isRunning(wrapper), 1000);
    expect(await channel.exit).toEqual({ code: null, signal: 'SIGKILL', lost: false });
  });

  test.each([undefined, 'env'])(
    'nothing is started once it is closed, also what was asked for before (wrapper %s)',
    async (wrap) => {
      const transport = createLocalTransport(wrap);
      const opening = transport.openTerminal?.({ size: { columns: 80, rows: 24 }, env: process.env });
      const over = opening?.then(
        ({ exit }) => exit,
        () => 'refused',
      );
      await transport.close();
      await over;
      await expect(transport.open()).rejects.toThrow(TransportFault);
      await transport.connect();
      const job = await runJob({ transport, clock: systemClock, name: 'x', body: 'echo on', timeoutMs: 20_000 });
      expect(job.output.trim()).toBe('on');
      await transport.close();
    },
  );

  test('a write after the shell is gone is no error', async () => {
    const transport = createLocalTransport();
    const channel = await transport.open();
    channel.write('echo bye; exit 4\n');
    expect(await channel.exit).toEqual({ code: 4, lost: false });
    channel.write('too late\n');
    channel.end();
    await transport.close();
  });

  test('nothing is left when the client is killed', async () => {
    const outfile = join(folder, 'client.mjs');
    const entry = `
      import { createLocalTransport } from './src/collectors/transport/local.ts';
      import { startStream } from './src/collectors/stream.ts';
      import { systemClock } from './src/clock.ts';
      void startStream({ transport: createLocalTransport(), clock: systemClock, name: 'test', body: ${JSON.stringify(endless)},
        onReady: (pid) => console.log(pid), onLine: (line) => console.log(line), onEnd: () => {} });`;
    const resolveDir = join(import.meta.dirname, '../../..');
    await build({ stdin: { contents: entry, resolveDir }, bundle: true, platform: 'node', format: 'esm', outfile });
    const client = spawn(process.execPath, [outfile], { stdio: ['ignore', 'pipe', 'inherit'] });
    const pids: number[] = [];
    const lines = createLineSplitter();
    client.stdout.on('data', (chunk: Buffer) => pids.push(...lines.push(chunk).map((line) => Number(line.text))));
    await waitFor('shell and sleep', () => pids.length === 2);
    expect(pids.map(isRunning)).toEqual([true, true]);
    client.kill('SIGKILL');
    await waitFor('an empty host', () => !pids.some(isRunning), 1000);
  });
});
