import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Runner } from '../../../src/collectors/run.ts';
import type { CaptureRequest, ProfileSample } from '../../../src/model/samples.ts';
import { captureOn, localRunner } from '../../support/capture.ts';
import { makeFakeSpy, oneThread, type FakeSpy } from '../../support/fake-spy.ts';

let spy: FakeSpy | undefined;
let runner: Runner | undefined;
afterEach(async () => {
  await runner?.stop();
  spy?.remove();
});

// What it looks at is nothing to the fake.
const target = spawn('sleep', ['600']);
afterAll(() => target.kill());

describe('a py-spy with a bad day', () => {
  async function take(body: string, request: Omit<CaptureRequest, 'pids'>) {
    spy = makeFakeSpy(body);
    runner = await localRunner({ pySpy: spy.path });
    const captured = await captureOn(runner, { ...request, pids: [target.pid ?? 0] });
    const calls = readFileSync(join(spy.folder, 'calls'), 'utf8').trim().split('\n');
    return { ...captured, calls };
  }

  const torn = `fail 'Error: Failed to get stack traces

Caused by:
    0: Failed to copy PyCodeObject
    1: Bad address (os error 14)'`;
  const dump = `echo '${oneThread}'`;

  it('that reads a torn stack is asked again', async () => {
    const { capture, results, calls } = await take(`[ $count = 3 ] || ${torn}\n${dump}`, { what: 'dump' });
    expect(calls).toHaveLength(3);
    expect(capture).toMatchObject({ state: 'done', notes: [] });
    expect(results).toMatchObject([{ threads: [{ name: 'MainThread', tid: 7 }] }]);
  });

  it('that reads only torn stacks is asked three times', async () => {
    const { capture, calls } = await take(torn, { what: 'dump' });
    expect(calls).toHaveLength(3);
    expect(capture.state).toBe('failed');
    expect(capture.failure).toMatch(/could not read process .*try again$/);
  });

  it('that knows no native frames gives plain ones, which is said', async () => {
    const body = `case $* in *--native*) fail 'Error: Failed to merge native and python frames';; esac\n${dump}`;
    const { capture, results, calls } = await take(body, { what: 'native' });
    expect(calls).toHaveLength(2);
    expect(capture.state).toBe('done');
    expect(capture.notes).toEqual([
      expect.stringMatching(/^Native frames of process \d+ could not be had, .*: Error: Failed to merge native and/),
    ]);
    expect(results[0]).not.toHaveProperty('native');
  });

  it('that fails at some of many dumps has them counted', async () => {
    const body = `[ $count != 2 ] || fail 'Error: odd'\n${dump}`;
    const { capture, results } = await take(body, { what: 'many', rounds: 3, everySeconds: 0 });
    expect(capture).toMatchObject({ state: 'done', samples: 2, errors: 1 });
    expect((results[0] as ProfileSample).stacks).toMatchObject([{ count: 2, active: 2, gil: 0 }]);
  });

  it('that ends well without its file has given nothing', async () => {
    const { capture } = await take('exit 0', { what: 'record', seconds: 1 });
    expect(capture.state).toBe('failed');
    expect(capture.failure).toMatch(/gave nothing that can be read/);
  });

  it('whose file has less than it says has that said', async () => {
    const body = `while [ "$1" != --output ]; do shift; done; echo 'thread (7): M;f (a.py:1) 5' >$2
echo "py-spy> Wrote raw flamegraph data to 'x'. Samples: 12 Errors: 0"`;
    const { capture } = await take(body, { what: 'record', seconds: 1 });
    expect(capture.state).toBe('done');
    expect(capture.notes).toEqual([expect.stringMatching(/^py-spy took 7 stacks .* more than/)]);
  });
});
