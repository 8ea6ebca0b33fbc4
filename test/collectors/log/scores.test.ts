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

/** Found and expected values, and false ones, of a folder. */
async function sumOf(folder: string) {
  const scores = await scoreFolder(folder);
  const sum = (of: (score: (typeof scores)[number]) => number) => scores.reduce((all, score) => all + of(score), 0);
  const all = {
    logs: scores.length,
    share: sum(({ found }) => found) / sum(({ expected }) => expected),
    wrong: sum(({ wrong }) => wrong.length),
  };
  console.log(`${folder}: ${all.logs} logs, recall ${(100 * all.share).toFixed(1)} %, false ${all.wrong}`);
  return all;
}

test('ten formats that no reader was changed for are read at 90 % or more (docs/formats.md has what is missed)', async () => {
  const { logs, share } = await sumOf('test/fixtures/log-unseen');
  expect(logs).toBe(10);
  expect(share).toBeGreaterThanOrEqual(0.9);
});

test('what earlier sets of made-up logs and logs of real programs have taught stays', async () => {
  const { logs, share, wrong } = await sumOf('test/fixtures/log-tuned');
  expect(logs).toBe(64);
  expect(share).toBeGreaterThan(0.98);
  expect(wrong).toBeLessThanOrEqual(10);
});
