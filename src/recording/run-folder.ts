import { constants } from 'node:fs';
import { lstat, mkdir, open, rm, rmdir, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { recordingSuffix } from './format.ts';
import { lockName, lockText } from './lock.ts';
import { RemovedFault } from './write-fault.ts';

/** Where the parts of one recording go. All rejects with the file system's errors. */
export interface RunFolder {
  /** As it was wished for, until it is made. */
  readonly path: () => string;
  /** Begins the next part. Its number is used up only when something is in it. */
  openPart(): Promise<PartFile>;
  /** Says that nobody writes there any more, and takes away a folder in which nothing was written. */
  release(): Promise<void>;
}

/** A part that is written. */
export interface PartFile {
  readonly path: string;
  /** From 1. */
  readonly number: number;
  /** Adds to it and sees it onto the disk. What could not be added whole is taken back, and the part is closed. */
  append(bytes: Buffer): Promise<void>;
  close(): Promise<void>;
}

/** When the wished name is taken, by another monitor of the same second, a number is added. */
const mostNames = 100;
const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_DIRECTORY } = constants;
const newFile = O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW;

/**
 * A folder with that path, or one beside it. It is made at the first part, and again when somebody has removed it. `write` adds the bytes to
 * the file.
 */
export function createRunFolder(wanted: string, write = writeAll): RunFolder {
  let folder: string | undefined;
  let written = 0;

  async function claim(): Promise<string> {
    await mkdir(dirname(wanted), { recursive: true, mode: 0o700 });
    for (let n = 1; n <= mostNames; n++) {
      const path = n === 1 ? wanted : `${wanted}-${n}`;
      if (await take(path)) return path;
    }
    throw Object.assign(new Error('all names are taken'), { code: 'EEXIST' });
  }

  /** False: it is another's. */
  async function take(path: string): Promise<boolean> {
    await mkdir(path, { mode: 0o700 }).catch(unless('EEXIST'));
    if (!(await lstat(path)).isDirectory()) return false;
    if (await exists(join(path, nameOf(1)))) return false;
    const lock = await open(join(path, lockName), newFile, 0o600).catch(unless('EEXIST'));
    if (!lock) return false;
    try {
      await lock.writeFile(await lockText());
    } finally {
      await lock.close();
    }
    await syncFolder(dirname(path));
    return true;
  }

  return {
    path: () => folder ?? wanted,
    async openPart() {
      if (folder === undefined || !(await isFolder(folder))) folder = await claim();
      for (let number = written + 1; ; number++) {
        const path = join(folder, nameOf(number));
        // What somebody laid there stays there: a link is not followed.
        const file = await open(path, newFile, 0o600).catch(number < written + mostNames ? unless('EEXIST') : fail);
        if (!file) continue;
        await syncFolder(folder);
        return partFile({ file, path, number, write, onWritten: () => (written = number) });
      }
    },
    async release() {
      if (folder === undefined) return;
      await rm(join(folder, lockName), { force: true });
      if (written === 0) await rmdir(folder);
    },
  };
}

interface PartInit {
  readonly file: FileHandle;
  readonly path: string;
  readonly number: number;
  readonly write: typeof writeAll;
  readonly onWritten: () => void;
}

function partFile({ file, path, number, write, onWritten }: PartInit): PartFile {
  let good = 0;
  return {
    path,
    number,
    async append(bytes) {
      try {
        await write(file, bytes);
        await sync(file);
        if ((await file.stat()).nlink === 0) throw new RemovedFault(path);
        good += bytes.length;
        onWritten();
      } catch (error) {
        // A member that is cut would be the reader's to skip.
        await file.truncate(good).catch(() => {});
        await file.close().catch(() => {});
        if (good === 0) await rm(path, { force: true }).catch(() => {});
        throw error;
      }
    },
    async close() {
      await file.close();
      if (good === 0) await rm(path, { force: true });
    },
  };
}

function nameOf(part: number): string {
  return `${String(part).padStart(4, '0')}${recordingSuffix}`;
}

async function writeAll(file: FileHandle, bytes: Buffer) {
  for (let at = 0; at < bytes.length;) at += (await file.write(bytes, at)).bytesWritten;
}

/** Some file systems have no such thing (FUSE, 9p): there it is theirs when it is safe. */
async function sync(file: FileHandle) {
  await file.datasync().catch(unless('EINVAL', 'ENOSYS', 'ENOTSUP'));
}

/** After a power cut a new file has its name only if its folder was seen onto the disk too. */
async function syncFolder(path: string) {
  const folder = await open(path, O_RDONLY | O_DIRECTORY).catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close().catch(() => {});
}

async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(unless('ENOENT')))?.isDirectory() ?? false;
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(unless('ENOENT'))) !== undefined;
}

function fail(error: NodeJS.ErrnoException): never {
  throw error;
}

function unless(...codes: readonly string[]) {
  return (error: NodeJS.ErrnoException): undefined => {
    if (!codes.includes(error.code ?? '')) throw error;
    return undefined;
  };
}
