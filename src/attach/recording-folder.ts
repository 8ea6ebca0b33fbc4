import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { recordingSuffix } from '../recording/format.ts';
import { limits } from '../recording/limits.ts';

/** The files of the recording that a watch makes, for screens that go back in it. All rejects with a sentence. */
export interface RecordingFolder {
  list(): Promise<readonly string[]>;
  size(name: string): Promise<number>;
  /** As many bytes as there are, at most `length`. */
  read(name: string, offset: number, length: number): Promise<Buffer>;
}

/** Of the folder as it is called then; only parts of a recording in it are read. `flush` writes what is gathered. */
export function recordingFolder(folder: () => string | undefined, flush: () => Promise<unknown>): RecordingFolder {
  const here = () => {
    const path = folder();
    if (path === undefined) throw new Error('Nothing is recorded yet');
    return path;
  };
  const isPart = (name: string) => name.endsWith(recordingSuffix) && !name.startsWith('.') && !/[/\0]/.test(name);

  async function use<T>(name: string, fn: (file: Awaited<ReturnType<typeof open>>) => Promise<T>): Promise<T> {
    if (!isPart(name)) throw new Error('There is no such file in the recording');
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
    const file = await open(join(here(), name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      return await fn(file);
    } finally {
      await file.close();
    }
  }

  return {
    async list() {
      await flush();
      return (await readdir(here())).filter(isPart).sort().slice(0, limits.files.value);
    },
    size: (name) => use(name, async (file) => (await file.stat()).size),
    read: (name, offset, length) =>
      use(name, async (file) => {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
        return buffer.subarray(0, bytesRead);
      }),
  };
}
