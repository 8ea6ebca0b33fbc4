import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import type { Runner } from '../../../src/collectors/run.ts';
import { createSignals } from '../../../src/collectors/signals/signals.ts';
import { signalEffect, type SignalTarget } from '../../../src/model/signals.ts';
import { localRunner } from '../../support/capture.ts';
import { describeWith } from '../../support/requires.ts';
import { waitFor } from '../../support/waiting.ts';
import { endChildren, script } from './stage.ts';

let runner: Runner;
beforeAll(async () => {
  runner = await localRunner({});
});
afterEach(endChildren);
afterAll(() => runner.stop());

const signals = () => createSignals({ runner, clock: systemClock, readOnly: false, take: () => {} });

async function look(pid: number): Promise<SignalTarget> {
  const target = await signals().look(pid);
  if ('failure' in target) throw new Error(target.failure);
  return target;
}

/** As a program begins whose parents ignore nothing: the suite itself may run under nohup. */
const likeNew =
  'import signal\nfor s in (signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM): signal.signal(s, signal.SIG_DFL)\n' +
  'signal.signal(signal.SIGINT, signal.default_int_handler)\n';

describeWith(['python3'], 'what a signal does', () => {
  it('is told of one that leaves everything as it is', async () => {
    const { pid } = await script(`${likeNew}print("ready", flush=True)\nimport time\ntime.sleep(99)`, [
      'python3',
      '-c',
    ]);
    const target = await look(pid);
    expect(target).toMatchObject({ pid, comm: 'python3', children: 0 });
    expect(target.commandLine).toContain('time.sleep(99)');
    expect(Math.abs(target.startedAt - Date.now())).toBeLessThan(60_000);
    expect(signalEffect(target, 'SIGTERM')).toEqual({
      is: 'default',
      text: 'is not caught: ends it at once, without clean-up',
    });
    expect(signalEffect(target, 'SIGINT')).toMatchObject({
      is: 'caught',
      text: expect.stringContaining('KeyboardInterrupt'),
    });
    expect(signalEffect(target, 'SIGUSR1').refused).toMatch(
      /^SIGUSR1 is not sent: in process \d+ it is not caught, and would end it\.$/,
    );
    expect(signalEffect(target, 'SIGCONT').text).toBe('changes nothing: it is not stopped');
    expect(signalEffect(target, 'SIGKILL').text).toBe('ends it at once; nothing is saved');
  });

  it('is told of one that nohup started, behind & of a script', async () => {
    const { pid: shell, said } = await script(
      `nohup python3 -c 'print("ready", flush=True)\nimport time\ntime.sleep(99)' 2>/dev/null & echo pid $!; wait`,
    );
    const pid = Number(/pid (\d+)/.exec(said())?.[1]);
    const target = await look(pid);
    expect(shell).not.toBe(pid);
    expect(signalEffect(target, 'SIGINT')).toEqual({
      is: 'ignored',
      text: 'is ignored: started under nohup, behind & of a script',
    });
    expect(signalEffect(target, 'SIGTERM').is).toBe('default');
    process.kill(pid, 'SIGKILL');
  });

  it('is told of one that catches, ignores and blocks', async () => {
    const { pid } = await script(
      `${likeNew}import signal, threading, time\n` +
        'signal.signal(signal.SIGUSR1, lambda *_: None)\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n' +
        'signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])\nthreading.Thread(target=time.sleep, args=(99,), daemon=True).start()\n' +
        'print("ready", flush=True)\ntime.sleep(99)',
      ['python3', '-c'],
    );
    const target = await look(pid);
    expect(signalEffect(target, 'SIGUSR1')).toMatchObject({ is: 'caught' });
    expect(signalEffect(target, 'SIGUSR1').refused).toBeUndefined();
    expect(signalEffect(target, 'SIGINT')).toEqual({ is: 'ignored', text: 'is ignored' });
    expect(signalEffect(target, 'SIGTERM')).toMatchObject({ is: 'blocked' });
  });

  it('is told of one that has ended and waits for its parent', async () => {
    const { said } = await script(
      'import os, time\npid = os.fork()\nif pid == 0: os._exit(0)\nprint("ready", pid, flush=True)\ntime.sleep(99)',
      ['python3', '-c'],
    );
    const pid = Number(/ready (\d+)/.exec(said())?.[1]);
    await waitFor('the zombie', () => / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')));
    expect(signalEffect(await look(pid), 'SIGKILL')).toEqual({
      is: 'nothing',
      text: 'does nothing: it has ended (a zombie)',
      refused: expect.stringMatching(/^SIGKILL is not sent: process \d+ has ended; .* \(a zombie\)\.$/),
    });
  });

  it('is not told of one that is gone', async () => {
    expect(await signals().look(4_194_303)).toEqual({ failure: 'There is no PID 4194303 on local any more.' });
  });

  it('is not told of traintop itself', async () => {
    expect(await signals().look(process.pid)).toEqual({
      failure: `PID ${process.pid} is traintop itself: q ends it.`,
    });
  });
});
