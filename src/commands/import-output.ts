import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { UsageFault } from '../config/check-options.ts';
import { safeText } from '../model/text.ts';
import type { ImportOptions } from './import-options.ts';

/** A file that is there only when it is whole, for its owner alone. All of it rejects with a UsageFault. */
export interface Output {
  write(member: Buffer): Promise<void>;
  bytes(): number;
  /** It is whole. */
  keep(): Promise<void>;
  /** Takes away what is not. */
  close(): Promise<void>;
}

/** Begins to write beside the name that is wanted, which is taken at once, so that nothing comes between. */
export async function openOutput({ output, force }: Pick<ImportOptions, 'output' | 'force'>): Promise<Output> {
  const { O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW } = constants;
  const flags = O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW;
  // Not by our PID: in a container it is the same after each start, and a killed one left its own there.
  const beside = `${output}.${randomBytes(4).toString('hex')}.part`;
  let bytes = 0;
  let isKept = false;
  const tried = async <T>(what: Promise<T>): Promise<T> =>
    what.catch((error: unknown) => Promise.reject(faultOf(error, output)));
  if (!force) await tried(open(output, flags, 0o600).then((file) => file.close()));
  const untake = async () => void (force || (await rm(output, { force: true })));
  const file = await tried(open(beside, flags, 0o600)).catch(async (error: unknown) => {
    await untake();
    throw error;
  });
  return {
    async write(member) {
      await tried(file.appendFile(member));
      bytes += member.length;
    },
    bytes: () => bytes,
    async keep() {
      await tried(file.sync());
      await tried(rename(beside, output));
      isKept = true;
    },
    async close() {
      await file.close();
      if (isKept) return;
      await rm(beside, { force: true });
      await untake();
    },
  };
}

function faultOf(error: unknown, output: string): UsageFault {
  const { code, message } = error as NodeJS.ErrnoException;
  const shown = safeText(output);
  if (code === 'EEXIST')
    return new UsageFault(`${shown} is there already: take another name, or --force to write it anew.`);
  return new UsageFault(`${shown} cannot be written (${message}).`);
}
