import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Writes a file for its owner alone: never over one that is there, nor through a link. Rejects with the file system's error. */
export async function writeNew(path: string, text: string): Promise<void> {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const file = await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    await file.writeFile(text);
  } finally {
    await file.close();
  }
}
