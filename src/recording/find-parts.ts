import { constants, type Dirent, type Stats } from 'node:fs';
import { lstat, open, readdir, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { systemClock } from '../clock.ts';
import { fileSource, type RecordingFiles } from './byte-source.ts';
import { limits } from './limits.ts';
import { lockName, writerOf } from './lock.ts';
import { RecordingFault } from './recording-fault.ts';

/** The files of one recording, in order. */
export interface Parts {
  /** The folder, or the one file. */
  readonly path: string;
  readonly files: readonly string[];
}

const partPattern = /^(\d{4,9})\.jsonl(?:\.gz)?$/;

/**
 * What a user may name: a file, the folder of a recording, or a folder of such folders, of which the last by name is meant that has a
 * file (names begin with the time). Rejects with a RecordingFault.
 */
export async function findParts(path: string): Promise<Parts> {
  const found = await about(path);
  if (!found.isDirectory()) return { path, files: [path] };
  const entries = await entriesOf(path);
  const parts = partsIn(path, entries);
  if (parts.length > 0) return { path, files: parts };
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  for (const name of folders.sort().reverse()) {
    const folder = join(path, name);
    const inside = partsIn(folder, await entriesOf(folder));
    if (inside.length > 0) return { path: folder, files: inside };
  }
  throw new RecordingFault(
    `${path} has no recording in it: name a file that ends in .jsonl.gz, or the folder that it is in.`,
  );
}

/** Who writes on another machine is seen by what comes: a member every three seconds. */
const elsewhereMs = 60_000;

/** The files of what a user may name, on this machine. Rejects with a RecordingFault. */
export async function filesOf(wanted: string): Promise<RecordingFiles> {
  const { path } = await findParts(wanted);
  return {
    path,
    list: async () => (await findParts(path)).files,
    open: async (name) => fileSource(await openPart(name)),
    async isWritten() {
      try {
        const last = (await findParts(path)).files.at(-1) ?? path;
        const quiet = systemClock.now() - (await stat(last)).mtimeMs;
        const writer = await writerOf(join(dirname(last), lockName), quiet);
        return writer === 'here' || (writer === 'elsewhere' && quiet < elsewhereMs);
      } catch {
        return false;
      }
    },
  };
}

/** Opens a regular file, and nothing else: no link is followed, and no pipe is waited for. Rejects with a RecordingFault. */
async function openPart(path: string): Promise<FileHandle> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: unknown) => fail(path, error));
  const found = await file.stat();
  if (found.isFile()) return file;
  await file.close();
  return fail(path, found);
}

async function about(path: string): Promise<Stats> {
  const found = await lstat(path).catch((error: unknown) => fail(path, error));
  return found.isFile() || found.isDirectory() ? found : fail(path, found);
}

async function entriesOf(path: string): Promise<readonly Dirent[]> {
  return readdir(path, { withFileTypes: true }).catch((error: unknown) => fail(path, error));
}

function partsIn(folder: string, entries: readonly Dirent[]): readonly string[] {
  const names = entries.flatMap(({ name }) => (partPattern.test(name) ? [name] : []));
  if (names.length > limits.files.value)
    throw new RecordingFault(
      `${folder} has ${names.length} files of a recording: at most ${limits.files.value} are read.`,
    );
  return names.sort((a, b) => parseInt(a, 10) - parseInt(b, 10)).map((name) => join(folder, name));
}

/** The sentence: what it is or what the system said, and what to do. */
function fail(path: string, why: unknown): never {
  const { code, message } = why as NodeJS.ErrnoException;
  if (code === 'ENOENT') throw new RecordingFault(`There is no ${path}: name a recording's file or folder.`);
  if (code === 'ENOTDIR') throw new RecordingFault(`There is no ${path}: a part of that path is a file, not a folder.`);
  if (code === 'EACCES' || code === 'EPERM')
    throw new RecordingFault(`${path} may not be read by this user: recordings are their owner's (mode 0600).`);
  if (code === 'ELOOP' || (why as Partial<Stats>).isSymbolicLink?.())
    throw new RecordingFault(
      `${path} is a symbolic link, and none is followed: name the file or folder that it leads to.`,
    );
  if (code !== undefined && code !== 'ENXIO') throw new RecordingFault(`${path} cannot be read: ${message}.`);
  throw new RecordingFault(`${basename(path)} is ${kindOf(why as Stats)}: a recording is a regular file.`);
}

function kindOf(found: Partial<Stats>): string {
  if (found.isDirectory?.()) return 'a folder';
  if (found.isFIFO?.()) return 'a pipe';
  if (found.isSocket?.()) return 'a socket';
  return found.isBlockDevice?.() || found.isCharacterDevice?.() ? 'a device' : 'no file that can be read';
}
