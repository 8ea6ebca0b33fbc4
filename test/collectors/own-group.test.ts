import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { startStream } from '../../src/collectors/stream.ts';
import { createLocalTransport } from '../../src/collectors/transport/local.ts';
import { isRunning } from '../support/processes.ts';
import { describeWith, requiredTool } from '../support/requires.ts';
import { waitFor } from '../support/waiting.ts';

describeWith(
  ['setsid', 'dash', 'bash', 'busybox'],
  'a wrapper that leaves the shell in the group of another process',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'traintop-group-'));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    // As `lxc exec` of LXD 5.0.2 does with its daemon.
    it.each(['dash', 'bash', 'busybox'])('ends what it started and nothing else (%s)', async (shell) => {
      const note = join(folder, `${shell}.pid`);
      mkdirSync(join(folder, shell));
      symlinkSync(requiredTool(shell), join(folder, shell, 'sh'));
      const wrap = `env PATH=${join(folder, shell)}:$PATH sh -c 'sleep 1000 & echo $! >${note}; "$@"; wait' x`;
      const transport = createLocalTransport(wrap);
      let shellPid: number | undefined;
      let inner: number | undefined;
      let ended = false;
      const stream = await startStream({
        ...{ transport, clock: systemClock, name: 'test', talks: true },
        body: 'sleep 1001 & echo $!; ticks',
        onReady: (pid) => void (shellPid = pid),
        onLine: (text) => void (inner ??= Number(text)),
        onEnd: () => void (ended = true),
      });
      const daemon = () => Number(readFileSync(note, 'utf8'));
      try {
        await waitFor('the body', () => inner !== undefined);
        expect(isRunning(shellPid ?? 0)).toBe(true);
        stream.stop();
        await waitFor('the end of ours', () => !isRunning(shellPid ?? 0) && !isRunning(inner ?? 0));
        // The second kill of the group would have come by now too.
        await new Promise((resolve) => setTimeout(resolve, 300));
        expect(isRunning(daemon())).toBe(true);
      } finally {
        process.kill(daemon());
      }
      await waitFor('the end of the wrapper', () => ended);
      await transport.close();
    });
  },
);
