import { execFileSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createSaver } from '../../src/collectors/stacks/save.ts';
import type { CaptureSample, ProfileSample, StacksSample } from '../../src/model/samples.ts';
import { listCaptures, openCapture } from '../../src/recording/saved-captures.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'traintop-kept-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const at = Date.UTC(2026, 10, 30, 9, 0, 0);
const base = { host: 'gpu7', source: 'stacks', time: at, receivedAt: at } as const;
const begun: CaptureSample = {
  ...{ ...base, kind: 'capture', id: 'a', what: 'record', state: 'running', pids: [7, 8], startedAt: at },
  ...{ plannedMs: 30_000, notes: [], files: [] },
};
const done: CaptureSample = { ...begun, state: 'done', endedAt: at + 30_000, samples: 2, errors: 0 };
const frame = { function: 'step', file: '/w/train.py', line: 3 };
const profile: ProfileSample = {
  ...{ ...base, kind: 'profile', capture: 'a', what: 'record', pid: 7, command: 'python train.py' },
  ...{ rate: 20, seconds: 1, samples: 2, errors: 0, threads: [{ tid: 7, name: 'Main;Thread' }] },
  ...{ frames: [frame, { function: '<module>', file: '/w/train.py', line: 9 }] },
  stacks: [{ thread: 0, frames: [0, 1], count: 2 }],
};
const dump: StacksSample = {
  ...{ ...base, kind: 'stacks', capture: 'a', pid: 8, command: 'python train.py' },
  threads: [{ name: 'MainThread', tid: 8, active: true, ownsGil: false, frames: [frame] }],
};
const save = (of = begun) => createSaver({ dataDir, run: () => undefined })(of);
const folderOf = (name: string) => join(dataDir, 'captures', name);

it('comes back as it was kept, moved or not', async () => {
  const folder = await save();
  const files = await folder.finish(done, [profile, dump, profile]);
  expect(files.map((path) => path.slice(folder.path.length + 1))).toEqual([
    '7.raw.txt',
    '7-2.raw.txt',
    'results.jsonl',
  ]);
  expect(readFileSync(files[0] ?? '', 'utf8')).toBe(
    'thread (7): Main:Thread;<module> (/w/train.py:9);step (/w/train.py:3) 2\n',
  );
  expect(await listCaptures(dataDir, at)).toEqual([
    { capture: { ...done, files }, folder: folder.path, bytes: expect.any(Number), command: 'python train.py' },
  ]);
  expect((await openCapture(folder.path, at)).results).toEqual([profile, dump, profile]);
  const elsewhere = folderOf('elsewhere');
  execFileSync('mv', [folder.path, elsewhere]);
  expect((await openCapture(elsewhere, at)).capture.files[0]).toBe(join(elsewhere, '7.raw.txt'));
});

it('that was begun by a monitor that was killed says so when nobody can finish it any more', async () => {
  const folder = await save();
  expect(await listCaptures(dataDir, at + 60_000)).toMatchObject([{ capture: { state: 'running' } }]);
  expect(await listCaptures(dataDir, at + 600_000)).toMatchObject([
    {
      capture: { state: 'failed', failure: 'Not finished: traintop was ended in the middle of it, or could not write' },
    },
  ]);
  expect(await openCapture(folder.path, at)).toMatchObject({ results: [] });
});

it('of one moment are apart, newest first, and one without results leaves nothing', async () => {
  const [first, second, later] = [await save(), await save(), await save({ ...begun, startedAt: at + 1000 })];
  expect(second.path).toBe(`${first.path}_2`);
  expect(await first.finish({ ...done, state: 'failed' }, [])).toEqual([]);
  expect((await listCaptures(dataDir, at)).map(({ folder }) => folder)).toEqual([later.path, second.path]);
  expect(readdirSync(join(dataDir, 'captures'))).toHaveLength(2);
});

it('are none where there is no folder, and what else lies there is left out', async () => {
  expect(await listCaptures(dataDir, at)).toEqual([]);
  const { path } = await save();
  const head = readFileSync(join(path, 'capture.json'), 'utf8');
  const lay = (name: string, text: string) => {
    mkdirSync(folderOf(name));
    writeFileSync(join(folderOf(name), 'capture.json'), text);
  };
  writeFileSync(folderOf('2025-a-file.txt'), 'an old dump');
  mkdirSync(folderOf('2025-empty'));
  lay('2025-cut', head.slice(0, head.length / 2));
  lay('2025-another', head.replace('traintop capture 1', 'traintop capture 9'));
  lay('2025-list', '[1]');
  lay('2025-deep', '['.repeat(100_000));
  lay('2025-numbers', head.replace('"what": "record"', '"what": 3'));
  lay('2025-large', ' '.repeat(5 * 2 ** 20));
  mkdirSync(folderOf('2025-pipe'));
  execFileSync('mkfifo', [join(folderOf('2025-pipe'), 'capture.json')]);
  mkdirSync(folderOf('2025-link'));
  symlinkSync(join(path, 'capture.json'), join(folderOf('2025-link'), 'capture.json'));
  expect((await listCaptures(dataDir, at)).map(({ folder }) => folder)).toEqual([path]);
  await expect(openCapture(folderOf('2025-link'), at)).rejects.toThrow(/ELOOP/);
});

it('with hostile texts are made safe, and name no file elsewhere', async () => {
  const folder = await save();
  const evil = 'a\x1b]0;title\x07\x1b[2Jb\u202e';
  await folder.finish({ ...done, notes: [evil] }, [{ ...profile, command: evil }]);
  const path = join(folder.path, 'capture.json');
  const head = JSON.parse(readFileSync(path, 'utf8')) as object;
  const told = { ...head, id: evil, files: ['../../etc/passwd', '/etc/passwd', '.ssh', 'ok.txt'] };
  writeFileSync(path, JSON.stringify(told));
  const results = join(folder.path, 'results.jsonl');
  writeFileSync(results, `${readFileSync(results, 'utf8')}{"kind":"event"}\n{"cut`);
  const [kept] = await listCaptures(dataDir, at);
  const opened = await openCapture(folder.path, at);
  expect(JSON.stringify([kept, opened])).not.toMatch(/\\u001b|\u202e|\\u0007/);
  expect(kept?.capture.files).toEqual([join(folder.path, 'ok.txt')]);
  expect(opened.results).toHaveLength(1);
});

it('are written over nobody, and through no link', async () => {
  const folder = await save();
  const victim = join(dataDir, 'victim');
  writeFileSync(victim, 'mine');
  symlinkSync(victim, join(folder.path, 'results.jsonl'));
  await expect(folder.finish(done, [profile])).rejects.toThrow(/EEXIST/);
  expect(readFileSync(victim, 'utf8')).toBe('mine');
  // It says that it was not finished.
  expect(await listCaptures(dataDir, at + 600_000)).toMatchObject([{ capture: { state: 'failed' } }]);
  expect(lstatSync(folder.path).mode & 0o777).toBe(0o700);
});
