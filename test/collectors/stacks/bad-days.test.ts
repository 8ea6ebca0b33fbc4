import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Runner } from '../../../src/collectors/run.ts';
import type { CaptureRequest, ProfileSample } from '../../../src/model/samples.ts';
import { captureOn, localRunner, type Heard } from '../../support/capture.ts';
import { stateOf } from '../../support/spied.ts';
import { waitFor } from '../../support/waiting.ts';
import { makeFakeSpy, oneThread, type FakeSpy } from '../../support/fake-spy.ts';

let spy: FakeSpy | undefined;
let runner: Runner | undefined;
// What it looks at is nothing to the fake. One of its own for each: it may be left stopped.
let target: ChildProcess;
beforeEach(() => {
  target = spawn('sleep', ['600']);
});
afterEach(async () => {
  target.kill('SIGKILL');
  await runner?.stop();
  spy?.remove();
});

type Request = Omit<CaptureRequest, 'pids'> & Partial<Pick<CaptureRequest, 'pids'>>;

async function takeOf(body: string, request: Request, onSample?: Heard, wrap?: string) {
  await runner?.stop();
  spy?.remove();
  spy = makeFakeSpy(body);
  runner = await localRunner({ pySpy: spy.path, ...(wrap !== undefined && { wrap }) });
  const captured = await captureOn(runner, { pids: [target.pid ?? 0], ...request }, { ...(onSample && { onSample }) });
  const calls = readFileSync(join(spy.folder, 'calls'), 'utf8').trim().split('\n');
  return { ...captured, calls };
}

describe('a py-spy with a bad day', () => {
  const torn = `fail 'Error: Failed to get stack traces

Caused by:
    0: Failed to copy PyCodeObject
    1: Bad address (os error 14)'`;
  const dump = `echo '${oneThread}'`;

  it('that reads a torn stack is asked again', async () => {
    const { capture, results, calls } = await takeOf(`[ $count = 3 ] || ${torn}\n${dump}`, { what: 'dump' });
    expect(calls).toHaveLength(3);
    expect(capture).toMatchObject({ state: 'done', notes: [] });
    expect(results).toMatchObject([{ threads: [{ name: 'MainThread', tid: 7 }] }]);
  });

  it('that reads only torn stacks is asked three times', async () => {
    const { capture, calls } = await takeOf(torn, { what: 'dump' });
    expect(calls).toHaveLength(3);
    expect(capture.state).toBe('failed');
    expect(capture.failure).toMatch(/could not read process .*try again$/);
  });

  it('that knows no native frames gives plain ones, which is said', async () => {
    const body = `case $* in *--native*) fail 'Error: Failed to merge native and python frames';; esac\n${dump}`;
    const { capture, results, calls } = await takeOf(body, { what: 'native' });
    expect(calls).toHaveLength(2);
    expect(capture.state).toBe('done');
    expect(capture.notes).toEqual([
      expect.stringMatching(/^Native frames of process \d+ could not be had, .*: Error: Failed to merge native and/),
    ]);
    expect(results[0]).not.toHaveProperty('native');
  });

  it('that prints without end leaves the host alone', async () => {
    const body = `head -c 40000000 /dev/zero | tr '\\0' x`;
    const { capture } = await takeOf(body, { what: 'record', seconds: 1 });
    expect(capture).toMatchObject({ state: 'failed' });
  });

  it('that fails at some of many dumps has them counted', async () => {
    const body = `[ $count != 2 ] || fail 'Error: odd'\n${dump}`;
    const { capture, results } = await takeOf(body, { what: 'many', rounds: 3, everySeconds: 0 });
    expect(capture).toMatchObject({ state: 'done', samples: 2, errors: 1 });
    expect((results[0] as ProfileSample).stacks).toMatchObject([{ count: 2, active: 2, gil: 0 }]);
  });

  it('that finds the process gone takes no more of many dumps, and says so', async () => {
    const other = spawn('sleep', ['600']);
    // A process that was killed is still there until the kernel has had it end.
    const gone = `while grep -q '^State:.[RSD]' /proc/${other.pid}/status 2>/dev/null; do :; done`;
    const body = `[ $count != 2 ] || { kill -KILL ${other.pid}; ${gone}; fail 'Error: No such process (os error 3)'; }\n${dump}`;
    const request = { what: 'many', rounds: 9, everySeconds: 0, pids: [other.pid ?? 0] } as const;
    const { capture, calls } = await takeOf(body, request);
    expect(calls).toHaveLength(2);
    expect(capture).toMatchObject({ state: 'partial', samples: 1, errors: 1 });
    expect(capture.notes).toEqual([`Process ${other.pid} ended during the capture`]);
  });

  it('that cannot hold what is stopped has that said, not a missing right', async () => {
    const body = `fail 'Error: Failed to suspend process\n\nCaused by:\n    0: EPERM: Operation not permitted'`;
    process.kill(target.pid ?? 0, 'SIGSTOP');
    await waitFor('it to be stopped', () => stateOf(target.pid ?? 0) === 'T');
    const { capture } = await takeOf(body, { what: 'record', seconds: 1, blocking: true });
    process.kill(target.pid ?? 0, 'SIGCONT');
    expect(capture.failure).toMatch(/^Process \d+ on local is stopped \(state T\), and py-spy 0.4.2 cannot hold/);
  });

  it('that fails at once is over at once where a SIGTERM is lost', async () => {
    // As one that comes to a shell just forked, whose parent has a trap for it: what is ignored from the beginning is ignored by all.
    const lost = `sh -c 'trap "" TERM; exec "$@"' sh`;
    const { capture } = await takeOf(`fail 'Error: odd'`, { what: 'record', seconds: 1 }, undefined, lost);
    expect(capture.failure).toMatch(/odd/);
  });

  it('is not begun where no folder has room for what it prints', async () => {
    spy = makeFakeSpy(dump);
    // As a full disk: a file may have 4 KiB.
    runner = await localRunner({ pySpy: spy.path, wrap: `sh -c 'ulimit -f 8; exec "$@"' sh` });
    const { capture } = await captureOn(runner, { what: 'dump', pids: [target.pid ?? 0] });
    expect(capture.failure).toMatch(/has room neither in \$TMPDIR, \/tmp, \/dev\/shm nor \/var\/tmp/);
  });

  it('that ends well without its file has given nothing', async () => {
    const { capture } = await takeOf('exit 0', { what: 'record', seconds: 1 });
    expect(capture.state).toBe('failed');
    expect(capture.failure).toMatch(/gave nothing that can be read/);
  });

  it('whose file has less than it says has that said', async () => {
    const body = `while [ "$1" != --output ]; do shift; done; echo 'thread (7): M;f (a.py:1) 5' >$2
echo "py-spy> Wrote raw flamegraph data to 'x'. Samples: 12 Errors: 0"`;
    const { capture } = await takeOf(body, { what: 'record', seconds: 1 });
    expect(capture.state).toBe('done');
    expect(capture.notes).toEqual([expect.stringMatching(/^py-spy took 7 stacks .* more than/)]);
  });
});

