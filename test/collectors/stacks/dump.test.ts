import { spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import type { CollectorOptions } from '../../../src/collectors/collector.ts';
import { createRunner, type Runner } from '../../../src/collectors/run.ts';
import { captureStacks } from '../../../src/collectors/stacks/dump.ts';
import { createLocalTransport } from '../../../src/collectors/transport/local.ts';
import { describeWith, requiredTool } from '../../support/requires.ts';
import { startWorkload, type Workload } from '../../support/workload.ts';

const folder = mkdtempSync(join(tmpdir(), 'traintop-stacks-'));
let runner: Runner | undefined;
afterEach(async () => {
  await runner?.stop();
  runner = undefined;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Options {
  readonly pid: number;
  readonly wrap?: string;
  readonly dataDir?: string;
  readonly pySpy?: string;
  readonly noPySpy?: boolean;
}

async function capture({ pid, wrap, dataDir = folder, noPySpy = false, pySpy }: Options) {
  const chosen = noPySpy ? undefined : (pySpy ?? requiredTool('py-spy'));
  const options: CollectorOptions = {
    intervalMs: 1000,
    threads: 'proc',
    logs: [],
    ...(chosen !== undefined && { pySpy: chosen }),
  };
  runner = createRunner({
    transport: createLocalTransport(wrap),
    collectors: [],
    options,
    clock: systemClock,
    onSample: () => {},
  });
  await runner.start();
  const context = runner.context();
  if (!context) throw new Error('not connected');
  return captureStacks({ job: runner.job, context, pid, dataDir, clock: systemClock, save: true });
}

describeWith(['python3', 'py-spy'], 'stacks of a real process', () => {
  let workload: Workload;
  beforeAll(async () => {
    workload = await startWorkload({ threads: [{ name: 'target-0', percent: 10 }, { name: 'drafter-1' }] });
  });
  afterAll(() => workload.stop());

  it('join thread names with TIDs of the kernel, and are saved for their owner only', async () => {
    const sample = await capture({ pid: workload.pid });
    expect(sample.failure).toBeUndefined();
    for (const thread of sample.threads) {
      expect(readFileSync(`/proc/${workload.pid}/task/${thread.tid}/stat`, 'utf8')).toBeTruthy();
    }
    expect(sample.threads.find((t) => t.tid === workload.tids['target-0'])?.frames.length).toBeGreaterThan(0);
    expect(sample.threads[0]).toMatchObject({ name: 'MainThread', tid: workload.pid });
    expect(statSync(sample.savedTo ?? '').mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'captures')).mode & 0o777).toBe(0o700);
    expect(sample.savedTo).toMatch(/captures\/\d{4}-\d\d-\d\dT[\d-]+Z_local_\d+\.txt$/);
    expect(readFileSync(sample.savedTo ?? '', 'utf8')).toContain(`Thread ${workload.pid} (`);
  });

  it('keep the dump when it cannot be saved, and say so', async () => {
    const file = join(folder, 'a-file');
    writeFileSync(file, '');
    const sample = await capture({ pid: workload.pid, dataDir: file });
    expect(sample.threads.length).toBeGreaterThan(2);
    expect(sample.savedTo).toBeUndefined();
    expect(sample.failure).toMatch(/^the capture could not be saved: /);
  });

  it.skipIf(process.getuid?.() !== 0)('are refused to another user, with what to do', async () => {
    const copy = join(mkdtempSync(join(tmpdir(), 'traintop-spy-')), 'py-spy');
    writeFileSync(copy, readFileSync(requiredTool('py-spy')), { mode: 0o755 });
    const parent = join(copy, '..');
    chmodSync(parent, 0o755);
    const sample = await capture({ pid: workload.pid, wrap: 'setpriv --reuid 65534 --clear-groups', pySpy: copy });
    rmSync(parent, { recursive: true });
    expect(sample.failure).toMatch(/may not read process \d+ on local: /);
    expect(sample.threads).toEqual([]);
  });
});

describeWith(['py-spy'], 'stacks that cannot be taken', () => {
  it('of a process that is no Python', async () => {
    const child = spawn('sleep', ['60']);
    const sample = await capture({ pid: child.pid ?? 0 });
    child.kill();
    expect(sample.failure).toMatch(
      /^Process \d+ is no Python that py-spy 0\.\d\.\d+ knows \(it runs \/.*\/(?:sleep|coreutils|busybox)\)/,
    );
  });

  it('of a process that is gone', async () => {
    expect((await capture({ pid: 4_194_303 })).failure).toBe('Process 4194303 on local is gone');
  });

  it('with a chosen py-spy that is not there', async () => {
    const sample = await capture({ pid: process.pid, pySpy: "/no/such/it's py-spy" });
    expect(sample.failure).toBe("/no/such/it's py-spy is no program that may be run on local: check --py-spy");
  });

  it('leave no file', async () => {
    const dataDir = mkdtempSync(join(folder, 'empty-'));
    await capture({ pid: 4_194_303, dataDir });
    expect(readdirSync(dataDir)).toEqual([]);
  });
});

it('without py-spy says how to get it', async () => {
  const sample = await capture({ pid: process.pid, noPySpy: true, wrap: 'env PATH=/usr/bin:/bin' });
  // On a machine that has py-spy where everybody has it, the answer is another.
  expect(sample.failure).toMatch(/^py-spy is not on local: .*pip install py-spy|is no Python/);
});

it.skipIf(process.getuid?.() !== 0)('runs no program of another user as root unasked', async () => {
  const bin = mkdtempSync(join(tmpdir(), 'traintop-venv-'));
  writeFileSync(join(bin, 'py-spy'), '#!/bin/sh\ntouch "$0.ran"\n', { mode: 0o755 });
  chownSync(bin, 65534, 65534);
  const sample = await capture({ pid: process.pid, noPySpy: true, wrap: `env PATH=${bin}:/usr/bin:/bin` });
  const left = readdirSync(bin);
  rmSync(bin, { recursive: true });
  expect(left).toEqual(['py-spy']);
  expect(sample.failure).toMatch(/py-spy on local is another user's and is not run as root unasked: give --py-spy \//);
});
