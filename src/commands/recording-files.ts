import { lstat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { RecordingEnd } from '../doctor/recording-findings.ts';
import { findParts } from '../recording/find-parts.ts';
import { lockName, writerOf } from '../recording/lock.ts';
import { RecordingFault } from '../recording/recording-fault.ts';

/** The files of a recording, as its folder has them. */
export interface RecordingFiles {
  readonly bytes: number;
  readonly parts: number;
  /** Numbers of parts that are not there, with later ones that are. */
  readonly missing: readonly number[];
  /** Parts before the first that is there: older ones are removed to make room. */
  readonly removed: number;
  readonly end: RecordingEnd;
  /** When something was last written, epoch ms. */
  readonly writtenAt: number;
}

const ends = { none: 'closed', here: 'written', elsewhere: 'elsewhere', gone: 'cut' } as const;

/** Looks at the files only, not into them. `now` is epoch ms. Rejects with a RecordingFault where there are none. */
export async function recordingFiles(path: string, now: number): Promise<RecordingFiles> {
  const { files, path: folder } = await findParts(path);
  if (folder !== path) throw new RecordingFault(`${path} has recordings in folders of its own.`);
  const stats = await Promise.all(files.map((file) => lstat(file)));
  const writtenAt = Math.max(...stats.map(({ mtimeMs }) => mtimeMs));
  const bytes = stats.reduce((sum, { size }) => sum + size, 0);
  const isFile = files[0] === path;
  if (isFile) return { bytes, parts: 1, missing: [], removed: 0, end: 'unknown', writtenAt };
  const lock = join(path, lockName);
  const numbers = files.map((file) => Number.parseInt(basename(file), 10));
  return {
    bytes,
    parts: files.length,
    missing: missingOf(numbers),
    removed: Math.max(0, Math.min(...numbers) - 1),
    end: ends[await writerOf(lock, now - writtenAt)],
    writtenAt,
  };
}

/** Between the first and the last. */
function missingOf(numbers: readonly number[]): readonly number[] {
  const known = new Set(numbers);
  const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
  const missing: number[] = [];
  for (let number = first; number < last && missing.length < 1000; number++)
    if (!known.has(number)) missing.push(number);
  return missing;
}
