import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lockName, writeLock } from '../../src/recording/lock.ts';
import { packMember } from '../../src/recording/member.ts';
import { prune } from '../../src/recording/prune.ts';
import { headerLine, packLines } from './written.ts';

const now = Date.UTC(2026, 5, 12);
const day = 86_400_000;
let base: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'traintop-prune-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

describe('by age', () => {
  test('what ended too long ago goes with its folder', async () => {
    recording('2026-05-01T00-00-00_gpu7', { parts: [40 * day, 31 * day] });
    recording('2026-05-10T00-00-00_gpu7', { parts: [33 * day, 29 * day] });
    expect(await run({})).toBeUndefined();
    expect(readdirSync(base)).toEqual(['2026-05-10T00-00-00_gpu7']);
    // A recording is one thing: its first part is as young as its last.
    expect(readdirSync(join(base, '2026-05-10T00-00-00_gpu7'))).toHaveLength(2);
  });

  test('what one writes oneself is never too old', async () => {
    const own = recording('2026-05-01T00-00-00_gpu7', { parts: [40 * day, 31 * day] });
    await run({ own: join(own, '0002.jsonl.gz') });
    expect(readdirSync(own)).toHaveLength(2);
  });
});

describe('by size', () => {
  test('the oldest parts go, of whatever recording, and the part that is written stays', async () => {
    const old = recording('2026-06-01T00-00-00_gpu7', { parts: [10 * day, 5 * day], bytes: 100_000 });
    const own = recording('2026-06-02T00-00-00_gpu8', { parts: [8 * day, 4 * day, 3 * day], bytes: 100_000 });
    await run({ own: join(own, '0003.jsonl.gz'), bytes: 310_000 });
    expect([readdirSync(old), readdirSync(own)]).toEqual([['0002.jsonl.gz'], ['0002.jsonl.gz', '0003.jsonl.gz']]);
    await run({ own: join(own, '0003.jsonl.gz'), bytes: 1 });
    expect(readdirSync(base)).toEqual(['2026-06-02T00-00-00_gpu8']);
    expect(readdirSync(own)).toEqual(['0003.jsonl.gz']);
  });

  test('nothing that was written just now', async () => {
    const fresh = recording('2026-06-11T23-55-00_gpu7', { parts: [60_000], bytes: 100_000 });
    await run({ bytes: 1 });
    expect(readdirSync(fresh)).toHaveLength(1);
  });
});

describe('what another monitor writes', () => {
  test('stays while its process runs, and goes when that was killed', async () => {
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
    const folder = recording('2026-05-01T00-00-00_gpu7', { parts: [31 * day], lock: lockOf(child.pid) });
    await run({});
    expect(readdirSync(folder)).toContain('0001.jsonl.gz');
    child.kill('SIGKILL');
    await once(child, 'exit');
    await run({});
    expect(existsSync(folder)).toBe(false);
  });

  test('a process that has the number by chance is no monitor', async () => {
    const lock = { ...(JSON.parse(await ownLock()) as object), started: '1' };
    const folder = recording('2026-05-01T00-00-00_gpu7', { parts: [31 * day], lock: JSON.stringify(lock) });
    await run({});
    expect(existsSync(folder)).toBe(false);
  });

  test('nor is one of another boot', async () => {
    const lock = { ...(JSON.parse(await ownLock()) as object), boot: 'the one before' };
    const folder = recording('2026-05-01T00-00-00_gpu7', { parts: [31 * day], lock: JSON.stringify(lock) });
    await run({});
    expect(existsSync(folder)).toBe(false);
  });

  test('the own process holds its lock', async () => {
    const folder = recording('2026-05-01T00-00-00_gpu7', { parts: [31 * day], lock: await ownLock() });
    await run({});
    expect(existsSync(folder)).toBe(true);
  });

  test('on another machine it stays for a day after it was last written', async () => {
    const lock = JSON.stringify({ pid: 1, host: 'another' });
    const young = recording('2026-06-11T00-00-00_a', { parts: [0.9 * day], lock, bytes: 100_000 });
    const old = recording('2026-06-10T00-00-00_b', { parts: [1.1 * day], lock, bytes: 100_000 });
    await run({ bytes: 1 });
    expect([existsSync(young), existsSync(old)]).toEqual([true, false]);
  });
});

