import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runProgram } from '../../src/config/run-program.ts';

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'traintop-run-'))));
afterAll(() => rmSync(folder, { recursive: true }));

const sh = (script: string, more: { readonly limitMs: number; readonly signal?: AbortSignal }) =>
  runProgram({ file: 'sh', args: ['-c', script], ...more });

it('gives what a program says, and how it ended', async () => {
  const ended = await sh('echo out; echo err >&2; exit 3', { limitMs: 20_000 });
  expect(ended).toEqual({ code: 3, timedOut: false, stdout: 'out\n', stderr: 'err\n' });
  expect(await runProgram({ file: '/nowhere', args: [], limitMs: 20_000 })).toMatchObject({
    code: null,
    fault: 'ENOENT',
  });
});

it('ends a program that takes too long, with what it started', async () => {
  expect(await sh('echo begun; sleep 1000 & wait', { limitMs: 1000 })).toMatchObject({ code: null, timedOut: true });
  expect(await sh('sleep 1000', { limitMs: 20_000, signal: AbortSignal.abort() })).toMatchObject({ code: null });
});

// A `Match exec` that starts a daemon with the pipes of ssh.
it('does not wait for one that left its group and has the output', async () => {
  const file = join(folder, 'pid');
  const away = `setsid sh -c 'echo $$ >${file}; exec sleep 1000' & while [ ! -s ${file} ]; do sleep .1; done; echo out`;
  const ended = await sh(away, { limitMs: 2000 });
  process.kill(Number(readFileSync(file, 'utf8')));
  expect(ended).toMatchObject({ timedOut: true, stdout: 'out\n' });
});
