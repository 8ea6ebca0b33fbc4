import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createManualClock } from '../../src/clock.ts';
import { writeLine } from '../../src/recording/json-line.ts';
import { project } from './filmed.tsx';
import { createDice, type Dice } from './made-samples.ts';

const lines = gunzipSync(readFileSync('test/fixtures/recordings/format-1.jsonl.gz')).toString().trim().split('\n');
const numbers = [NaN, Infinity, -Infinity, -0, -1, 0.1, 1e308, -1e308, 5e-324, 2 ** 53, 1e15, 4_294_967_296];
const texts = [
  ...['', ' ', '\u001b[2J', '\u001b]0;x\u0007', '\u009b31m', 'a\nb\rc', '\u202eabc', '界'.repeat(500), '👩‍👩‍👧‍👦'.repeat(30)],
  ...['e\u0301'.repeat(200), '\ud800', '\0', 'constructor', '__proto__', 'x'.repeat(50_000), '%s${x}`'],
];

/** The line with some values changed to others of their type that nobody would expect. */
function spoil(line: string, dice: Dice, share: number): string {
  const pick = <T,>(of: readonly T[]) => of[Math.floor(dice() * of.length)] as T;
  const kept = new Set(['kind', 'n', 'at', 'rows', 'gone', 'whole', 'receivedAt', 'time', 'source']);
  const change = (value: unknown, name: string): unknown => {
    if (Array.isArray(value)) return kept.has(name) ? value : value.map((each) => change(each, name));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, change(each, key)]));
    if (kept.has(name) || dice() >= share) return value;
    return typeof value === 'number' ? pick(numbers) : typeof value === 'string' ? pick(texts) : value;
  };
  const said = JSON.parse(line) as { kind: string };
  return said.kind === 'header' ? line : writeLine(change(said, '') as object);
}

// Of 60 rolls these three found something: two ended the screen, one held it for half a minute.
test.each([2, 3, 6])('whatever a recording says, the screen stands and obeys nothing in it (%i)', async (seed) => {
  const dice = createDice(seed);
  const folder = mkdtempSync(join(tmpdir(), 'traintop-hostile-'));
  const path = join(folder, 'hostile.jsonl');
  writeFileSync(path, lines.map((line) => `${spoil(line, dice, 0.02 * (1 + (seed % 5)))}\n`).join(''));
  const clock = createManualClock(0);
  const shown = await project({ path }, [{ columns: 100, rows: 40 }], clock);
  try {
    const { from, to } = shown.player.state();
    for (const time of [to, from + 20_000]) {
      await shown.player.seek(time);
      const rows = await shown.shoot(0);
      expect(rows.join('\n')).toContain('REPLAY');
      expect(rows.join('')).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
    }
  } finally {
    await shown.close();
    rmSync(folder, { recursive: true });
  }
});
