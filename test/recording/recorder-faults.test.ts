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
import { createRunFolder, type RunFolder } from '../../src/recording/run-folder.ts';
import { waitFor } from '../support/waiting.ts';
import { loadsOf, makeRecorder, partPath, partsIn, start, type MadeRecorder } from './made-recorder.ts';

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
});

describe('a disk that hangs', () => {
  test('holds up nobody, is told of, and loses nothing if it comes back soon', async () => {
    const disk = badDisk(folder);
    const recorder = makeRecorder(disk);
    recorder.load(0);
    await flushed(recorder);
    const release = disk.hang();
    recorder.seconds(20);
    recorder.diskClock.advance(10_000);
    await waitFor('the word', () => recorder.state().faultShort === 'disk hangs');
    release();
    await waitFor('the end', () => recorder.state().fault === undefined);
    await recorder.close();
    expect(loadsOf(folder)).toHaveLength(21);
    expect(recorder.events).toEqual([]);
  });

  test('costs a bound of memory, and is said when it is back', async () => {
    const disk = badDisk(folder);
    const recorder = makeRecorder(disk);
    recorder.load(0);
    await flushed(recorder);
    const release = disk.hang();
    const text = 'x'.repeat(100_000);
    for (let i = 0; i < 1000; i++) {
      recorder.push({ kind: 'mark', host: 'gpu7', source: 'user', time: start, receivedAt: start + i, text });
    }
    expect(recorder.state().faultShort).toBe('disk too slow');
    release();
    await waitFor('the end', () => !recorder.state().fault || recorder.events.length > 0);
    recorder.load(7);
    await recorder.close();
    const [event] = recorder.events;
    const missing = Number(/: (\d+) Samples/.exec(event?.text ?? '')?.[1]);
    // 16 MB were kept.
    expect(missing).toBeGreaterThan(800);
    expect(missing).toBeLessThan(850);
    expect(loadsOf(folder, 2)).toEqual([7]);
  });

  test('is none where one member alone is larger than what may wait', async () => {
    const recorder = makeRecorder(folder);
    recorder.load(0);
    await flushed(recorder);
    const text = 'x'.repeat(17_000_000);
    recorder.push({ kind: 'mark', host: 'gpu7', source: 'user', time: start, receivedAt: start, text });
    expect(recorder.state().fault).toBeUndefined();
    recorder.load(1);
    await recorder.close();
    expect(loadsOf(folder)).toEqual([0, 1]);
    expect(recorder.events).toEqual([]);
  });

  test('in its fdatasync alone keeps nothing from the file', async () => {
    const inner = createRunFolder(folder);
    const never = new Promise<void>(() => {});
    const recorder = makeRecorder({
      ...inner,
      openPart: async () => ({ ...(await inner.openPart()), sync: () => never }),
    });
    for (let i = 0; i < 3; i++) {
      recorder.load(i);
      await flushed(recorder);
    }
    expect(loadsOf(folder)).toEqual([0, 1, 2]);
    expect(recorder.state().fault).toBeUndefined();
    const closed = recorder.close();
    await waitFor('the lock', () => !readdirSync(folder).includes('.lock'));
    recorder.diskClock.advance(2000);
    await closed;
  });

  test('in its fdatasync until the part is over loses nothing', async () => {
    const inner = createRunFolder(folder);
    let release = () => {};
    const isClosed = new Promise<void>((resolve) => (release = resolve));
    const recorder = makeRecorder({
      ...inner,
      async openPart() {
        const part = await inner.openPart();
        if (part.number > 1) return part;
        return {
          ...part,
          sync: () => isClosed.then(() => part.sync()),
          async close() {
            await part.close();
            release();
            await new Promise(setImmediate);
          },
        };
      },
    });
    recorder.load(0);
    await flushed(recorder);
    recorder.clock.advance(12 * 3_600_000);
    recorder.load(1);
    await recorder.close();
    expect(recorder.state().fault).toBeUndefined();
    expect([loadsOf(folder, 1), loadsOf(folder, 2)]).toEqual([[0], [1]]);
  });

  test('does not hold up who leaves', async () => {
    const disk = badDisk(folder);
    const recorder = makeRecorder(disk);
    recorder.load(0);
    await flushed(recorder);
    const release = disk.hang();
    recorder.load(1);
    const closed = recorder.close();
    await new Promise(setImmediate);
    recorder.diskClock.advance(2000);
    await closed;
    expect(recorder.state()).toMatchObject({ isStuck: true });
    release();
    await waitFor('the end', () => loadsOf(folder).length === 2);
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
      recorder.diskClock.advance(10_000);
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

/** A folder on a disk that can be made to fail or to hang. */
function badDisk(path: string): RunFolder & Disk {
  let wait = Promise.resolve();
  const disk: Disk = {
    fault: undefined,
    takes: 0,
    hang() {
      let release = () => {};
      wait = new Promise((resolve) => (release = resolve));
      return release;
    },
  };
  const folder = createRunFolder(path, async (file, bytes) => {
    await wait;
    const { fault } = disk;
    if (fault === undefined) return file.appendFile(bytes);
    await file.appendFile(bytes.subarray(0, disk.takes));
    throw Object.assign(new Error(fault), { code: fault });
  });
  return Object.assign(disk, folder);
}

interface Disk {
  /** What every write is answered with. */
  fault: string | undefined;
  /** Bytes that are written all the same before. */
  takes: number;
  /** Until it is called, nothing is answered. */
  hang(): () => void;
}

async function flushed(recorder: MadeRecorder) {
  const before = recorder.state().bytes;
  recorder.clock.advance(3000);
  await waitFor('a write', () => recorder.state().bytes > before);
}
