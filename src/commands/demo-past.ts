import { rmSync } from 'node:fs';
import { lstat, mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../clock.ts';
import type { Options } from '../config/options.ts';
import { isWritten, lockName, writeLock } from '../recording/lock.ts';

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
  await lock(folder).catch(() => {});
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

/** Says who uses it, from before anything is recorded there. */
async function lock(folder: string) {
  const file = await open(join(folder, lockName), 'wx', 0o600);
  await writeLock(file).finally(() => file.close());
}

/** What demos that were killed have left; what cannot be looked at or removed stays, and no other for it. */
async function removeLeft() {
  const names = (await readdir(tmpdir())).filter((name) => /^traintop-demo-[A-Za-z0-9]{6}$/.test(name));
  for (const name of names) await removeIfLeft(join(tmpdir(), name)).catch(() => {});
}

async function removeIfLeft(folder: string) {
  const about = await lstat(folder);
  const quiet = systemClock.now() - about.mtimeMs;
  if (!about.isDirectory() || about.uid !== process.getuid?.() || quiet < oldMs) return;
  if (!(await isWritten(join(folder, lockName), quiet))) await rm(folder, { recursive: true, force: true });
}
