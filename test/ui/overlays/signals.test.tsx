import { expect, test } from 'vitest';
import type { SignalName, SignalTarget } from '../../../src/model/signals.ts';
import type { SignalControls } from '../../../src/ui/controls.ts';
import { base, makeCapture } from '../made-store.ts';
import { show } from '../shown.tsx';

const made: SignalTarget = {
  pid: 4022,
  comm: 'pt_main_thread',
  commandLine: 'python train_pipeline.py',
  startTicks: '1234',
  startedAt: 0,
  state: 'S',
  // As nohup leaves it behind & of a script, with Python's own SIGPIPE.
  ignored: (1n << 0n) | (1n << 1n) | (1n << 2n) | (1n << 12n),
  caught: 1n << 9n,
  blocked: 0n,
  pending: 0n,
  children: 2,
};

/** Signals of a process that is as it is told; `sent` and `looks` grow. */
function signalsOf(target: SignalTarget) {
  const sent: (readonly [number, SignalName])[] = [];
  const looks: number[] = [];
  const signals: SignalControls = {
    look(pid) {
      looks.push(pid);
      return Promise.resolve({ ...target, pid });
    },
    send({ pid }, name, told) {
      sent.push([pid, name]);
      told({ text: `${name} was sent to PID ${pid}.`, tone: 'plain', goesOn: true });
    },
  };
  return { signals, sent, looks };
}

test.each(['80x24', '60x24', '120x40', '200x60'])('the menu says what each signal does, at %s', async (size) => {
  const { signals } = signalsOf(made);
  const shown = show({ size, controls: { signals } });
  await shown.keys('K');
  await shown.see(/SIGINT +is ignored: started under nohup/);
  await shown.see(/SIGTERM +is not caught: ends it at once/);
  await shown.see(/SIGKILL +ends it at once; nothing is saved/);
  await shown.see(/SIGUSR1 +is caught: its own handler decides/);
  await shown.see(/SIGCONT +changes nothing: it is not stopped/);
  await shown.see(/2 children/);
});

test('a signal is sent when its PID was typed, and no other', async () => {
  const { signals, sent } = signalsOf(made);
  const shown = show({ controls: { signals } });
  await shown.keys('K');
  await shown.see(/▸ SIGINT/);
  await shown.keys('j', 'j');
  await shown.see(/▸ SIGKILL/);
  await shown.keys('\r');
  await shown.see(/Send SIGKILL to PID \d+/);
  await shown.see('Its 2 children do not.');
  await shown.keys('\r');
  await shown.see(/This is not \d+: nothing was sent\./);
  const pid = Number(/Send SIGKILL to PID (\d+)/.exec(shown.text())?.[1]);
  await shown.keys('\x1b');
  await shown.see(/▸ SIGKILL/);
  expect(sent).toEqual([]);
  await shown.keys('\r', `${pid}\r`);
  await shown.see(`SIGKILL was sent to PID ${pid}.`);
  expect(sent).toEqual([[pid, 'SIGKILL']]);
});

test('SIGUSR1 is not asked for where it is not caught', async () => {
  const { signals, sent } = signalsOf({ ...made, caught: 0n });
  const shown = show({ controls: { signals } });
  await shown.keys('K');
  await shown.see(/SIGUSR1 +is not caught, and would end it: not sent/);
  await shown.keys('j', 'j', 'j', '\r');
  await shown.see(/SIGUSR1 is not sent: in process \d+ it is not caught, and would end it\./);
  expect(sent).toEqual([]);
});

/** A native dump that left PID 4022 stopped. */
function leaveStopped(shown: ReturnType<typeof show>) {
  const { store, clock } = shown.controls;
  const now = clock.now();
  const capture = makeCapture({ id: 'x', startedAt: now, what: 'native', state: 'done', pids: [4022] });
  store.push({ ...capture, ...base('stacks', now), endedAt: now, stoppedPids: [4022] });
  clock.advance(1000);
}

test('a process that a capture left stopped is told of until SIGCONT was sent and it goes on', async () => {
  const { signals, sent, looks } = signalsOf({ ...made, state: 'T' });
  const shown = show({ controls: { signals } });
  leaveStopped(shown);
  await shown.see('! A capture left PID 4022 stopped: C lets it go on (SIGCONT), X leaves it so');
  await shown.keys('C');
  await shown.see('SIGCONT was sent to PID 4022.');
  expect(looks).toEqual([4022]);
  expect(sent).toEqual([[4022, 'SIGCONT']]);
  // Until a frame says that it goes on, it is told of.
  const { store, clock } = shown.controls;
  clock.advance(6000);
  await shown.see('! A capture left PID 4022 stopped');
  const last = store.getState().threads;
  if (!last) throw new Error('no threads');
  store.push({ ...last, time: clock.now(), receivedAt: clock.now() });
  clock.advance(1000);
  await shown.see(/q quit/);
});

test('one that the user leaves stopped is told of no more, and C says that there is none', async () => {
  const { signals, sent } = signalsOf({ ...made, state: 'T' });
  const shown = show({ controls: { signals } });
  leaveStopped(shown);
  await shown.see('! A capture left PID 4022 stopped');
  await shown.keys('X');
  await shown.see(/q quit/);
  await shown.keys('C');
  await shown.see('No process was left stopped by a capture.');
  expect(sent).toEqual([]);
});

test('with --read-only the alarm says what to do there', async () => {
  const { signals, sent } = signalsOf({ ...made, state: 'T' });
  const shown = show({ controls: { signals, readOnly: true } });
  leaveStopped(shown);
  await shown.see('kill -CONT 4022 there lets it go on; --read-only sends nothing');
  await shown.keys('C');
  await shown.see('Not with --read-only: it would touch the run.');
  expect(sent).toEqual([]);
});
