import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder for its owner alone, and those above it; one that is there stays as it is. As a recursive mkdir, which never ends
 * (Node 20 to 24) where a folder cannot be made in one that is there, as in /proc. Rejects with the file system's error.
 */
export async function makeFolders(path: string): Promise<void> {
  try {
    await make(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolders(dirname(path));
    await make(path);
  }
}

async function make(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}
