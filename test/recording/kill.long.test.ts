import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleTypeScript } from '../../scripts/lib/run-typescript.mjs';
import type { Sample } from '../../src/model/samples.ts';
import { openRecording } from '../../src/recording/recording.ts';
import { seeded } from '../e2e/cuts.ts';
import type { Said } from './killed-recorder.ts';

const kills = 100;
/** Beside one another. */
const lanes = 14;
const seed = Number(process.env['TRAINTOP_SOAK_SEED'] ?? 9);
/** What may be lost. */
const mostLostMs = 5000;

const home = mkdtempSync(join(tmpdir(), 'traintop-kill-'));
let script: string;
beforeAll(async () => {
  script = await bundleTypeScript('test/recording/killed-recorder.ts');
});
afterAll(() => {
  rmSync(home, { recursive: true, force: true });
  rmSync(script, { force: true });
});

test(`kill -9 at ${kills} random moments (seed ${seed}): every file opens, and at most five seconds are lost`, async () => {
  const random = seeded(seed);
  const moments = Array.from({ length: kills }, () => 200 + random() * 10_000);
  const results: Killed[] = [];
  const lane = async () => {
    for (;;) {
      const afterMs = moments.pop();
      if (afterMs === undefined) return;
      results.push(await recordAndKill(join(home, String(moments.length)), afterMs));
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  expect(results).toHaveLength(kills);
  for (const { said, read, broken } of results) {
    expect(broken).toBe(0);
    // What is there is what was taken in, from its beginning on, each once and in order.
    expect(read.map(({ receivedAt, kind }) => ({ at: receivedAt, kind }))).toEqual(
      said.slice(0, read.length).map(({ at, kind }) => ({ at, kind })),
    );
    // What a link says before the host has answered makes no file.
    const firstLost = said.slice(read.length).find(({ kind }) => kind !== 'link' && kind !== 'source');
    const last = said.at(-1);
    if (last && firstLost) expect(last.at - firstLost.at).toBeLessThan(mostLostMs);
  }
  // Most lived long enough to have written something.
  expect(results.filter(({ read }) => read.length > 0).length).toBeGreaterThan(kills / 2);
}, 300_000);

interface Killed {
  readonly said: readonly Said[];
  readonly read: readonly Sample[];
  readonly broken: number;
}

/** `afterMs` from the first Sample on, by the clock of who records. */
async function recordAndKill(folder: string, afterMs: number): Promise<Killed> {
  const start = `import { recordUntilKilled } from ${JSON.stringify(pathToFileURL(script).href)}; await recordUntilKilled(process.argv[1]);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', start, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said: Said[] = [];
  let isKilled = false;
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    said.push(JSON.parse(line) as Said);
    const [first, last] = [said[0], said.at(-1)];
    if (isKilled || !first || !last || last.at - first.at < afterMs) return;
    isKilled = true;
    // Between two Samples, too.
    setTimeout(() => child.kill('SIGKILL'), afterMs % 200);
  });
  await Promise.all([once(child, 'close'), once(lines, 'close')]);
  expect(isKilled).toBe(true);
  return { said, ...(await readAll(folder)) };
}

async function readAll(folder: string): Promise<Pick<Killed, 'read' | 'broken'>> {
  // Killed before the first write.
  if (!existsSync(join(folder, '0001.jsonl.gz'))) return { read: [], broken: 0 };
  const recording = await openRecording(folder);
  const read: Sample[] = [];
  const cursor = await recording.cursor(-Infinity);
  for (;;) {
    const samples = await cursor.next();
    if (!samples) break;
    read.push(...samples);
  }
  const { brokenLines, brokenBytes, withheldLines } = recording.faults();
  await recording.close();
  return { read, broken: brokenLines + brokenBytes + withheldLines };
}
