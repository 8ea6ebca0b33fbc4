import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import type { Runner } from '../../../src/collectors/run.ts';
import { captureOn, localRunner, type Heard } from '../../support/capture.ts';
import { makeFakeRecorder, makeFakeSpy, oneThread, type FakeSpy } from '../../support/fake-spy.ts';
import { stateOf } from '../../support/spied.ts';
import { waitFor } from '../../support/waiting.ts';

const folder = mkdtempSync(join(tmpdir(), 'traintop-guard-'));
let spy: FakeSpy | undefined;
let runner: Runner | undefined;
afterEach(async () => {
  await runner?.stop();
  spy?.remove();
});

// What it looks at is nothing to the fake.
const target = spawn('sleep', ['600']);
const pid = target.pid ?? 0;
afterAll(() => {
  target.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

it('removes its own folder and no other, where the name of that for temporary files has blanks', async () => {
  const temporary = join(folder, 'my jobs');
  for (const path of [temporary, join(folder, 'my')]) mkdirSync(path);
  writeFileSync(join(folder, 'my', 'checkpoint'), '');
  spy = makeFakeSpy(`echo '${oneThread}'`);
  runner = await localRunner({ pySpy: spy.path, wrap: `env 'TMPDIR=${temporary}'` });
  const { capture } = await captureOn(runner, { what: 'dump', pids: [pid] });
  expect(readdirSync(folder).sort()).toEqual(['my', 'my jobs']);
  expect(readdirSync(join(folder, 'my'))).toEqual(['checkpoint']);
  expect(capture).toMatchObject({ state: 'done', notes: [] });
  expect(readdirSync(temporary)).toEqual([]);
});

it('leaves a process stopped that py-spy did not hold: somebody else has stopped it', async () => {
  const body = `
signal.signal(signal.SIGINT, lambda *_: end())
open(option('--output'), 'w').write('thread (7): M;f (a.py:1) 5')
os.kill(int(option('--pid')), signal.SIGSTOP)
time.sleep(600)`;
  spy = makeFakeRecorder(body);
  runner = await localRunner({ pySpy: spy.path });
  const { capture } = await captureOn(
    runner,
    { what: 'record', pids: [pid] },
    {
      onSample(sample, captures) {
        if (sample.kind !== 'capture' || sample.state !== 'running') return;
        void waitFor('it to be stopped', () => stateOf(pid) === 'T').then(() => captures.cancel(sample.id));
      },
    },
  );
  expect(stateOf(pid)).toBe('T');
  process.kill(pid, 'SIGCONT');
  expect(capture).toMatchObject({ state: 'partial', stoppedPids: [pid] });
});

/** Ends it well, with five samples. */
const written = `
def write(*_):
    with open(option('--output'), 'w') as file:
        file.write('thread (7): M;f (a.py:1) 5')
    end()
`;

/** Takes a record by a fake, and cancels it when that has made a file `begun`. */
async function cancelWhenBegun(body: string) {
  const fake = (spy = makeFakeRecorder(body));
  runner = await localRunner({ pySpy: fake.path });
  const begun = () => existsSync(join(fake.folder, 'begun'));
  const onSample: Heard = (sample, captures) => {
    if (sample.kind === 'capture' && sample.state === 'running')
      void waitFor('it to begin', begun).then(() => captures.cancel(sample.id));
  };
  return captureOn(runner, { what: 'record', pids: [pid] }, { onSample });
}

it('ends a py-spy well that hears SIGINT only when it begins to sample', async () => {
  // The shell began it with SIGINT ignored.
  const body = `${written}
signal.signal(signal.SIGINT, signal.SIG_IGN)
open(os.path.join(here, 'begun'), 'w').close()
while not os.path.exists(os.path.join(os.path.dirname(option('--output')), 'over')):
    time.sleep(0.01)
time.sleep(0.3)
signal.signal(signal.SIGINT, write)
time.sleep(600)`;
  const { capture, results } = await cancelWhenBegun(body);
  expect(capture).toMatchObject({ state: 'partial', samples: 5 });
  expect(results).toHaveLength(1);
});

it('has nothing to tell where py-spy is ended before it has taken a sample', async () => {
  const body = `
open(option('--output'), 'w').close()
print('Samples: 0 Errors: 0', flush=True)
signal.signal(signal.SIGINT, lambda *_: end())
open(os.path.join(here, 'begun'), 'w').close()
time.sleep(600)`;
  const { capture, results } = await cancelWhenBegun(body);
  expect(results).toEqual([]);
  expect(capture.state).toBe('cancelled');
});

it('tells what py-spy sampled where it is itself told to end', async () => {
  const body = `${written}
signal.signal(signal.SIGINT, write)
known = os.path.join(os.path.dirname(option('--output')), 'pid')
# It waits for us.
while not open(known).read().strip() or open('/proc/%d/stat' % os.getppid()).read().split()[2] != 'S':
    time.sleep(0.01)
os.kill(os.getppid(), signal.SIGTERM)
time.sleep(600)`;
  spy = makeFakeRecorder(body);
  runner = await localRunner({ pySpy: spy.path });
  const { capture } = await captureOn(runner, { what: 'record', pids: [pid] });
  expect(capture).toMatchObject({ state: 'partial', samples: 5 });
});

it('tells each of many dumps where the host cannot pack them', async () => {
  const bin = join(folder, 'no-gzip');
  mkdirSync(bin);
  writeFileSync(join(bin, 'gzip'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  spy = makeFakeSpy(`echo '${oneThread}'`);
  runner = await localRunner({ pySpy: spy.path, wrap: `env PATH=${bin}:/usr/bin:/bin` });
  const { capture } = await captureOn(runner, { what: 'many', pids: [pid], rounds: 3, everySeconds: 0 });
  expect(capture).toMatchObject({ state: 'done', samples: 3, errors: 0 });
});

it.skipIf(process.getuid?.() !== 0)('finds a py-spy by a relative folder of PATH', async () => {
  spy = makeFakeSpy(`echo '${oneThread}'`);
  symlinkSync(spy.folder, join(folder, 'bin'));
  runner = await localRunner({ wrap: `env -C ${folder} PATH=bin:/usr/bin:/bin` });
  const { results } = await captureOn(runner, { what: 'dump', pids: [pid] });
  expect(results).toHaveLength(1);
  expect(readFileSync(join(spy.folder, 'calls'), 'utf8')).toMatch(/^dump /);
});
