import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolders } from '../../config/make-folders.ts';
import { homeFolder } from '../../config/home.ts';

/** Where captures are kept: $XDG_DATA_HOME/traintop, by default ~/.local/share/traintop. */
export function defaultDataFolder(environment: NodeJS.ProcessEnv): string {
  const base = environment.XDG_DATA_HOME;
  // A relative XDG_DATA_HOME is invalid by the specification.
  return join(base?.startsWith('/') ? base : join(homeFolder(), '.local/share'), 'traintop');
}

interface Capture {
  readonly dataDir: string;
  readonly time: number;
  readonly host: string;
  readonly pid: number;
  readonly text: string;
}

/** Writes a capture for its owner's eyes only: stacks tell paths and names. Gives its path; rejects with the file system's error. */
export async function saveCapture({ dataDir, time, host, pid, text }: Capture): Promise<string> {
  const folder = join(dataDir, 'captures');
  await makeFolders(folder);
  const stamp = new Date(time).toISOString().replace(/[:.]/g, '-');
  const name = `${stamp}_${host.replace(/[^\w.@-]+/g, '-')}_${pid}`;
  for (let n = 1; ; n++) {
    const path = join(folder, `${name}${n === 1 ? '' : `_${n}`}.txt`);
    try {
      await writeFile(path, text, { mode: 0o600, flag: 'wx' });
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || n > 100) throw error;
    }
  }
}
