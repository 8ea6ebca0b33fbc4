import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultStateFolder } from '../collectors/transport/audit-log.ts';
import { makeFolders } from '../config/make-folders.ts';
import { nameInFolder } from '../recording/format.ts';

/** A socket's path has no more bytes (sun_path of Linux; macOS has four less). */
export const longestSocketPath = 103;

/**
 * Where watches may leave what tells of them, the best first: beside the recordings, then where a login session has its own, then
 * in /tmp. The first that can be made is taken, so that all watches of a user meet there.
 */
export function watchesFolders(environment: NodeJS.ProcessEnv): readonly string[] {
  return [join(defaultStateFolder(environment), 'watches'), ...runtimeFolders(environment)];
}

/** Those that are surely on this machine, for sockets: a home on NFS has none. */
export function runtimeFolders(environment: NodeJS.ProcessEnv): readonly string[] {
  const uid = process.getuid?.() ?? 0;
  const own = environment.XDG_RUNTIME_DIR;
  const runtime = own?.startsWith('/') ? own : `/run/user/${uid}`;
  return [join(runtime, 'traintop/watches'), `/tmp/traintop-${uid}/watches`];
}

/** Makes it for its owner alone. Rejects where it is somebody else's, or others may look in: in /tmp anybody makes folders. */
export async function makeOwn(folder: string): Promise<void> {
  await makeFolders(folder);
  const isTemporary = folder.startsWith('/tmp/');
  for (const path of isTemporary ? [join(folder, '..'), folder] : [folder]) {
    const found = await lstat(path);
    const isOurs = found.isDirectory() && found.uid === (process.getuid?.() ?? found.uid);
    if (!isOurs || (found.mode & 0o077) !== 0) throw new Error(`${path} is not for its owner alone`);
  }
}

/** What a watch is of: two that are the same in all of it are one watch too many. */
export interface WatchIdentity {
  /** As it was resolved: `user@host:port`, or this machine's own name. */
  readonly place: string;
  readonly wrap?: string;
  readonly pid?: number;
  readonly match?: string;
}

/** The name of a watch: of its target, and a few signs of all that it is of. */
export function watchName(target: string, identity: WatchIdentity): string {
  return `${nameInFolder(target).slice(0, 40)}-${hashOf(JSON.stringify(identity)).slice(0, 6)}`;
}

/** For a folder's name. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
