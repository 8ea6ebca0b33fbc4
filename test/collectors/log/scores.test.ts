import { expect, test } from 'vitest';
import { scoreFolder } from '../../../scripts/lib/log-scores.ts';

test('all that the samples say is read, and nothing else', async () => {
  const scores = await scoreFolder('test/fixtures/log');
  const lines = scores.map(({ name, expected, found, missing, wrong }) => {
    const recall = expected === 0 ? '-' : `${((100 * found) / expected).toFixed(1)} %`;
    console.log(`${name}: recall ${recall} of ${expected}, false ${wrong.length}`);
    return [...missing.map((text) => `${name}: missing ${text}`), ...wrong.map((text) => `${name}: false ${text}`)];
  });
  expect(scores.length).toBeGreaterThanOrEqual(38);
  expect(lines.flat()).toEqual([]);
});

test('logs that were made up before the readers were looked at are read at 90 % or more', async () => {
  const scores = await scoreFolder('test/fixtures/log-made');
  const bad = scores.flatMap(({ name, expected, found, missing, wrong }) => {
    console.log(`${name}: recall of ${expected} ${found}, false ${wrong.length}`);
    return [...(found < 0.9 * expected ? missing : []), ...wrong].map((text) => `${name}: ${text}`);
  });
  expect(bad).toEqual([]);
});
