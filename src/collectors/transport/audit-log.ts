import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rename, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolders } from '../../config/make-folders.ts';
import { homeFolder } from '../../config/home.ts';

/** A file of JSON lines for its owner's eyes only. Nothing that goes wrong with it ever reaches who writes. */
export interface AuditLog {
  readonly path: string;
  /** Appends one line, in order, later. `text` is written once a file, in a line of its own, and named here by its hash. */
  record(entry: Readonly<Record<string, unknown>>, text?: string): void;
  /** Resolves when all is written, or cannot be. */
  flush(): Promise<void>;
  /** How many lines were written by us and how many could not be, and why the last of these. */
  state(): AuditState;
}

/** How an AuditLog fares. */
export interface AuditState {
  readonly written: number;
  readonly lost: number;
  readonly fault?: string;
}

/** Larger than this the file is put aside, in place of the one before: so they never take more than twice as much. */
const defaultLimitBytes = 2 * 1024 * 1024;
/** A file system that hangs holds up nobody, and fills no memory. */
const mostPending = 200;

/** Where traintop keeps its state: $XDG_STATE_HOME/traintop, by default ~/.local/state/traintop. */
export function defaultStateFolder(environment: NodeJS.ProcessEnv): string {
  const base = environment.XDG_STATE_HOME;
  // A relative one is invalid by the specification.
  return join(base?.startsWith('/') ? base : join(homeFolder(), '.local/state'), 'traintop');
}

/** The log in `folder`; nothing is written, or made, before the first record. */
export function createAuditLog(folder: string, limitBytes = defaultLimitBytes): AuditLog {
  const path = join(folder, 'audit.jsonl');
  let queue = Promise.resolve();
  let pending = 0;
  let written = 0;
  let lost = 0;
  let fault: string | undefined;
  /** Another process may put the file aside too: then its texts went with it. */
  let inode: number | undefined;
  let texts = new Set<string>();
  let cut = false;

  async function append(entry: Readonly<Record<string, unknown>>, text: string | undefined) {
    const file = await openFile();
    try {
      const hash = text === undefined ? undefined : hashOf(text);
      const isNew = hash !== undefined && !texts.has(hash);
      const lines = [
        ...(isNew ? [{ event: 'text', hash, text }] : []),
        { ...entry, ...(hash !== undefined && { hash }) },
      ];
      // A line that was cut (the disk was full) is ended, so that it spoils no other.
      const before = cut ? '\n' : '';
      cut = true;
      await file.appendFile(before + lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      cut = false;
      if (isNew) texts.add(hash);
      written += lines.length;
    } finally {
      await file.close();
    }
  }

  async function openFile(): Promise<FileHandle> {
    await makeFolders(folder);
    let file = await openPrivate(path);
    let { ino, size } = await file.stat();
    if (size > limitBytes) {
      await file.close();
      await rename(path, `${path}.1`);
      file = await openPrivate(path);
      ({ ino, size } = await file.stat());
    }
    if (ino !== inode) texts = new Set();
    inode = ino;
    return file;
  }

  return {
    path,
    record(entry, text) {
      if (pending >= mostPending) {
        lost++;
        fault ??= 'it takes too long to write';
        return;
      }
      pending++;
      queue = queue
        .then(() => append(entry, text))
        .catch((error: unknown) => {
          lost++;
          fault = error instanceof Error ? error.message : String(error);
        })
        .then(() => void pending--);
    },
    flush: () => queue,
    state: () => ({ written, lost, ...(fault !== undefined && { fault }) }),
  };
}

/** Not through a link, whoever laid it there; a pipe without a reader does not hold us up. */
async function openPrivate(path: string): Promise<FileHandle> {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    if (((await file.stat()).mode & 0o077) !== 0) await file.chmod(0o600);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
