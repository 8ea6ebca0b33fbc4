import { constants } from 'node:fs';
import { link, lstat, mkdir, open, readdir, rename, rm, rmdir, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolders } from '../config/make-folders.ts';
import { recordingSuffix } from './format.ts';
import { lockName, writeLock } from './lock.ts';
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
  /** Adds to it: a kill takes it no more. What could not be added whole is taken back, and the part is closed. */
  append(bytes: Buffer): Promise<void>;
  /** Sees it onto the disk: a power cut takes it no more. */
  sync(): Promise<void>;
  /** After a last `sync`. */
  close(): Promise<void>;
}

/** When the wished name is taken, by another monitor of the same second, a number is added. */
const mostNames = 100;
/** Some file systems have no such thing (FUSE, 9p): there it is theirs when it is safe. */
const unsyncable = ['EINVAL', 'ENOSYS', 'ENOTSUP'];
const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_DIRECTORY } = constants;
const newFile = O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW;

/**
 * A folder with that path, or one beside it. It is made at the first part, and again when somebody has removed it; the lock comes after the
 * first write, which on a busy machine would be late otherwise. `write` adds the bytes to the file.
 */
export function createRunFolder(wanted: string, write = writeAll): RunFolder {
  let folder: string | undefined;
  let lockedFolder: string | undefined;
  let written = 0;

  /** Undefined: another's files lie there. */
  async function openIn(path: string, mostTries: number): Promise<PartFile | undefined> {
    for (let number = written + 1; number <= written + mostTries; number++) {
      const names = { path: join(path, nameOf(number)), newPath: join(path, `.${number}.new`) };
      // What somebody laid there stays there: a link is not followed.
      const file = await open(names.newPath, newFile, 0o600).catch(unless('EEXIST'));
      if (!file) continue;
      folder = path;
      const part = partFile({ ...names, file, number, write, onWritten: () => onWritten(path, number) });
      if (!(await exists(names.path))) return part;
      await part.close();
    }
    return undefined;
  }

  async function openAnew(): Promise<PartFile> {
    for (let n = 1; n <= mostNames; n++) {
      const path = n === 1 ? wanted : `${wanted}-${n}`;
      const part = (await makeFolder(path)) ? await openIn(path, 1) : undefined;
      if (part) return part;
    }
    throw Object.assign(new Error('all names are taken'), { code: 'EEXIST' });
  }

  async function onWritten(path: string, number: number) {
    written = number;
    if (lockedFolder === path) return;
    lockedFolder = path;
    // Without one it is safe for ten minutes after each write.
    await makeLock(join(path, lockName)).catch(() => {});
  }

  return {
    path: () => folder ?? wanted,
    async openPart() {
      const isThere = folder !== undefined && (await lstat(folder).catch(unless('ENOENT')))?.isDirectory();
      const part = folder !== undefined && isThere ? await openIn(folder, mostNames) : undefined;
      return part ?? openAnew();
    },
    async release() {
      if (folder === undefined) return;
      await rm(join(folder, lockName), { force: true });
      if (written === 0) await rmdir(folder);
    },
  };
}

/** True: it is there, ours and empty. */
async function makeFolder(path: string): Promise<boolean> {
  const make = () => mkdir(path, { mode: 0o700 });
  try {
    await make().catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      await makeFolders(dirname(path));
      await make();
    });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return (await lstat(path)).isDirectory() && (await readdir(path)).length === 0;
  }
}

async function makeLock(path: string) {
  const file = await open(path, newFile, 0o600);
  try {
    await writeLock(file);
  } finally {
    await file.close();
  }
}

interface PartInit {
  readonly file: FileHandle;
  readonly path: string;
  /** Its name until something is in it: nobody ever sees an empty part. */
  readonly newPath: string;
  readonly number: number;
  readonly write: typeof writeAll;
  readonly onWritten: () => Promise<void>;
}

function partFile({ file, path, newPath, number, write, onWritten }: PartInit): PartFile {
  let good = 0;
  let hasName = false;

  async function sync() {
    await file.datasync().catch(unless(...unsyncable));
    if (hasName) return;
    // After a power cut a new file has its name only if its folder, and that of a new folder, was seen onto the disk too.
    for (const folder of [dirname(path), dirname(dirname(path))]) await syncFolder(folder);
    hasName = true;
  }

  return {
    path,
    number,
    async append(bytes) {
      try {
        await write(file, bytes);
        if ((await file.stat()).nlink === 0) throw new RemovedFault(path);
        if (good === 0) await giveName(newPath, path);
        good += bytes.length;
      } catch (error) {
        // A member that is cut would be the reader's to skip.
        await file.truncate(good).catch(() => {});
        await file.close().catch(() => {});
        if (good === 0) await rm(newPath, { force: true }).catch(() => {});
        throw error;
      }
      await onWritten();
    },
    sync,
    async close() {
      try {
        if (good > 0) await sync();
      } finally {
        await file.close();
      }
      if (good === 0) await rm(newPath, { force: true });
    },
  };
}

/** Never over a file that is there. */
async function giveName(from: string, to: string) {
  try {
    await link(from, to);
  } catch (error) {
    // File systems without hard links.
    if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw error;
    return rename(from, to);
  }
  await rm(from);
}

function nameOf(part: number): string {
  return `${String(part).padStart(4, '0')}${recordingSuffix}`;
}

async function writeAll(file: FileHandle, bytes: Buffer) {
  for (let at = 0; at < bytes.length;) at += (await file.write(bytes, at)).bytesWritten;
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(unless('ENOENT'))) !== undefined;
}

async function syncFolder(path: string) {
  const folder = await open(path, O_RDONLY | O_DIRECTORY).catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close().catch(() => {});
}

function unless(...codes: readonly string[]) {
  return (error: NodeJS.ErrnoException): undefined => {
    if (!codes.includes(error.code ?? '')) throw error;
    return undefined;
  };
}
