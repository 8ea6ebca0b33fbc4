import { constants } from 'node:fs';
import { open, readFile, type FileHandle } from 'node:fs/promises';
import { hostname } from 'node:os';

/** Beside the parts while they are written: who writes them. */
export const lockName = '.lock';

/** Who is told dead by the machine itself is given this long; who writes on another machine, that long. */
const quietMs = { here: 600_000, elsewhere: 86_400_000 };

interface Lock {
  readonly pid: number;
  readonly host: string;
  /** Of that process, in ticks since the boot; absent where /proc does not tell. */
  readonly started?: string;
  /** Which boot of that machine; absent as above. */
  readonly boot?: string;
  /** Of the lock's own file: a copy of it has another. */
  readonly inode?: number;
}

/** Where /proc tells no more than a number, a process is the writer only if it wrote just now: a member comes every three seconds. */
const justNowMs = 60_000;

/** Writes the lock of this process into a file that was opened for it. */
export async function writeLock(file: FileHandle): Promise<void> {
  const [, started] = await statOf(process.pid);
  const boot = await bootOf();
  const lock: Lock = {
    ...{ pid: process.pid, host: hostname(), inode: (await file.stat()).ino },
    ...(started !== undefined && { started }),
    ...(boot !== undefined && { boot }),
  };
  await file.writeFile(`${JSON.stringify(lock)}\n`);
}

/**
 * Who writes there, for people: `here` only where that is sure. `gone`: it was never closed, and who wrote it ended, or this is a copy.
 * `elsewhere`: it is another machine's, or another container's, whose processes cannot be seen from here. `quiet` as for `isWritten`.
 */
export async function writerOf(lockPath: string, quiet: number): Promise<'none' | 'here' | 'elsewhere' | 'gone'> {
  const found = await readLock(lockPath);
  if (found === undefined) return 'none';
  const lock = parse(found.text);
  if (!lock) return 'gone';
  if (lock.host !== hostname()) return 'elsewhere';
  if (lock.inode !== undefined && lock.inode !== found.inode) return 'gone';
  if (!(await runs(lock))) return 'gone';
  return lock.boot !== undefined && lock.started !== undefined ? 'here' : quiet < justNowMs ? 'here' : 'gone';
}

/**
 * Whether somebody may write there, for who would remove it: in doubt, yes. A recording that was closed has no lock. One whose process was killed has, and so has one that is
 * written in another container or on another machine over NFS, whose process cannot be seen from here: `quiet`, ms since anything was
 * written, tells those apart.
 */
export async function isWritten(lockPath: string, quiet: number): Promise<boolean> {
  const found = await readLock(lockPath);
  if (found === undefined) return false;
  const lock = parse(found.text);
  if (lock?.host !== hostname()) return quiet < quietMs.elsewhere;
  return (await runs(lock)) || quiet < quietMs.here;
}

async function readLock(path: string): Promise<{ readonly text: string; readonly inode?: number } | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(1000), 0, 1000, 0);
      return { text: buffer.toString('utf8', 0, bytesRead), inode: (await file.stat()).ino };
    } finally {
      await file.close();
    }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : { text: '' };
  }
}

function parse(text: string): Lock | undefined {
  try {
    const { pid, host, started, boot, inode } = JSON.parse(text) as Partial<Record<keyof Lock, unknown>>;
    if (!Number.isSafeInteger(pid) || Number(pid) < 1 || typeof host !== 'string') return undefined;
    return {
      ...{ pid: Number(pid), host },
      ...(typeof started === 'string' && { started }),
      ...(typeof boot === 'string' && { boot }),
      ...(typeof inode === 'number' && { inode }),
    };
  } catch {
    return undefined;
  }
}

async function runs({ pid, started, boot }: Lock): Promise<boolean> {
  // The ticks of `started` begin anew with each boot, and so do the numbers.
  if (boot !== undefined && boot !== ((await bootOf()) ?? boot)) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const [state = '', now] = await statOf(pid);
  if (state === 'Z' || state === 'X') return false;
  // Another process may have its number now.
  return started === undefined || now === undefined || now === started;
}

/** State and start (in ticks since the boot) of a process; none where there is no /proc. */
async function statOf(pid: number): Promise<readonly [state?: string, started?: string]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined);
  // The command before is in brackets, and may have spaces.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields?.[19] === undefined ? [] : [fields[0] ?? '', fields[19]];
}

async function bootOf(): Promise<string | undefined> {
  return (await readFile('/proc/sys/kernel/random/boot_id', 'latin1').catch(() => undefined))?.trim();
}
