import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createManualClock } from '../../../src/clock.ts';
import type { Runner } from '../../../src/collectors/run.ts';
import { createSignals } from '../../../src/collectors/signals/signals.ts';
import type { EventSample } from '../../../src/model/samples.ts';
import { signalEffect, type SignalName, type SignalNews, type SignalTarget } from '../../../src/model/signals.ts';
import { localRunner } from '../../support/capture.ts';
import { isRunning } from '../../support/processes.ts';
import { describeWith, requiredTool } from '../../support/requires.ts';
import { waitFor } from '../../support/waiting.ts';
import { children, endChildren, script, sleeps } from './stage.ts';

const clock = createManualClock(1_000_000);
const events: EventSample[] = [];
let runner: Runner;

beforeAll(async () => {
  runner = await runnerOf();
});
afterEach(() => {
  events.length = 0;
  endChildren();
});
afterAll(() => runner.stop());

const runnerOf = (wrap?: string) => localRunner(wrap === undefined ? {} : { wrap });

const signalsOf = (of = runner, readOnly = false) =>
  createSignals({ runner: of, clock, readOnly, take: (event) => events.push(event) });

async function look(pid: number, of?: Runner): Promise<SignalTarget> {
  const target = await signalsOf(of).look(pid);
  if ('failure' in target) throw new Error(target.failure);
  return target;
}

/** Begins to send; `news` grows. */
function send(target: SignalTarget, signal: SignalName, of = signalsOf()) {
  const news: SignalNews[] = [];
  of.send(target, signal, (each) => news.push(each));
  const next = (pattern: RegExp) => waitFor(String(pattern), () => news.find(({ text }) => pattern.test(text)), 20_000);
  return { news, next };
}

/** The kernel's, of the namespace that the suite runs in. */
const lastPid = '/proc/sys/kernel/ns_last_pid';
const canChoosePids = (() => {
  try {
    writeFileSync(lastPid, readFileSync(lastPid, 'utf8').trim());
    return true;
  } catch {
    return false; // not root, a kernel without checkpoints, a container
  }
})();

