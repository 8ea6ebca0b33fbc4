import { constants } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
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
}

/** What stands in the lock of this process. */
export async function lockText(): Promise<string> {
  const [, started] = await statOf(process.pid);
  const lock: Lock = { pid: process.pid, host: hostname(), ...(started !== undefined && { started }) };
  return `${JSON.stringify(lock)}\n`;
}

/**
 * Whether somebody writes there. A recording that was closed has no lock. One whose process was killed has, and so has one that is
 * written in another container or on another machine over NFS, whose process cannot be seen from here: `quiet`, ms since anything was
 * written, tells those apart.
 */
export async function isWritten(lockPath: string, quiet: number): Promise<boolean> {
  const text = await readLock(lockPath);
  if (text === undefined) return false;
  const lock = parse(text);
  if (lock?.host !== hostname()) return quiet < quietMs.elsewhere;
  return (await runs(lock)) || quiet < quietMs.here;
}

async function readLock(path: string): Promise<string | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(1000), 0, 1000, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : '';
  }
}

function parse(text: string): Lock | undefined {
  try {
    const { pid, host, started } = JSON.parse(text) as Partial<Record<keyof Lock, unknown>>;
    if (!Number.isSafeInteger(pid) || Number(pid) < 1 || typeof host !== 'string') return undefined;
    return { pid: Number(pid), host, ...(typeof started === 'string' && { started }) };
  } catch {
    return undefined;
  }
}

async function runs({ pid, started }: Lock): Promise<boolean> {
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
