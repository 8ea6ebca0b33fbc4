import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Runner } from '../../../src/collectors/run.ts';
import type { CaptureRequest, Sample } from '../../../src/model/samples.ts';
import { createManualClock } from '../../../src/clock.ts';
import { createCaptures } from '../../../src/collectors/stacks/captures.ts';
import { createLocalTransport } from '../../../src/collectors/transport/local.ts';
import type { Transport } from '../../../src/collectors/transport/transport.ts';
import { captureOn, localRunner } from '../../support/capture.ts';
import { describeWith } from '../../support/requires.ts';
import { makeSpied, stateOf, type Spied } from '../../support/spied.ts';
import { startWorkload, type Workload } from '../../support/workload.ts';

describeWith(['python3', 'py-spy'], 'a capture whose link is cut', () => {
  let workload: Workload;
  let spied: Spied;
  let runner: Runner;
  beforeAll(async () => {
    workload = await startWorkload({ threads: [{ name: 'target-0', percent: 10 }] });
    spied = makeSpied();
  });
  afterEach(() => runner.stop());
  afterAll(async () => {
    await workload.stop();
    spied.remove();
  });

  const before = process.env['TMPDIR'];
  beforeAll(() => void (process.env['TMPDIR'] = spied.temp));
  afterAll(() => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  });

  /** Kills all of the channel's process group, as a wrapper does whose container is stopped; gives what came of the capture. */
  async function cut(request: Omit<CaptureRequest, 'pids'>, wrap?: string) {
    runner = await localRunner({ pySpy: spied.pySpy, ...(wrap !== undefined && { wrap }) });
    const taken = captureOn(runner, { ...request, pids: [workload.pid] });
    await spied.sampling();
    const shells = execFileSync('ps', ['-o', 'pid=,pgid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' });
    const groups = shells.split('\n').flatMap((line) => {
      const [, pid, group, args = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
      return pid === group && args.endsWith('sh -s') ? [Number(group)] : [];
    });
    expect(groups.length).toBeGreaterThan(0);
    for (const group of groups) process.kill(-group, 'SIGKILL');
    return taken;
  }

  it.each([
    ['its shell', undefined],
    ['its wrapper, which leads another group', 'env A=1'],
  ])('with %s leaves nothing there, and what the guard could still say is a part', async (_, wrap) => {
    const { capture, results } = await cut({ what: 'record', seconds: 600 }, wrap);
    expect(results).toMatchObject([{ kind: 'profile', pid: workload.pid }]);
    expect(capture.state).toBe('partial');
    expect(capture.notes).toEqual([expect.stringMatching(/^The link was cut during the capture of process \d+: what/)]);
    await spied.gone();
    expect(stateOf(workload.pid)).not.toBe('T');
  });

  it.each(['the guard is told to end', 'py-spy is ended by somebody'])(
    'leaves nothing there where its folder was removed, and then %s',
    async (how) => {
      runner = await localRunner({ pySpy: spied.pySpy });
      const taken = captureOn(
        runner,
        { what: 'record', seconds: 600, pids: [workload.pid] },
        {
          onSample(sample, captures) {
            if (sample.kind !== 'capture' || sample.state !== 'running') return;
            void spied.sampling().then((pid) => {
              for (const name of readdirSync(spied.temp)) rmSync(join(spied.temp, name), { recursive: true });
              if (how.startsWith('the guard')) captures.cancel(sample.id);
              else process.kill(pid, 'SIGKILL');
            });
          },
        },
      );
      const { capture } = await taken;
      expect(capture.endedAt).toBeDefined();
      await spied.gone();
      expect(stateOf(workload.pid)).not.toBe('T');
    },
  );
});

describeWith(['python3', 'py-spy'], 'a capture whose host does not answer any more', () => {
  let workload: Workload;
  let spied: Spied;
  beforeAll(async () => {
    workload = await startWorkload();
    spied = makeSpied();
  });
  afterAll(async () => {
    await workload.stop();
    spied.remove();
  });

  it('holds up nobody who leaves, and leaves nothing there either', async () => {
    const local = createLocalTransport(`env TMPDIR=${spied.temp}`);
    let isDead = false;
    const transport: Transport = {
      ...local,
      wrap: `env TMPDIR=${spied.temp}`,
      async open() {
        const channel = await local.open();
        // Neither is a line heard there, nor one here.
        return {
          ...channel,
          write: (text) => isDead || channel.write(text),
          end: () => isDead || channel.end(),
          onOutput: (fn) => channel.onOutput((chunk) => isDead || fn(chunk)),
          exit: new Promise(() => {}),
        };
      },
    };
    const runner = await localRunner({ pySpy: spied.pySpy, transport });
    const samples: Sample[] = [];
    const clock = createManualClock(Date.now());
    const captures = createCaptures({ host: 'local', runner, clock, take: (sample) => samples.push(sample) });
    void captures.start({ what: 'record', pids: [workload.pid], seconds: 600 });
    await spied.sampling();
    isDead = true;
    const stopped = captures.stop();
    clock.advance(5000);
    await stopped;
    expect(samples.at(-1)).toMatchObject({ kind: 'capture', state: 'cancelled', files: [] });
    await runner.stop();
    await spied.gone();
    expect(stateOf(workload.pid)).not.toBe('T');
  });
});
