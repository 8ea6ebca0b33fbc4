import { lstat, mkdir, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolders } from '../../config/make-folders.ts';
import { writeNew } from '../../config/write-new.ts';
import type { BlackBoxSample } from '../../model/samples.ts';

/** Boxes on this machine: a folder each, of its owner's alone. */
export interface BoxSaver {
  /** Makes the folder of one, and says in it that it is not finished. Rejects with the file system's error. */
  open(begin: BlackBoxSample): Promise<BoxFolder>;
}

/** The folder of one box. All reject with the file system's error. */
export interface BoxFolder {
  readonly path: string;
  /** A file more; never over one that is there. */
  write(name: string, text: string): Promise<void>;
  /** How the box is now. */
  head(box: BlackBoxSample): Promise<void>;
}

/** As many are kept, and as many bytes: the oldest go first. */
const mostBoxes = 40;
const mostBytes = 64 * 1024 * 1024;
const headName = 'box.json';
/** Files that are ours to remove. */
const ownFile = /^(?:box\.json|\.box\.json\.new|verdict\.json|[a-z-]{3,20}(?:-\d+)?\.txt)$/;
const ownFolder = /^\d{4}-\d\d-\d\dT[\d-]+Z_/;
/** When the wished name is taken, a number is added. */
const mostNames = 100;

/** Keeps boxes in `black-boxes` of the data folder. */
export function createBoxSaver(dataDir: string): BoxSaver {
  const parent = join(dataDir, 'black-boxes');
  return {
    async open(begin) {
      await makeFolders(parent);
      const path = await makeNamed(join(parent, nameOf(begin)));
      await writeNew(join(path, headName), headText(begin));
      await removeOld(parent).catch(() => {}); // what cannot be removed stays, and is no reason to keep nothing
      return {
        path,
        write: (name, text) => writeNew(join(path, name), text),
        async head(box) {
          const next = join(path, `.${headName}.new`);
          await rm(next, { force: true });
          await writeNew(next, headText(box));
          await rename(next, join(path, headName));
        },
      };
    },
  };
}

function headText(box: BlackBoxSample): string {
  const { id, host, reason, alarm, state, startedAt, endedAt, captures, parts, notes } = box;
  const told = parts.map(({ lines: _, ...part }) => part);
  return `${JSON.stringify({ traintop: 'black box', version: 1, id, host, reason, alarm, state, startedAt, endedAt, captures, notes, parts: told }, undefined, 2)}\n`;
}

function nameOf({ startedAt, host, reason }: BlackBoxSample): string {
  const stamp = new Date(startedAt).toISOString().replace(/[:.]/g, '-');
  const why = reason
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-|-$/g, '');
  return `${stamp}_${host.replace(/[^\w.@-]+/g, '-').slice(0, 80)}_${why}`;
}

async function makeNamed(wanted: string): Promise<string> {
  for (let n = 1; ; n++) {
    const path = n === 1 ? wanted : `${wanted}_${n}`;
    try {
      await mkdir(path, { mode: 0o700 });
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || n >= mostNames) throw error;
    }
  }
}

/** Folders that have a head of ours; in them the files that are. Whatever else is there stays, and its folder with it. */
async function removeOld(parent: string): Promise<void> {
  const names = (await readdir(parent)).filter((name) => ownFolder.test(name)).sort();
  const boxes: { readonly path: string; readonly files: readonly string[]; readonly bytes: number }[] = [];
  for (const name of names) {
    const path = join(parent, name);
    if (!(await lstat(path)).isDirectory() || !(await isOurs(path))) continue;
    const files = (await readdir(path)).filter((file) => ownFile.test(file));
    const sizes = await Promise.all(files.map(async (file) => (await lstat(join(path, file))).size));
    boxes.push({ path, files, bytes: sizes.reduce((sum, size) => sum + size, 0) });
  }
  let bytes = boxes.reduce((sum, box) => sum + box.bytes, 0);
  // The newest is the one that begins.
  for (let i = 0; i < boxes.length - 1; i++) {
    const box = boxes[i];
    if (!box || (boxes.length - i <= mostBoxes && bytes <= mostBytes)) return;
    for (const file of box.files) await rm(join(box.path, file), { force: true });
    await rmdir(box.path).catch(() => {});
    bytes -= box.bytes;
  }
}

async function isOurs(path: string): Promise<boolean> {
  try {
    const head = join(path, headName);
    if (!(await lstat(head)).isFile()) return false;
    return (JSON.parse(await readFile(head, 'utf8')) as { readonly traintop?: unknown }).traintop === 'black box';
  } catch {
    return false;
  }
}
