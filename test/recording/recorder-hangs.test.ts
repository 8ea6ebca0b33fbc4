import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createRunFolder } from '../../src/recording/run-folder.ts';
import { waitFor } from '../support/waiting.ts';
import { badDisk, flushed } from './bad-disk.ts';
import { loadsOf, makeRecorder, start } from './made-recorder.ts';

const home = mkdtempSync(join(tmpdir(), 'traintop-hangs-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

let folder: string;
let count = 0;
beforeEach(() => {
  folder = join(home, `runs/run-${++count}`);
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
