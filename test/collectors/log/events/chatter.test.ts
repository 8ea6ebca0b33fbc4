import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { eventsOf } from './told.ts';

const chatter = readFileSync(new URL('../../../fixtures/log/chatter.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

test('lines that tell of no event', () => {
  const found = chatter.flatMap((line) => eventsOf(line).flatMap((event) => (event ? [{ line, event }] : [])));
  expect(found).toEqual([]);
  expect(chatter.length).toBeGreaterThan(100);
});
