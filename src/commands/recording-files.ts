import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { recordingSuffix } from '../recording/format.ts';
import { isWritten, lockName } from '../recording/lock.ts';

/** The files of a recording, as its folder has them. */
export interface RecordingFiles {
  readonly bytes: number;
  readonly parts: number;
  /** Numbers of parts that are not there, with later ones that are. */
  readonly missing: readonly number[];
  /** Parts before the first that is there: older ones are removed to make room. */
  readonly removed: number;
  /** `cut`: it was never closed, and nobody writes there. `unknown`: of a file without its folder. */
  readonly end: 'closed' | 'written' | 'cut' | 'unknown';
  /** When something was last written, epoch ms. */
  readonly writtenAt: number;
}

/** Looks at the files only, not into them. `now` is epoch ms. Rejects with the file system's errors. */
export async function recordingFiles(path: string, now: number): Promise<RecordingFiles> {
  const at = await lstat(path);
  if (!at.isDirectory())
    return { bytes: at.size, parts: 1, missing: [], removed: 0, end: 'unknown', writtenAt: at.mtimeMs };
  const names = await readdir(path);
  const parts = names.filter((name) => name.endsWith(recordingSuffix)).sort();
  const stats = await Promise.all(parts.map((name) => lstat(join(path, name))));
  const numbers = parts.map((name) => Number.parseInt(name, 10)).filter(Number.isSafeInteger);
  const writtenAt = Math.max(...stats.map(({ mtimeMs }) => mtimeMs), 0);
  const isLocked = names.includes(lockName);
  return {
    bytes: stats.reduce((sum, { size }) => sum + size, 0),
    parts: parts.length,
    missing: missingOf(numbers),
    removed: numbers.length > 0 ? Math.max(0, Math.min(...numbers) - 1) : 0,
    end: !isLocked ? 'closed' : (await isWritten(join(path, lockName), now - writtenAt)) ? 'written' : 'cut',
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
