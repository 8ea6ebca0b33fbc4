import { watchFileName } from '../collectors/attach-scripts.ts';
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { link, open, readFile, rename, rm, rmdir, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { safeText } from '../model/text.ts';
import { lockName, writeLock, writerOf } from '../recording/lock.ts';
import { makeOwn } from './places.ts';

/** What tells of a watch to whoever looks for it: `watch.json` in a folder of its own. */
export interface WatchFile {
  readonly name: string;
  readonly pid: number;
  readonly machine: string;
  readonly startedAt: number;
  readonly target: string;
  readonly wrap?: string | undefined;
  readonly demo: boolean;
  readonly traintop: string;
  /** Absent where it could not listen. */
  readonly socket?: string | undefined;
  /** How `traintop` is started there: what attaches over a host that forwards no sockets runs it. */
  readonly node: string;
  readonly program: string;
  /** The folder of the recording. */
  readonly recording?: string | undefined;
}

// Another machine's file is shown on this terminal.
const text = z.string().max(4096).transform(safeText);
const schema = z.object({
  ...{ name: text, pid: z.int().positive(), machine: text, startedAt: z.number(), target: text, demo: z.boolean() },
  ...{ wrap: text.optional(), traintop: text, socket: text.optional(), node: text, program: text },
  recording: text.optional(),
});

/** What a file says; undefined: it is none. */
export function parseWatchFile(text: string): WatchFile | undefined {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** A folder that is this process's, until it lets it go or ends, however it ends. */
export interface HeldFolder {
  readonly folder: string;
  /** Tells of the watch, and that it lives. */
  write(file: WatchFile): Promise<void>;
  /** Says that it still lives, for who shares the folder from another machine, or has no /proc. */
  touch(now: number): Promise<void>;
  release(): Promise<void>;
}

/** Held by another: who, as far as that is known. */
export type Held = { readonly by: WatchFile | undefined };

/** A watch on another machine (the folder is on NFS) cannot be seen: it says twice a minute that it lives. */
const elsewhereMs = 180_000;

/** Takes the folder, or says who has it. `now`: of this machine. Rejects with the file system's errors. */
export async function holdFolder(folder: string, now: number): Promise<HeldFolder | Held> {
  await makeOwn(folder);
  const path = join(folder, lockName);
  for (let tries = 0; tries < 5; tries++) {
    if (await makeLock(path)) return heldFolder(folder);
    if (await isHeld(folder, now)) return { by: await readWatchFile(folder) };
    await putAside(path);
  }
  return { by: await readWatchFile(folder) };
}

/** Whether a living process has it. */
export async function isHeld(folder: string, now: number): Promise<boolean> {
  const told = await stat(join(folder, watchFileName)).catch(() => stat(join(folder, lockName)).catch(() => undefined));
  const quiet = told ? now - told.mtimeMs : Infinity;
  const writer = await writerOf(join(folder, lockName), quiet);
  return writer === 'here' || (writer === 'elsewhere' && quiet < elsewhereMs);
}

/** What is told there of a watch, which may be gone. */
export async function readWatchFile(folder: string): Promise<WatchFile | undefined> {
  const found = await readFile(join(folder, watchFileName), 'utf8').catch(() => '');
  return parseWatchFile(found.slice(0, 64 * 1024));
}

async function makeLock(path: string): Promise<boolean> {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  try {
    // Nobody ever sees one that is not written whole: it would be taken for a dead one's.
    const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
    const file = await open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    try {
      await writeLock(file);
      await link(draft, path);
    } finally {
      await file.close();
      await rm(draft, { force: true });
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Takes a dead one's lock away. Of two that do so at once, one finds that it has the other's new one in its hands, and gives it back. */
async function putAside(path: string) {
  const aside = `${path}.old.${process.pid}.${randomBytes(4).toString('hex')}`;
  await rename(path, aside).catch(() => {});
  const writer = await writerOf(aside, 0);
  if (writer === 'here') await link(aside, path).catch(() => {});
  await rm(aside, { force: true });
}

function heldFolder(folder: string): HeldFolder {
  const path = join(folder, watchFileName);
  return {
    folder,
    async write(file) {
      const draft = `${path}.${process.pid}`;
      const handle = await open(draft, 'w', 0o600);
      try {
        await handle.writeFile(`${JSON.stringify(file)}\n`);
      } finally {
        await handle.close();
      }
      await rename(draft, path);
    },
    touch: (now) => utimes(path, now / 1000, now / 1000),
    async release() {
      await rm(path, { force: true });
      await rm(join(folder, lockName), { force: true });
      await rmdir(folder).catch(() => {});
    },
  };
}
