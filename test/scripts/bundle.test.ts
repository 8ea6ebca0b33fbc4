import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundle } from '../../scripts/lib/bundle.mjs';

// Outside the project, so that nothing is found in node_modules that is not in the bundle.
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'traintop-bundle-'));
  mkdirSync(join(folder, 'chunks'));
  writeFileSync(join(folder, 'chunks', 'old-AAAA.js'), '');
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  await bundle({ entry: resolve('test/support/bundled.tsx'), outdir: folder });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the bundle runs alone: Ink, ink-table and ssh2 are in it', () => {
  const { stdout, stderr } = spawnSync(process.execPath, [join(folder, 'main.js')], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(stdout).toContain('NAME\nin the bundle\nfunction production');
});

test('an earlier build is gone, and the licences of what went in are there', () => {
  expect(existsSync(join(folder, 'chunks', 'old-AAAA.js'))).toBe(false);
  const licences = readFileSync(join(folder, 'LICENCES.txt'), 'utf8');
  expect(licences).toMatch(/## ink 7.*\(MIT\)[^]*Permission is hereby granted/);
  expect(licences).not.toContain('undefined');
});