describeWith(['python3'], 'a signal', () => {
  it('is sent once, and its end is seen', async () => {
    const child = spawn('sleep', ['99'], { stdio: 'ignore' });
    children.push(child);
    const exit = once(child, 'exit');
    const { news, next } = send(await look(child.pid ?? 0), 'SIGTERM');
    expect((await next(/ended/)).text).toMatch(/^PID \d+ \(sleep\) ended \d+\.\d s after SIGTERM\.$/);
    expect(await exit).toEqual([null, 'SIGTERM']);
    expect(news.map(({ goesOn }) => goesOn)).toEqual([true, false]);
    expect(events.map(({ event, text }) => `${event}: ${text}`)).toEqual([
      `signal: SIGTERM was sent to PID ${child.pid} (sleep)`,
      expect.stringMatching(/^signal: PID \d+ \(sleep\) ended \d+\.\d s after SIGTERM$/),
    ]);
  });

  it('that is caught is no end: it is said after 30 s, nothing more is sent, and a later end is still seen', async () => {
    const { pid, said } = await script(
      'import signal, sys, time\nn = 0\ndef caught(*_):\n    global n\n    n += 1\n    print("caught", n, flush=True)\n' +
        'signal.signal(signal.SIGTERM, caught)\nsignal.signal(signal.SIGUSR1, lambda *_: sys.exit())\n' +
        'print("ready", flush=True)\nwhile True:\n    time.sleep(0.05)',
      ['python3', '-c'],
    );
    const { next, news } = send(await look(pid), 'SIGTERM');
    await next(/^SIGTERM was sent/);
    await waitFor('the handler', () => said().includes('caught 1'));
    clock.advance(30_000);
    expect((await next(/still runs/)).text).toMatch(
      /^PID \d+ \(python3\) still runs 30 s later: it caught SIGTERM\. Nothing more is sent\.$/,
    );
    expect(said()).not.toContain('caught 2');
    process.kill(pid, 'SIGUSR1');
    await next(/ended/);
    expect(news.at(-1)).toMatchObject({ goesOn: false });
  });

  it('is not sent to another process that has the PID', async () => {
    const { pid, said } = await script(`trap 'echo caught' TERM; echo ready; ${sleeps}`);
    const target = await look(pid);
    const { next } = send({ ...target, startTicks: String(Number(target.startTicks) - 1) }, 'SIGTERM');
    expect((await next(/PID/)).text).toMatch(/ was gone before; another process has the PID now: nothing was sent\.$/);
    expect(said()).not.toContain('caught');
    expect(events).toEqual([]);
  });

  if (canChoosePids) {
    it('is not sent to a new process that was given the PID of the old one', async () => {
      const old = spawn('sleep', ['99'], { stdio: 'ignore' });
      children.push(old);
      const pid = old.pid ?? 0;
      const target = await look(pid);
      old.kill('SIGKILL');
      await once(old, 'exit');
      const heir = await waitFor('another process with the PID', () => {
        // The next fork of whoever is first takes the number after this one.
        writeFileSync(lastPid, String(pid - 1));
        const child = spawn('sleep', ['99'], { stdio: 'ignore' });
        children.push(child);
        return child.pid === pid ? child : child.kill('SIGKILL') && undefined;
      });
      const { next } = send(target, 'SIGKILL');
      expect((await next(/PID/)).text).toMatch(
        / was gone before; another process has the PID now: nothing was sent\.$/,
      );
      expect(heir.exitCode ?? heir.signalCode).toBeNull();
      expect(events).toEqual([]);
    });
  }

  it('is not sent to one that is gone', async () => {
    const child = spawn('sleep', ['99']);
    const target = await look(child.pid ?? 0);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const { next } = send(target, 'SIGKILL');
    expect((await next(/gone/)).text).toMatch(/ was gone before SIGKILL was sent: nothing was sent\.$/);
  });

  it('SIGCONT lets a stopped process go on', async () => {
    const { pid } = await script(`echo ready; ${sleeps}`);
    process.kill(pid, 'SIGSTOP');
    await waitFor('it to be stopped', () => / T /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')));
    const target = await look(pid);
    expect(signalEffect(target, 'SIGCONT').text).toBe('lets it go on: it is stopped (state T)');
    expect(signalEffect(target, 'SIGTERM').text).toMatch(/; it is stopped, and takes it when it goes on$/);
    const { next } = send(target, 'SIGCONT');
    expect((await next(/not stopped/)).text).toMatch(
      /^SIGCONT was sent to PID \d+ \(sh\): it is not stopped now \(state [SR]\)\.$/,
    );
  });

  it('SIGUSR1 goes only to who catches it', async () => {
    const { pid, said } = await script(`trap 'echo caught' USR1; echo ready; ${sleeps}`);
    await send(await look(pid), 'SIGUSR1').next(/was sent/);
    await waitFor('the handler', () => said().includes('caught'));
    const other = await script(`echo ready; ${sleeps}`);
    const { news } = send(await look(other.pid), 'SIGUSR1');
    expect(news).toEqual([{ text: expect.stringMatching(/^SIGUSR1 is not sent/), tone: 'warn', goesOn: false }]);
    expect(isRunning(other.pid)).toBe(true);
  });

  it('is not sent with --read-only', async () => {
    const { pid } = await script(`echo ready; ${sleeps}`);
    const { news } = send(await look(pid), 'SIGKILL', signalsOf(runner, true));
    expect(news).toEqual([{ text: 'Nothing was sent: --read-only sends no signals.', tone: 'warn', goesOn: false }]);
    expect(isRunning(pid)).toBe(true);
  });
});

describeWith(['root', 'setpriv'], 'a signal without permission', () => {
  it('is refused before it is sent, and says who may', async () => {
    const { pid } = await script(`echo ready; ${sleeps}`);
    const other = await runnerOf('setpriv --reuid 65534 --clear-groups');
    try {
      const target = await look(pid, other);
      expect(target.refused).toMatch(
        /^No permission: \S+ \(UID 65534\) may not signal PID \d+ on local, it is of UID 0 \(root\); connect as root or as that user\.$/,
      );
      const { news } = send(target, 'SIGTERM', signalsOf(other));
      expect(news).toHaveLength(1);
      const { refused: _, ...open } = target;
      // The host itself is asked again.
      expect((await send(open, 'SIGTERM', signalsOf(other)).next(/not sent/)).text).toMatch(
        /Operation not permitted\.$/,
      );
    } finally {
      await other.stop();
    }
  });
});

describeWith(['busybox', 'bash'], 'a signal from another shell', () => {
  it.each(['busybox', 'bash'])('of %s is sent once, and its end is seen', async (shell) => {
    const folder = mkdtempSync(join(tmpdir(), 'traintop-sh-'));
    symlinkSync(requiredTool(shell), join(folder, 'sh'));
    const other = await runnerOf(shell === 'busybox' ? 'busybox' : `env PATH=${folder}:${process.env.PATH ?? ''}`);
    try {
      const { pid } = await script(`echo ready; ${sleeps}`);
      const { next } = send(await look(pid, other), 'SIGTERM', signalsOf(other));
      expect((await next(/ended/)).text).toMatch(/ ended \d+\.\d s after SIGTERM\.$/);
    } finally {
      await other.stop();
      rmSync(folder, { recursive: true });
    }
  });
});
