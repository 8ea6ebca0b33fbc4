import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { UsageFault } from '../config/check-options.ts';
import type { InputFile } from '../import/files.ts';
import { safeText } from '../model/text.ts';
import type { FileOptions } from './import-options.ts';
import { sameFile } from './same-file.ts';

/** The files of an import; each can be read more than once. */
export interface Inputs {
  readonly files: readonly InputFile[];
  /** Removes what pipes had to be kept in. */
  close(): Promise<void>;
}

/** The end of its path that no other has. */
function nameOf(path: string, files: FileOptions['files']): string {
  if (path === '-') return 'standard input';
  const parts = resolve(path).split(sep);
  const others = files.filter((file) => file.path !== path).map((file) => resolve(file.path).split(sep));
  for (let count = 1; count < parts.length; count++) {
    const end = parts.slice(-count).join('/');
    if (others.every((other) => other.slice(-count).join('/') !== end)) return safeText(end);
  }
  return safeText(path);
}

/** Looks at all files. What can be read only once (a pipe, standard input) is kept in a file of ours. Rejects with a UsageFault. */
export async function openInputs(
  { files, output }: Pick<FileOptions, 'files'> & { readonly output?: string },
  signal: AbortSignal,
): Promise<Inputs> {
  let folder: string | undefined;
  const close = async () => {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  };
  async function keep(path: string, number: number): Promise<string> {
    folder ??= await mkdtemp(join(tmpdir(), 'traintop-import-'));
    const kept = join(folder, String(number));
    await pipeline(path === '-' ? process.stdin : createReadStream(path), createWriteStream(kept, { mode: 0o600 }), {
      signal,
    });
    return kept;
  }
  try {
    const opened: InputFile[] = [];
    for (const [number, { kind, path }] of files.entries()) {
      const name = nameOf(path, files);
      if (path === '-') {
        opened.push({ kind, name, path: await keep(path, number) });
        continue;
      }
      if (output !== undefined && (resolve(path) === resolve(output) || (await sameFile(output, [path])) !== undefined))
        throw new UsageFault(`-o ${name} would write over what is imported: take another name.`);
      const found = await stat(path);
      if (kind === 'stacks' && !found.isDirectory())
        throw new UsageFault(`--stacks ${name} is no folder: give the folder of the dumps.`);
      if (kind !== 'stacks' && found.isDirectory())
        throw new UsageFault(`--${kind} ${name} is a folder: give a file in it.`);
      // A pipe ends; what /dev/zero says would be kept until the disk is full.
      if (found.isCharacterDevice() || found.isBlockDevice())
        throw new UsageFault(`--${kind} ${name} is a device: give a file, or - for standard input.`);
      if (found.isFile() || found.isDirectory())
        opened.push({ kind, name, path, modifiedAt: Math.round(found.mtimeMs) });
      else opened.push({ kind, name, path: await keep(path, number) });
    }
    return { files: opened, close };
  } catch (error) {
    await close();
    if (error instanceof UsageFault) throw error;
    const { code, path, message } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'does not exist' : `cannot be read (${message})`;
    throw new UsageFault(`${safeText(path ?? 'A file')} ${why}.`);
  }
}
