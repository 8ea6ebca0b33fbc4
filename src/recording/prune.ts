import { constants } from 'node:fs';
import { lstat, open, readdir, rm, rmdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { nameInFolder, recordingSuffix } from './format.ts';
import { readHeader } from './header-line.ts';
import { isWritten, lockName } from './lock.ts';
import { headLength, readHead, unpackMember } from './member.ts';

/** What may lie in the folder of all recordings. */
export interface KeepLimits {
  /** Of all that nobody else writes; the oldest parts go first. Infinity: no limit. */
  readonly bytes: number;
  /** Since a recording was last written. One that is written is never too old. */
  readonly ms: number;
}

interface Init {
  /** The folder of all recordings. */
  readonly base: string;
  /** The part that is written by who asks: its recording is not too old, and that file stays. */
  readonly own: string;
  readonly limits: KeepLimits;
  /** Epoch ms, of this machine. */
  readonly now: number;
}

interface Part {
  readonly path: string;
  readonly bytes: number;
  readonly changedAt: number;
}

interface Found {
  readonly folder: string;
  readonly isOwn: boolean;
  readonly changedAt: number;
  readonly parts: readonly Part[];
}

/** Nothing that was touched just now is removed, whatever else speaks for it: somebody may be about to begin there. */
const freshMs = 600_000;
/** As the commands name a recording; one that the user gave another name, or a longer one, stays. */
const folderName = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d_(?<target>.+)$/;
/** A first member is some 10 kB. */
const mostFirst = 1024 * 1024;
const partName = new RegExp(`^\\d{4,6}${recordingSuffix.replaceAll('.', '\\.')}$`);

/**
 * Removes old recordings: of what is ours by name, owner and content, and is not written by another traintop. Resolves with a
 * sentence when something could not be removed; the rest was.
 */
export async function prune({ base, own, limits, now }: Init): Promise<string | undefined> {
  let fault: string | undefined;
  const attempt = async <T>(path: string, act: (path: string) => Promise<T>): Promise<T | undefined> => {
    try {
      return await act(path);
    } catch (error) {
      const { code = (error as Error).message } = error as NodeJS.ErrnoException;
      // Another traintop was faster, or the user.
      if (code !== 'ENOENT') fault ??= `Old recordings could not be removed: ${path} (${code}).`;
      return undefined;
    }
  };
  const names = (await attempt(base, (path) => readdir(path))) ?? [];
  const found: Found[] = [];
  for (const name of names.filter((name) => folderName.test(name))) {
    const one = await attempt(join(base, name), (folder) => lookIn(folder, { own, now }));
    if (one) found.push(one);
  }
  const isOld = ({ isOwn, changedAt }: Found) => !isOwn && now - changedAt > limits.ms;
  const [old, kept] = [found.filter(isOld), found.filter((each) => !isOld(each))];
  const doomed = [...old.flatMap(({ parts }) => parts), ...oldestOver(limits.bytes, kept)];
  for (const { path, changedAt } of doomed)
    if (path !== own && now - changedAt > freshMs && (await attempt(path, isOurs)))
      await attempt(path, (path) => rm(path));
  for (const { folder, isOwn, changedAt } of found)
    if (!isOwn && now - changedAt > freshMs) await attempt(folder, removeEmpty);
  return fault;
}

/** Undefined: it may not be touched. */
async function lookIn(folder: string, { own, now }: Pick<Init, 'own' | 'now'>): Promise<Found | undefined> {
  if (!(await isOurFolder(folder))) return undefined;
  const parts = await partsIn(folder);
  if (parts[0] && !(await hasItsName(folder, parts[0].path))) return undefined;
  // The folder's own time is that of the last part that was taken away.
  const times = parts.length > 0 ? parts.map((part) => part.changedAt) : [(await lstat(folder)).mtimeMs];
  const changedAt = Math.max(...times);
  const isOwn = own.startsWith(join(folder, '/'));
  if (!isOwn && (await isWritten(join(folder, lockName), now - changedAt))) return undefined;
  return { folder, isOwn, changedAt, parts };
}

async function isOurFolder(path: string): Promise<boolean> {
  const stat = await lstat(path);
  return stat.isDirectory() && stat.uid === process.getuid?.();
}

/** The folder's name ends with the target that its parts tell, or with a number behind that. Where they tell none any name will do. */
async function hasItsName(folder: string, part: string): Promise<boolean> {
  const target = await targetOf(part).catch(() => undefined);
  if (target === undefined) return true;
  const name = folderName.exec(basename(folder))?.groups?.['target'] ?? '';
  const own = nameInFolder(target);
  return name === own || (name.startsWith(own) && /^-\d{1,3}$/.test(name.slice(own.length)));
}

async function targetOf(part: string): Promise<string | undefined> {
  const file = await open(part, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(mostFirst), 0, mostFirst, 0);
    const [first = ''] = unpackMember(buffer.subarray(0, bytesRead));
    return readHeader(first, part).target;
  } finally {
    await file.close();
  }
}

async function partsIn(folder: string): Promise<readonly Part[]> {
  const parts: Part[] = [];
  for (const name of await readdir(folder)) {
    if (!partName.test(name)) continue;
    const path = join(folder, name);
    const stat = await lstat(path);
    if (stat.isFile()) parts.push({ path, bytes: stat.size, changedAt: stat.mtimeMs });
  }
  return parts;
}

/** The oldest parts, without which the rest is within the limit. */
function oldestOver(limit: number, found: readonly Found[]): readonly Part[] {
  const parts = found.flatMap((each) => each.parts).sort((a, b) => b.changedAt - a.changedAt);
  let sum = 0;
  return parts.filter(({ bytes }) => (sum += bytes) > limit);
}

/** A file of that name that does not begin as a recording is somebody's. */
async function isOurs(path: string): Promise<boolean> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headLength), 0, headLength, 0);
    return bytesRead === 0 || readHead(buffer.subarray(0, bytesRead)) !== undefined;
  } finally {
    await file.close();
  }
}

/** A folder without parts, with what is left there of who was killed at most. */
async function removeEmpty(folder: string) {
  const names = await readdir(folder);
  const isLeft = (name: string) => name === lockName || /^\.\d+\.new$/.test(name);
  if (!names.every(isLeft)) return;
  for (const name of names) await rm(join(folder, name), { force: true });
  await rmdir(folder);
}