describe('a py-spy that leaves the process stopped', () => {
  const stop = `while [ "$1" != --pid ]; do shift; done; kill -STOP $2
while ! grep -q '^State:.T' /proc/$2/status; do :; done`;

  it('and ends is told as such: the next step is the user’s', async () => {
    const { capture } = await takeOf(`${stop}\necho '${oneThread}'`, { what: 'native' });
    expect(capture).toMatchObject({ state: 'done', stoppedPids: [target.pid] });
    expect(stateOf(target.pid ?? 0)).toBe('T');
    // Nor is it resumed by a later capture, which finds it so.
    const later = await takeOf(`echo '${oneThread}'`, { what: 'dump' });
    expect(later.capture.stoppedPids).toBeUndefined();
    expect(later.capture.notes).toEqual([`Process ${target.pid} is stopped (state T), and was before the capture`]);
    process.kill(target.pid ?? 0, 'SIGCONT');
  });

  it('and is ended by us has the process run on', async () => {
    const { capture } = await takeOf(`${stop}\nexec sleep 600`, { what: 'native' }, (sample, captures) => {
      if (sample.kind !== 'capture' || sample.state !== 'running') return;
      void waitFor('the process to be stopped', () => stateOf(target.pid ?? 0) === 'T').then(() =>
        captures.cancel(sample.id),
      );
    });
    expect(capture.state).toBe('cancelled');
    expect(capture.notes).toEqual([
      `Process ${target.pid} was left stopped when py-spy was ended; it was sent SIGCONT and runs on`,
    ]);
    expect(stateOf(target.pid ?? 0)).not.toBe('T');
  });
});
