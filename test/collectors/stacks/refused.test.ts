import { spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Runner } from '../../../src/collectors/run.ts';
import { captureOn, localRunner, type Captured } from '../../support/capture.ts';
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
  readonly pids: readonly number[];
  readonly wrap?: string;
  readonly dataDir?: string;
  readonly pySpy?: string;
  readonly noPySpy?: boolean;
}

/** A dump that is refused, mostly. */
async function dump({ pids, wrap, dataDir = folder, noPySpy = false, pySpy }: Options): Promise<Captured> {
  const chosen = noPySpy ? undefined : (pySpy ?? requiredTool('py-spy'));
  runner = await localRunner({
    ...(chosen !== undefined && { pySpy: chosen }),
    ...(wrap !== undefined && { wrap }),
  });
  return captureOn(runner, { what: 'dump', pids }, { dataDir });
}

describeWith(['python3', 'py-spy'], 'a dump of a Python process', () => {
  let workload: Workload;
  beforeAll(async () => {
    workload = await startWorkload({ threads: [{ name: 'target-0' }] });
  });
  afterAll(() => workload.stop());

  it('is kept when it cannot be saved, and that is said', async () => {
    const file = join(folder, 'a-file');
    writeFileSync(file, '');
    const { capture, results } = await dump({ pids: [workload.pid], dataDir: file });
    expect(results).toHaveLength(1);
    expect(capture).toMatchObject({ state: 'done', files: [] });
    expect(capture.notes).toEqual([expect.stringMatching(/^The capture could not be saved: ENOTDIR/)]);
  });

  it.skipIf(process.getuid?.() !== 0)('is refused to another user, with what to do', async () => {
    const copy = join(mkdtempSync(join(tmpdir(), 'traintop-spy-')), 'py-spy');
    writeFileSync(copy, readFileSync(requiredTool('py-spy')), { mode: 0o755 });
    const parent = join(copy, '..');
    chmodSync(parent, 0o755);
    const wrap = 'setpriv --reuid 65534 --clear-groups';
    const { capture, results } = await dump({ pids: [workload.pid], wrap, pySpy: copy });
    rmSync(parent, { recursive: true });
    expect(capture.state).toBe('failed');
    expect(capture.failure).toMatch(/may not read process \d+ on local: /);
    expect(results).toEqual([]);
  });

  it('beside processes that are no Python is a whole capture, which says so', async () => {
    const child = spawn('sleep', ['60']);
    const { capture, results } = await dump({ pids: [child.pid ?? 0, workload.pid] });
    child.kill();
    expect(results.map(({ pid }) => pid)).toEqual([workload.pid]);
    expect(capture).toMatchObject({ state: 'done', samples: 1, errors: 0 });
    expect(capture.failure).toBeUndefined();
    expect(capture.notes).toEqual(['1 of 2 processes are no Python and were left out']);
  });

  it('beside one that is gone is a part, with the sentence', async () => {
    const { capture, results } = await dump({ pids: [workload.pid, 4_194_303] });
    expect(results).toHaveLength(1);
    expect(capture).toMatchObject({ state: 'partial', failure: 'Process 4194303 on local is gone' });
  });
});

describeWith(['py-spy'], 'a dump that cannot be taken', () => {
  it('of a process that is no Python', async () => {
    const child = spawn('sleep', ['60']);
    const { capture } = await dump({ pids: [child.pid ?? 0] });
    child.kill();
    expect(capture.failure).toMatch(
      /^Process \d+ is no Python that py-spy 0\.\d\.\d+ knows \(it runs \/.*\/(?:sleep|coreutils|busybox)\)/,
    );
  });

  it('of a process that is gone leaves no file', async () => {
    const dataDir = mkdtempSync(join(folder, 'empty-'));
    const { capture } = await dump({ pids: [4_194_303], dataDir });
    expect(capture).toMatchObject({ state: 'failed', failure: 'Process 4194303 on local is gone', files: [] });
    expect(readdirSync(join(dataDir, 'captures'))).toEqual([]);
  });

  it('with a chosen py-spy that is not there', async () => {
    const { capture } = await dump({ pids: [process.pid], pySpy: "/no/such/it's py-spy" });
    expect(capture.failure).toMatch(
      /\/no\/such\/it's py-spy .*on local, nor a file of this machine that could be copied there: check --py-spy/,
    );
  });
});

it('is not taken with --read-only where it would hold the process', async () => {
  runner = await localRunner({});
  const readOnly = { readOnly: true };
  const native = await captureOn(runner, { what: 'native', pids: [process.pid] }, readOnly);
  expect(native.capture).toMatchObject({
    state: 'failed',
    failure: '--read-only takes nothing that holds a process: a plain dump does not',
  });
  const record = await captureOn(runner, { what: 'record', pids: [process.pid], blocking: true }, readOnly);
  expect(record.capture.failure).toBe(
    '--read-only takes nothing that holds a process: a record without blocking does not',
  );
  expect([...native.samples, ...record.samples].some(({ kind }) => kind !== 'capture')).toBe(false);
});

it('without py-spy says how to get it', async () => {
  const { capture } = await dump({ pids: [process.pid], noPySpy: true, wrap: 'env PATH=/usr/bin:/bin' });
  // On a machine that has py-spy where everybody has it, the answer is another.
  expect(capture.failure).toMatch(
    /^py-spy is not on local \(looked for at .*, PATH \(\/usr\/bin:.*\)\): .*pip install py-spy|is no Python/,
  );
});

it.skipIf(process.getuid?.() !== 0)('runs no program of another user as root unasked', async () => {
  const bin = mkdtempSync(join(tmpdir(), 'traintop-venv-'));
  writeFileSync(join(bin, 'py-spy'), '#!/bin/sh\ntouch "$0.ran"\n', { mode: 0o755 });
  chownSync(bin, 65534, 65534);
  const { capture } = await dump({ pids: [process.pid], noPySpy: true, wrap: `env PATH=${bin}:/usr/bin:/bin` });
  const left = readdirSync(bin);
  rmSync(bin, { recursive: true });
  expect(left).toEqual(['py-spy']);
  expect(capture.failure).toMatch(/py-spy on local is another user's and is not run as root unasked: give --py-spy \//);
});
