import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { holdFolder, isHeld, type HeldFolder } from '../../src/attach/watch-lock.ts';
import { removeFolder } from '../support/remove-folder.ts';

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'traintop-lock-')), 'watch');
});
afterEach(() => removeFolder(join(folder, '..')));

const file = {
  ...{ name: 'x-1', pid: process.pid, machine: 'm', startedAt: 1, target: 'gpu7', demo: false, traintop: '1' },
  ...{ node: '/node', program: '/traintop' },
};

test('one has it, and the next when that has let it go', async () => {
  const first = (await holdFolder(folder, Date.now())) as HeldFolder;
  await first.write(file);
  expect(await holdFolder(folder, Date.now())).toEqual({ by: file });
  await first.release();
  expect(await holdFolder(folder, Date.now())).toHaveProperty('release');
});

test('of many that find a dead one’s lock at once, one has it', async () => {
  mkdirSync(folder, { mode: 0o700 });
  const dead = spawn('true');
  await new Promise((resolve) => dead.once('exit', resolve));
  const { pid } = dead;
  writeFileSync(join(folder, '.lock'), `${JSON.stringify({ pid, host: (await import('node:os')).hostname() })}\n`);
  const all = await Promise.all(Array.from({ length: 8 }, () => holdFolder(folder, Date.now())));
  expect(all.filter((each) => 'release' in each)).toHaveLength(1);
  expect(readdirSync(folder)).toEqual(['.lock']);
  expect(readFileSync(join(folder, '.lock'), 'utf8')).toContain(`"pid":${process.pid}`);
});

test('one of another machine has it while it says that it lives', async () => {
  mkdirSync(folder, { mode: 0o700 });
  writeFileSync(join(folder, '.lock'), '{"pid":1,"host":"elsewhere"}\n');
  writeFileSync(join(folder, 'watch.json'), `${JSON.stringify(file)}\n`);
  expect(await isHeld(folder, Date.now())).toBe(true);
  const long = Date.now() / 1000 - 600;
  utimesSync(join(folder, 'watch.json'), long, long);
  expect(await isHeld(folder, Date.now())).toBe(false);
});

test('a folder that others may look into is not taken', async () => {
  mkdirSync(folder, { mode: 0o755 });
  await expect(holdFolder(folder, Date.now())).rejects.toThrow(/its owner alone/);
});
