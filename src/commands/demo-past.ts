import { rmSync } from 'node:fs';
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../clock.ts';
import type { Options } from '../config/options.ts';
import { isWritten, lockName } from '../recording/lock.ts';

/** Where the past of a demo is that nobody asked to record. */
export interface DemoPast {
  readonly record: NonNullable<Options['record']>;
  /** Takes it away. */
  remove(): void;
}

const prefix = 'traintop-demo-';
/** Days of the demo; as many as fit. */
const mostBytes = 128 * 2 ** 20;
/** Younger ones may be about to begin. */
const oldMs = 600_000;

/** A folder of its own that goes with the process, and with the next one where this one is killed. Undefined where none can be made. */
export async function demoPast(): Promise<DemoPast | undefined> {
  void removeLeft().catch(() => {});
  const folder = await mkdtemp(join(tmpdir(), prefix)).catch(() => undefined);
  if (folder === undefined) return undefined;
  const remove = () => {
    process.off('exit', remove);
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // The next demo does.
    }
  };
  process.on('exit', remove);
  return { record: { folder, bytes: mostBytes, ms: Infinity }, remove };
}

/** What a demo that was killed has left. */
async function removeLeft() {
  const now = systemClock.now();
  for (const name of await readdir(tmpdir())) {
    if (!/^traintop-demo-[A-Za-z0-9]{6}$/.test(name)) continue;
    const folder = join(tmpdir(), name);
    const { uid, mtimeMs } = await lstat(folder);
    if (uid !== process.getuid?.() || now - mtimeMs < oldMs) continue;
    const inside = await readdir(folder);
    const written = await Promise.all(inside.map((each) => isWritten(join(folder, each, lockName), now - mtimeMs)));
    if (!written.includes(true)) await rm(folder, { recursive: true, force: true });
  }
}
