import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'traintop-count-'))));
afterEach(() => rmSync(folder, { recursive: true }));

function count(report: object): { counts: string; faults: string } {
  const path = join(folder, 'report.json');
  writeFileSync(path, JSON.stringify(report));
  const { stdout, stderr } = spawnSync(process.execPath, ['scripts/count-tests.mjs', path], { encoding: 'utf8' });
  return { counts: stdout.trim(), faults: stderr };
}

const file = (...statuses: string[]) => ({
  name: join(process.cwd(), 'test/a.test.ts'),
  status: statuses.includes('failed') ? 'failed' : 'passed',
  message: '',
  assertionResults: statuses.map((status, index) => ({ status, fullName: `case ${index}` })),
});

test('counts what passed', () => {
  expect(count({ success: true, testResults: [file('passed', 'passed'), file('passed')] })).toEqual({
    counts: '3 0',
    faults: '',
  });
});

test('a skipped test and one to do count as failed, by name', () => {
  const { counts, faults } = count({ success: true, testResults: [file('passed', 'skipped', 'todo', 'failed')] });
  expect(counts).toBe('1 3');
  expect(faults).toContain('test/a.test.ts > case 1: skipped');
});

test('a file that did not load, an error outside the tests, and no test at all are failures', () => {
  const broken = { ...file(), status: 'failed', message: 'no such module' };
  expect(count({ success: false, testResults: [file('passed'), broken] })).toMatchObject({ counts: '1 1' });
  expect(count({ success: false, testResults: [file('passed')] })).toMatchObject({ counts: '1 1' });
  expect(count({ success: true, testResults: [] })).toMatchObject({ counts: '0 1' });
});
