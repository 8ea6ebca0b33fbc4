import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { demoPast } from '../../src/commands/demo-past.ts';
import { waitFor } from '../support/waiting.ts';

const before = process.env['TMPDIR'];
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'traintop-demo-past-'));
  process.env['TMPDIR'] = folder;
});
afterEach(() => {
  if (before === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = before;
  rmSync(folder, { recursive: true, force: true });
});

/** As old as what nobody may be about to begin. */
function age(path: string) {
  const hourAgo = (systemClock.now() - 3_600_000) / 1000;
  utimesSync(path, hourAgo, hourAgo);
}

test('what killed demos have left goes, whatever else has such a name, and what one uses stays', async () => {
  const used = await demoPast();
  const [own = ''] = readdirSync(folder);
  age(join(folder, own));
  // Before the others in any order of names, and after them.
  for (const name of ['traintop-demo-000000', 'traintop-demo-zzzzzz']) writeFileSync(join(folder, name), '');
  const left = ['traintop-demo-AAAAAA', 'traintop-demo-bbbbbb'].map((name) => join(folder, name));
  for (const path of left) mkdirSync(path);
  const dead = spawn('true');
  await new Promise((resolve) => dead.on('close', resolve));
  writeFileSync(join(left[0] ?? '', '.lock'), JSON.stringify({ pid: dead.pid, host: hostname() }));
  for (const name of readdirSync(folder)) age(join(folder, name));
  const next = await demoPast();
  await waitFor('what is left to go', () => !left.some((path) => existsSync(path)));
  expect(readdirSync(folder)).toContain(own);
  expect(readdirSync(folder)).toContain('traintop-demo-zzzzzz');
  next?.remove();
  used?.remove();
  expect(existsSync(join(folder, own))).toBe(false);
});
