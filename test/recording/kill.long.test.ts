import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleTypeScript } from '../../scripts/lib/run-typescript.mjs';
import type { Sample } from '../../src/model/samples.ts';
import { openRecording } from '../../src/recording/recording.ts';
import { seeded } from '../e2e/cuts.ts';
import type { Said } from './killed-recorder.ts';

const kills = 100;
/** Beside one another. */
const lanes = 8;
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
  const moments = Array.from({ length: kills }, () => 200 + random() * 7000);
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
    // Time in which it was not let run does not count.
    if (last && firstLost) expect(last.at - firstLost.at).toBeLessThan(mostLostMs + last.stolen);
  }
  // Most lived long enough to have written something.
  expect(results.filter(({ read }) => read.length > 0).length).toBeGreaterThan(kills / 4);
}, 180_000);

interface Killed {
  readonly said: readonly Said[];
  readonly read: readonly Sample[];
  readonly broken: number;
}

/** `afterMs` from the first Sample on. */
async function recordAndKill(folder: string, afterMs: number): Promise<Killed> {
  const start = `import { recordUntilKilled } from ${JSON.stringify(pathToFileURL(script).href)}; await recordUntilKilled(process.argv[1]);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', start, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await once(child.stdout, 'data');
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  child.kill('SIGKILL');
  await once(child, 'close');
  const said = text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Said);
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
