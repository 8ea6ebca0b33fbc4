import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { evidence, fitted } from '../../../src/collectors/black-box/parts.ts';
import { createBoxSaver } from '../../../src/collectors/black-box/save.ts';
import type { BlackBoxSample } from '../../../src/model/samples.ts';
import { removeFolder } from '../../support/remove-folder.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'traintop-boxes-'))));
afterEach(() => removeFolder(folder));

const box = (startedAt: number, reason = 'Nothing moves: ../../x.'): BlackBoxSample => ({
  ...{ kind: 'blackBox', host: 'a/../b c', source: 'black box', time: 0, receivedAt: 0, id: 'x', reason },
  ...{ state: 'taking', startedAt, captures: [], parts: [] },
});

test('the oldest boxes go; what is not ours stays', async () => {
  const saver = createBoxSaver(folder);
  const parent = join(folder, 'black-boxes');
  const first = await saver.open(box(0));
  writeFileSync(join(first.path, 'my notes.md'), 'mine');
  mkdirSync(join(parent, '2000-01-01T00-00-00-000Z_other'));
  writeFileSync(join(parent, '2000-01-01T00-00-00-000Z_other', 'box.json'), '{"traintop":"another"}');
  for (let i = 1; i <= 41; i++) await saver.open(box(i * 1000));
  expect(readdirSync(first.path)).toEqual(['my notes.md']);
  const left = readdirSync(parent).filter((name) => existsSync(join(parent, name, 'box.json')));
  expect(left).toHaveLength(41);
  expect(left).toContain('2000-01-01T00-00-00-000Z_other');
  expect(left).not.toContain('1970-01-01T00-00-01-000Z_a-..-b-c_nothing-moves-x');
});

test('many bytes go too, and two of one moment are two', async () => {
  const saver = createBoxSaver(folder);
  const big = await saver.open(box(0));
  await big.write('log.txt', 'x'.repeat(65 * 1024 * 1024));
  const second = await saver.open(box(0));
  expect(second.path).toBe(`${big.path}_2`);
  expect(existsSync(big.path)).toBe(false);
});

test('a part has its bounds: of a log the end, of others the beginning; so has a box', () => {
  const lines = Array.from({ length: 4000 }, (_, i) => `line ${i} ${'x'.repeat(90)}`);
  const log = evidence({ name: 'log', takenAt: 0, lines, keepEnd: true });
  expect(log.part).toMatchObject({ cut: true });
  expect(log.part.lines?.at(-1)).toMatch(/^line 3999/);
  expect(log.part.lines?.join('\n').length).toBeLessThan(64 * 1024);
  expect(log.whole).toHaveLength(4000);
  const { part } = evidence({ name: 'host', takenAt: 0, lines: [...lines, '\u001b[31mred'] });
  expect(part.lines?.[0]).toMatch(/^line 0/);
  const all = [part, part, part, part].reduce<(typeof part)[]>((sum, each) => [...sum, fitted(each, sum)], []);
  const more = fitted(part, all);
  expect(more).toMatchObject({ cut: true });
  expect(JSON.stringify([...all, more]).length).toBeLessThan(300 * 1024);
});
