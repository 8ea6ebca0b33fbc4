import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createRunFolder } from '../../src/recording/run-folder.ts';
import { waitFor } from '../support/waiting.ts';
import { badDisk, flushed } from './bad-disk.ts';
import { loadsOf, makeRecorder, partPath, partsIn } from './made-recorder.ts';

const home = mkdtempSync(join(tmpdir(), 'traintop-faults-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

let folder: string;
let count = 0;
beforeEach(() => {
  folder = join(home, `runs/run-${++count}`);
});

test.runIf(process.platform === 'linux')(
  'a folder that cannot be made at all is a fault, and no search without end',
  async () => {
    // A recursive mkdir of Node spins there.
    await expect(createRunFolder('/proc/no-such/runs/run').openPart()).rejects.toMatchObject({ code: 'ENOENT' });
  },
);

describe('a disk that does not take it', () => {
  test.each([
    ['ENOSPC', 'disk full', /the disk is full/],
    ['EROFS', 'read-only disk', /the file system is read-only/],
    ['EDQUOT', 'quota used up', /quota/],
    ['EACCES', 'no permission', /may not write/],
    ['EIO', 'disk error', /EIO/],
    ['EWHATEVER', 'disk error', /EWHATEVER/],
  ])('%s is said, and when it is over a new part begins and says what is missing', async (code, short, sentence) => {
    const disk = badDisk(folder);
    const recorder = makeRecorder(disk);
    recorder.load(0);
    await flushed(recorder);
    disk.fault = code;
    recorder.load(1);
    recorder.clock.advance(3000);
    await waitFor('the fault', () => recorder.state().fault);
    expect(recorder.state()).toMatchObject({ faultShort: short, fault: expect.stringMatching(sentence) });
    recorder.load(2);
    // It is tried again after ten seconds, in vain at first. The last reason is told in the recording.
    disk.fault = 'EOTHER';
    recorder.diskClock.advance(10_000);
    recorder.load(3);
    recorder.clock.advance(3000);
    await waitFor('the second try', () => recorder.state().fault?.includes('EOTHER'));
    disk.fault = undefined;
    recorder.diskClock.advance(10_000);
    recorder.load(4);
    recorder.clock.advance(3000);
    await waitFor('the end of the fault', () => recorder.state().fault === undefined);
    expect(recorder.events.map(({ event, text }) => `${event}: ${text}`)).toEqual([
      'recording gap: Nothing was recorded for 9 s (disk error): 3 Samples are missing here.',
    ]);
    await recorder.close();
    expect([loadsOf(folder, 1), loadsOf(folder, 2)]).toEqual([[0], [4]]);
    expect(readdirSync(folder)).toEqual(['0001.jsonl.gz', '0002.jsonl.gz']);
  });

  test('what was cut is taken back', async () => {
    const disk = badDisk(folder);
    const recorder = makeRecorder(disk);
    recorder.load(0);
    await flushed(recorder);
    const before = readFileSync(partPath(folder, 1));
    disk.fault = 'ENOSPC';
    disk.takes = 30;
    recorder.load(1);
    recorder.clock.advance(3000);
    await waitFor('the fault', () => recorder.state().fault);
    expect(readFileSync(partPath(folder, 1))).toEqual(before);
    await recorder.close();
  });

  test('in its fdatasync alone is a fault too, and a new part begins', async () => {
    const inner = createRunFolder(folder);
    const sync = () => Promise.reject(Object.assign(new Error('i/o error'), { code: 'EIO' }));
    const openPart = async () => {
      const part = await inner.openPart();
      return part.number === 1 ? { ...part, sync } : part;
    };
    const recorder = makeRecorder({ ...inner, openPart });
    recorder.load(0);
    recorder.clock.advance(3000);
    await waitFor('the fault', () => recorder.state().faultShort === 'disk error');
    recorder.load(1);
    recorder.diskClock.advance(10_000);
    recorder.load(2);
    await recorder.close();
    expect([loadsOf(folder, 1), loadsOf(folder, 2)]).toEqual([[0], [2]]);
  });
});

describe('what others do to its files', () => {
  test('two monitors of one second take two folders', async () => {
    const [one, two] = [makeRecorder(folder), makeRecorder(folder)];
    one.load(1);
    two.load(2);
    await Promise.all([one.close(), two.close()]);
    const third = makeRecorder(folder);
    third.load(3);
    await third.close();
    expect([folder, `${folder}-2`, `${folder}-3`].map((path) => loadsOf(path))).toEqual(
      expect.arrayContaining([[1], [2], [3]]),
    );
  });

  test('a link in the place of the folder, or of the part, is not followed', async () => {
    const outside = join(home, `outside-${count}`);
    mkdirSync(outside);
    mkdirSync(join(home, 'runs'), { recursive: true });
    symlinkSync(outside, folder);
    const recorder = makeRecorder(folder);
    recorder.load(1);
    await recorder.close();
    expect(readdirSync(outside)).toEqual([]);
    expect(loadsOf(`${folder}-2`)).toEqual([1]);

    const victim = join(outside, 'victim');
    writeFileSync(victim, 'mine');
    const other = makeRecorder(join(home, `runs/other-${count}`));
    other.load(1);
    await flushed(other);
    symlinkSync(victim, partPath(join(home, `runs/other-${count}`), 2));
    other.clock.advance(12 * 3_600_000);
    other.load(2);
    await other.close();
    expect(readFileSync(victim, 'utf8')).toBe('mine');
    expect(loadsOf(join(home, `runs/other-${count}`), 3)).toEqual([2]);
  });

  test.each(['the file', 'the folder', 'all folders'])(
    '%s is removed: it goes on in a new one, and says so',
    async (what) => {
      const recorder = makeRecorder(folder);
      recorder.load(0);
      await flushed(recorder);
      const gone =
        { 'the file': partPath(folder, 1), 'the folder': folder, 'all folders': join(home, 'runs') }[what] ?? '';
      rmSync(gone, { recursive: true });
      recorder.load(1);
      recorder.clock.advance(3000);
      await waitFor('the fault', () => recorder.state().faultShort === 'file removed');
      // At once: nothing is waited for.
      recorder.load(2);
      recorder.clock.advance(3000);
      await waitFor('a new file', () => recorder.state().fault === undefined);
      await recorder.close();
      expect(recorder.events.map(({ text }) => text)).toEqual([expect.stringContaining('(file removed): 1 Samples')]);
      expect(partsIn(folder).map((name) => loadsOf(folder, Number.parseInt(name, 10)))).toEqual([[2]]);
    },
  );

  test('a file where the folder of all is to be', async () => {
    writeFileSync(join(home, `file-${count}`), '');
    const recorder = makeRecorder(join(home, `file-${count}`, 'run'));
    recorder.load(0);
    await recorder.close();
    expect(recorder.state()).toMatchObject({ faultShort: 'no folder' });
  });

  test('a state that cannot be written reaches nobody', async () => {
    const recorder = makeRecorder(folder, {
      save() {
        throw new Error('no state');
      },
    });
    recorder.load(0);
    expect(recorder.state().fault).toMatch(/no state/);
    await recorder.close();
    expect(existsSync(folder)).toBe(false);
  });
});
