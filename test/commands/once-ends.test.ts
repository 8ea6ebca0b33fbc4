import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insideRoot, makeRoot, rootTools } from '../support/chroot.ts';
import { removeFolder } from '../support/remove-folder.ts';
import { describeWith, requiredTool } from '../support/requires.ts';
import { environment } from '../support/terminal.ts';
import { waitFor } from '../support/waiting.ts';

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'traintop-once-'))));
afterAll(() => removeFolder(folder));

/** A command line of sh in which "$@" is traintop; its code and what stands on standard error. */
async function shell(line: string, args: readonly string[]) {
  const child = spawn('sh', ['-c', line, 'sh', process.execPath, resolve('bin/traintop.js'), ...args], {
    env: environment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const code = await new Promise<number | null>((done) => child.once('close', done));
  return { code, errors };
}

/** The process has a network connection or listens. */
function hasSocket(pid: number | undefined): boolean {
  const fds = readdirSync(`/proc/${pid}/fd`).map((fd) => `/proc/${pid}/fd/${fd}`);
  return fds.some((fd) => {
    try {
      return readlinkSync(fd).startsWith('socket:');
    } catch {
      return false; // closed since
    }
  });
}

describe('standard output', () => {
  test.each([
    ['once', ['once', 'demo', '--json']],
    ['help', ['--help']],
  ])('closed early by its reader ends %s without a word', async (_, args) => {
    expect(await shell('"$@" | true', args)).toEqual({ code: 0, errors: '' });
  });

  test('on a full disk is one sentence and code 2', async () => {
    const { code, errors } = await shell('"$@" >/dev/full', ['once', 'demo', '--json']);
    expect(errors).toMatch(/^traintop: .*ENOSPC[^\n]*\.\n$/);
    expect(code).toBe(2);
  });
});

describeWith(rootTools, 'once where tools are missing', () => {
  test('says at once why no run can be found', async () => {
    const root = makeRoot({ sh: requiredTool('dash') });
    const began = Date.now();
    const { code, errors } = await shell('"$@"', [
      'once',
      '--json',
      '--pid',
      '1',
      '--wrap',
      `exec ${insideRoot(root)}`,
    ]);
    removeFolder(root);
    expect(errors).toMatch(/^traintop: no awk [^\n]*\n$/);
    expect(code).toBe(2);
    expect(Date.now() - began).toBeLessThan(10_000);
  });
});

describe('once', () => {
  test.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
    ['SIGHUP', 129],
    ['SIGKILL', null],
  ] as const)('leaves no file when %s ends it', async (signal, expected) => {
    const temporary = mkdtempSync(join(folder, 'tmp-'));
    const child = spawn(process.execPath, [resolve('bin/traintop.js'), 'once', 'demo', '--json'], {
      env: environment({ TMPDIR: temporary }),
      stdio: 'ignore',
    });
    const ended = new Promise<number | null>((done) => child.once('close', done));
    await waitFor('the demo host', () => hasSocket(child.pid));
    child.kill(signal);
    expect(await ended).toBe(expected);
    expect(readdirSync(temporary)).toEqual([]);
  });
});
