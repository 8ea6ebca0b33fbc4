import { createRunFolder, type RunFolder } from '../../src/recording/run-folder.ts';
import { waitFor } from '../support/waiting.ts';
import type { MadeRecorder } from './made-recorder.ts';

/** A folder on a disk that can be made to fail or to hang. */
export function badDisk(path: string): RunFolder & Disk {
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

/** What it can be made to do. */
export interface Disk {
  /** What every write is answered with. */
  fault: string | undefined;
  /** Bytes that are written all the same before. */
  takes: number;
  /** Until it is called, nothing is answered. */
  hang(): () => void;
}

/** What was pushed is in the file. */
export async function flushed(recorder: MadeRecorder) {
  const before = recorder.state().bytes;
  recorder.clock.advance(3000);
  await waitFor('a write', () => recorder.state().bytes > before);
}
