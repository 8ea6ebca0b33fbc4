import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { importFiles } from '../../src/commands/import.ts';
import { readImportOptions } from '../../src/commands/import-options.ts';
import { fixtures } from './imported.ts';

const other = (name: string) => join(fixtures, 'other', name);
const gpu = (name: string) => join('test/fixtures/gpu', name);
const situation = (name: string) => join(fixtures, 'h200/nccl_hang', name);

let folder: string;
let output: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'traintop-import-test-'));
  output = join(folder, 'made.jsonl.gz');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const make = (raw: Record<string, unknown>) => importFiles(readImportOptions({ output, ...raw }), async () => {});

/** The option, the file and the sentence. */
const refused: readonly (readonly [string, string, RegExp])[] = [
  // Another kind that is read: its option is named.
  ['top', situation('gpm.txt.gz'), /^gpm\.txt\.gz belongs to --dmon, not to --top\.$/],
  ['dmon', situation('smi250.csv.gz'), /belongs to --nvidia-smi, not to --dmon\.$/],
  ['stat', situation('top.txt.gz'), /belongs to --top, not to --stat\.$/],
  ['pidstat', situation('stat.txt.gz'), /belongs to --stat, not to --pidstat\.$/],
  ['nvidiaSmi', 'test/fixtures/threads/pidstat-12.6.1-t-h-H.txt', /belongs to --pidstat, not to --nvidia-smi\.$/],
  ['log', situation('smi250.csv.gz'), /belongs to --nvidia-smi, not to --log\.$/],
  ['top', situation('train.log'), /has no frame of top -H\.$/],
  ['dmon', situation('train.log'), /^--dmon train\.log is not the output of nvidia-smi dmon\.$/],
  ['stat', situation('train.log'), /is not the output of rounds of \/proc\/PID\/task/],
  // Kinds that are not read: what to save instead.
  ['top', other('busybox-top-1.35-H.txt'), /is BusyBox's top, .* save \/proc\/PID\/task\/\*\/stat \(--stat\)\.$/],
  ['top', other('top-4.0.2-H-de.txt'), /another language than English, .*run it with LC_ALL=C/],
  ['top', other('top-4.0.2-H-fr.txt'), /another language than English, .*run it with LC_ALL=C/],
  ['top', other('top-4.0.2-process.txt'), /its rows are processes: run top with -H/],
  ['nvidiaSmi', gpu('table.txt'), /is the table of plain nvidia-smi: save nvidia-smi --query-gpu=/],
  ['nvidiaSmi', other('q-x.xml.gz'), /is nvidia-smi -q, a single moment: save/],
  ['nvidiaSmi', gpu('apps-header.txt'), /is nvidia-smi --query-compute-apps, of which nothing is read/],
  ['nvidiaSmi', gpu('query-bad-field.txt'), /holds only what nvidia-smi said of a field that it does not know\.$/],
  ['dmon', other('pmon.txt'), /is nvidia-smi pmon, .*save nvidia-smi dmon \(--dmon\)\.$/],
  ['stat', other('procstat.txt'), /without the lines `== EPOCH` before each round/],
  ['pidstat', other('pidstat-12.6.1-t.txt'), /times of day for the eye: save LC_ALL=C pidstat -t -h -H -u/],
  ['pidstat', other('pidstat-12.6.1-t-de.txt'), /times of day for the eye/],
  ['log', join(fixtures, 'saved/stacks/dump-467-1.json'), /give the folder in which it lies to --stacks\.$/],
  // What would have to be guessed.
  ['nvidiaSmi', gpu('query-once.txt'), /has no header line, and its 19 columns may be anything .*--nvidia-smi-fields/],
  ['nvidiaSmi', gpu('query-loop-200ms.txt'), /has no header line, and its 6 columns may be anything/],
  ['nvidiaSmi', gpu('query-legacy-names.txt'), /no column that tells one GPU from another: ask for index/],
  // No file of its kind at all.
  ['stacks', situation('train.log'), /is no folder: give the folder of the dumps\.$/],
  ['stacks', join(fixtures, 'h200/nccl_hang'), /has no dump of py-spy: one is called dump-PID-N\.json/],
  ['log', '/dev/zero', /^--log zero is a device: give a file, or - for standard input\.$/],
  ['log', fixtures, /is a folder: give a file in it\.$/],
  ['top', join(fixtures, 'not-there.txt'), /not-there\.txt does not exist\.$/],
];

test.each(refused)('--%s %s', async (option, path, sentence) => {
  await expect(make({ [option]: option === 'log' ? [path] : path })).rejects.toThrow(sentence);
  expect(await readdir(folder)).toEqual([]);
});

test('a program, noise and a log of NULs are no text', async () => {
  const path = join(folder, 'noise');
  for (const bytes of [await readFile(process.execPath).then((all) => all.subarray(0, 65_536)), Buffer.alloc(5000)]) {
    await writeFile(path, bytes);
    await expect(make({ log: [path] })).rejects.toThrow('--log noise is no text.');
    await expect(make({ top: path })).rejects.toThrow('--top noise is no text.');
  }
});

test('nothing given, and nothing in what is given', async () => {
  await expect(async () => make({})).rejects.toThrow(/^There is nothing to import: give a file with --top/);
  await expect(async () => make({ output: undefined, log: ['x'] })).rejects.toThrow(/^--output is missing: -o FILE/);
  await expect(async () => make({ log: ['-', '-'] })).rejects.toThrow('Only one file can come from standard input');
  await expect(async () => make({ log: ['x'], utcOffset: '2' })).rejects.toThrow(/^--utc-offset is like \+02:00/);
  await expect(async () => make({ log: ['x'], date: '2026-02-31x' })).rejects.toThrow(/^--date is like/);
  const empty = join(folder, 'empty');
  await writeFile(empty, '');
  await expect(make({ top: empty, nvidiaSmi: empty })).rejects.toThrow('There is nothing in these files');
  expect(await readdir(folder)).toEqual(['empty']);
});

test('a file that is there is not written over, nor through a link', async () => {
  await writeFile(output, 'mine');
  await expect(make({ top: situation('top.txt.gz') })).rejects.toThrow(
    /is there already: take another name, or --force/,
  );
  expect(await readFile(output, 'utf8')).toBe('mine');

  await make({ top: situation('top.txt.gz'), force: true });
  expect((await stat(output)).mode & 0o777).toBe(0o600);
  expect((await readFile(output)).readUInt16BE(0)).toBe(0x1f8b);

  const target = join(folder, 'target');
  await writeFile(target, 'theirs');
  await symlink(target, join(folder, 'link'));
  await expect(make({ top: situation('top.txt.gz'), output: join(folder, 'link') })).rejects.toThrow(
    /is there already/,
  );
  await make({ top: situation('top.txt.gz'), output: join(folder, 'link'), force: true });
  expect(await readFile(target, 'utf8')).toBe('theirs');
  await expect(make({ top: situation('top.txt.gz'), output: join(folder, 'no/where') })).rejects.toThrow(
    /cannot be written/,
  );
});

test('what is imported is not written over', async () => {
  const log = join(folder, 'train.log');
  await writeFile(log, '[13:00:00] step 1\n');
  await expect(make({ log: [log], output: log, force: true })).rejects.toThrow('would write over what is imported');
  const link = join(folder, 'link.log');
  await symlink(log, link);
  await expect(make({ log: [link], output: log, force: true })).rejects.toThrow('would write over what is imported');
  expect(await readFile(log, 'utf8')).toContain('step 1');
});

test('an import that was killed does not stand in the way of the next one, in a container where PIDs are the same', async () => {
  await writeFile(`${output}.${process.pid}.part`, '');
  await make({ top: situation('top.txt.gz') });
  await make({ top: situation('top.txt.gz'), force: true });
});

test('an output that cannot be begun leaves nothing at its name', async () => {
  const long = join(folder, 'x'.repeat(250));
  await expect(make({ top: situation('top.txt.gz'), output: long })).rejects.toThrow(
    /cannot be written \(ENAMETOOLONG/,
  );
  expect(await readdir(folder)).toEqual([]);
});

test('of a failed import with --force the file before is still there', async () => {
  await writeFile(output, 'mine');
  await expect(make({ top: other('top-4.0.2-H-de.txt'), force: true })).rejects.toThrow();
  expect(await readFile(output, 'utf8')).toBe('mine');
  expect(await readdir(folder)).toEqual(['made.jsonl.gz']);
});