describe('what is not ours', () => {
  test('stays: other names, other contents, links', async () => {
    const folder = recording('2026-05-01T00-00-00_gpu7', { parts: [40 * day] });
    old(file(join(folder, '0002.jsonl.gz'), 'not a recording'), 40 * day);
    old(file(join(folder, 'notes.txt'), 'mine'), 40 * day);
    const outside = recording('elsewhere', { parts: [40 * day] });
    symlinkSync(outside, join(base, '2026-05-02T00-00-00_link'));
    symlinkSync(join(outside, '0001.jsonl.gz'), join(folder, '0003.jsonl.gz'));
    recording('kept by hand', { parts: [40 * day] });
    old(folder, 40 * day);
    expect(await run({})).toBeUndefined();
    expect(readdirSync(folder)).toEqual(['0002.jsonl.gz', '0003.jsonl.gz', 'notes.txt']);
    expect(readdirSync(outside)).toEqual(['0001.jsonl.gz']);
    expect(readdirSync(base).sort()).toEqual([
      '2026-05-01T00-00-00_gpu7',
      '2026-05-02T00-00-00_link',
      'elsewhere',
      'kept by hand',
    ]);
  });

  test('so does one to whose name the user added something', async () => {
    for (const added of ['', '-2', '.keep', '-good', ' 2', '-2-good']) {
      const folder = recording(`2026-05-01T00-00-00_gpu7${added}`, { parts: [40 * day] });
      const path = join(folder, '0001.jsonl.gz');
      old(file(path, packLines([headerLine({ target: 'gpu7' })])), 40 * day);
    }
    expect(await run({})).toBeUndefined();
    const kept = readdirSync(base).map((name) => name.slice('2026-05-01T00-00-00_gpu7'.length));
    expect(kept.sort()).toEqual([' 2', '-2-good', '-good', '.keep']);
  });

  test('empty folders of ours go, if they are no news', async () => {
    const empty = join(base, '2026-05-01T00-00-00_gpu7');
    mkdirSync(empty);
    // Of one that was killed in its first moment.
    file(join(empty, '.1.new'), '');
    old(empty, day);
    const fresh = join(base, '2026-06-12T00-00-00_gpu7');
    mkdirSync(fresh);
    old(fresh, 1000);
    await run({});
    expect([existsSync(empty), existsSync(fresh)]).toEqual([false, true]);
  });
});

test('what goes wrong is one sentence', async () => {
  rmSync(base, { recursive: true });
  expect(await run({})).toBeUndefined();
  writeFileSync(base, '');
  expect(await run({})).toBe(`Old recordings could not be removed: ${base} (ENOTDIR).`);
});

function run({ own = '/none', bytes = Infinity }: { readonly own?: string; readonly bytes?: number }) {
  return prune({ base, own, limits: { bytes, ms: 30 * day }, now });
}

interface Made {
  /** How old each is, ms. */
  readonly parts: readonly number[];
  readonly bytes?: number;
  readonly lock?: string;
}

function recording(name: string, { parts, bytes, lock }: Made): string {
  const folder = join(base, name);
  mkdirSync(folder);
  if (lock !== undefined) old(file(join(folder, '.lock'), lock), Math.min(...parts));
  parts.forEach((age, i) => {
    const path = join(folder, `${String(i + 1).padStart(4, '0')}.jsonl.gz`);
    writeFileSync(path, packMember('{}\n', { from: now, to: now, keyframe: true, event: false }));
    if (bytes !== undefined) truncateSync(path, bytes);
    old(path, age);
  });
  old(folder, Math.min(...parts));
  return folder;
}

function file(path: string, text: string | Buffer): string {
  writeFileSync(path, text);
  return path;
}

function old(path: string, age: number) {
  utimesSync(path, (now - age) / 1000, (now - age) / 1000);
}

/** The lock of this process. */
async function ownLock(): Promise<string> {
  const path = join(base, lockName);
  const file = await open(path, 'w');
  await writeLock(file);
  await file.close();
  const text = readFileSync(path, 'utf8');
  rmSync(path);
  return text;
}

function lockOf(pid: number | undefined): string {
  return JSON.stringify({ pid, host: hostname() });
}
