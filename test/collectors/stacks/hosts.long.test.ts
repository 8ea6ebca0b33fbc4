import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { createSshTransport } from '../../../src/collectors/transport/ssh.ts';
import type { Runner } from '../../../src/collectors/run.ts';
import type { CaptureKind, StacksSample } from '../../../src/model/samples.ts';
import { captureOn, localRunner } from '../../support/capture.ts';
import { describeWith, requiredTool } from '../../support/requires.ts';
import { createRelay, type Relay } from '../../support/relay.ts';
import { makeSpied, stateOf, type Spied } from '../../support/spied.ts';
import { startSshd, type TestSshd } from '../../support/sshd.ts';
import { waitFor } from '../../support/waiting.ts';
import { startWorkload, type Workload } from '../../support/workload.ts';

let runner: Runner | undefined;
afterEach(async () => {
  await runner?.stop();
  runner = undefined;
});

describeWith(['python3', 'py-spy', 'busybox', 'bash'], 'captures under other shells', () => {
  let workload: Workload;
  let spied: Spied;
  beforeAll(async () => {
    workload = await startWorkload({ threads: [{ name: 'target-0', percent: 20 }] });
    spied = makeSpied();
  });
  afterAll(async () => {
    await workload.stop();
    spied.remove();
  });

  /** A folder in which `sh`, and for busybox all other tools, are those of one program. */
  function binOf(shell: 'busybox' | 'bash'): string {
    const bin = join(spied.home, shell);
    mkdirSync(bin);
    const applets = 'sh setsid sleep mktemp cat head sed tr gzip base64 readlink rm kill awk ls id uname date';
    const names = shell === 'bash' ? ['sh'] : applets.split(' ');
    for (const name of names) symlinkSync(requiredTool(shell), join(bin, name));
    return shell === 'bash' ? `${bin}:/usr/bin:/bin` : bin;
  }

  it.each(['busybox', 'bash'] as const)('%s: every kind, and one that is cancelled', async (shell) => {
    const wrap = `env PATH=${binOf(shell)} TMPDIR=${spied.temp}`;
    const on = await localRunner({ pySpy: spied.pySpy, wrap });
    runner = on;
    const kinds: readonly CaptureKind[] = ['dump', 'native', 'many', 'record', 'gil'];
    for (const what of kinds) {
      const { capture, results } = await captureOn(on, { what, pids: [workload.pid], seconds: 1, rounds: 2 });
      expect(capture.state, what).toBe('done');
      expect(capture.failure, what).toBeUndefined();
      expect(results, what).toHaveLength(1);
    }
    const { capture } = await captureOn(
      on,
      { what: 'record', pids: [workload.pid], seconds: 600 },
      {
        onSample(sample, captures) {
          if (sample.kind === 'capture' && sample.state === 'running')
            void spied.sampling().then(() => captures.cancel(sample.id));
        },
      },
    );
    expect(capture.state).toBe('partial');
    await spied.gone();
  });
});

describeWith(['python3', 'py-spy'], 'captures of a process with 400 threads', () => {
  const program = `import threading, time
def wait(): time.sleep(600)
for i in range(400): threading.Thread(target=wait, name='w%d' % i, daemon=True).start()
print('ready', flush=True)
wait()`;
  let pid: number;
  let stop = () => {};
  beforeAll(async () => {
    const child = spawn('python3', ['-c', program], { stdio: ['ignore', 'pipe', 'inherit'] });
    stop = () => void child.kill('SIGKILL');
    await once(child.stdout, 'data');
    pid = child.pid ?? 0;
  });
  afterAll(() => stop());

  it('are whole; a record that asks for too much is slowed', async () => {
    const on = await localRunner({ pySpy: requiredTool('py-spy') });
    runner = on;
    const pids = [pid];
    const dump = await captureOn(on, { what: 'dump', pids });
    expect((dump.results[0] as StacksSample).threads).toHaveLength(401);
    // Whether it writes each part within two seconds is the machine's; test/collectors/stacks/behind.test.ts has what becomes of the parts.
    const { capture } = await captureOn(on, { what: 'record', pids, seconds: 3, rate: 800, blocking: true });
    expect(capture.notes[0]).toMatch(/^py-spy could not keep up with 800 samples a second of process \d+: /);
  });
});

describeWith(['python3', 'py-spy', 'sshd'], 'a capture over SSH', () => {
  let workload: Workload;
  let spied: Spied;
  let sshd: TestSshd;
  let relay: Relay;
  beforeAll(async () => {
    workload = await startWorkload({ threads: [{ name: 'target-0', percent: 20 }] });
    spied = makeSpied();
    sshd = await startSshd();
    relay = await createRelay(sshd.port);
    const known = `[127.0.0.1]:${relay.port} ${sshd.hostKeyLine.split(' ').slice(1).join(' ')}`;
    writeFileSync(join(spied.home, 'known_hosts'), `${known}\n`);
    const lines = [`UserKnownHostsFile ${join(spied.home, 'known_hosts')}`, `IdentityFile ${sshd.keyFile}`];
    writeFileSync(join(spied.home, 'config'), `${lines.join('\n')}\n`);
  });
  afterAll(async () => {
    await relay.close();
    await sshd.stop();
    await workload.stop();
    spied.remove();
  });

  it('that loses its link fails with a sentence, and leaves nothing there', async () => {
    const transport = createSshTransport({
      target: { kind: 'ssh', user: sshd.user, host: '127.0.0.1', port: relay.port },
      clock: systemClock,
      configFile: join(spied.home, 'config'),
      wrap: `env TMPDIR=${spied.temp}`,
    });
    const on = await localRunner({ pySpy: spied.pySpy, transport });
    runner = on;
    const pids = [workload.pid];
    expect((await captureOn(on, { what: 'dump', pids })).capture.state).toBe('done');
    const taken = captureOn(on, { what: 'record', pids, seconds: 600 });
    await spied.sampling();
    relay.cut();
    const { capture, results } = await taken;
    expect(results).toEqual([]);
    expect(capture.state).toBe('failed');
    // py-spy runs there before its first word has come here.
    expect(capture.failure).toMatch(/ (was cut off: |the link was cut before py-spy began; )try again$/);
    await spied.gone();
    expect(stateOf(workload.pid)).not.toBe('T');
    await waitFor('the link to be back', async () => {
      const again = await captureOn(on, { what: 'dump', pids });
      return again.capture.state === 'done';
    });
  });
});
