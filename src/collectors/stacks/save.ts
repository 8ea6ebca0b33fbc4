import { mkdtemp, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../clock.ts';
import { homeFolder } from '../../config/home.ts';
import { makeFolders } from '../../config/make-folders.ts';
import { writeNew } from '../../config/write-new.ts';
import type { CaptureResult, CaptureSample } from '../../model/samples.ts';
import type { Run } from '../../model/run.ts';
import { safeText } from '../../model/text.ts';
import { savedNames } from '../../model/saved-capture.ts';
import { rawFiles, type SavedFile } from './saved-files.ts';
import { headText, resultsText } from './saved-head.ts';

/** Where captures are kept: $XDG_DATA_HOME/traintop, by default ~/.local/share/traintop. */
export function defaultDataFolder(environment: NodeJS.ProcessEnv): string {
  const base = environment.XDG_DATA_HOME;
  // A relative XDG_DATA_HOME is invalid by the specification.
  return join(base?.startsWith('/') ? base : join(homeFolder(), '.local/share'), 'traintop');
}

/** Begins to keep a capture: makes its folder, and says in it that it is not finished. Rejects with the file system's error. */
export type SaveCapture = (begin: CaptureSample) => Promise<CaptureFolder>;

/** A capture that is being kept. */
export interface CaptureFolder {
  readonly path: string;
  /** Writes what came, and then that it is finished. Without results nothing stays. Gives the files' paths. */
  finish(end: CaptureSample, results: readonly CaptureResult[]): Promise<readonly string[]>;
}

/** Where to keep captures, and what of. */
export interface SaverOptions {
  /** See defaultDataFolder; `captures` is made in it. */
  readonly dataDir: string;
  readonly run: () => Run | undefined;
  /** What is written for reading beside what traintop itself reads; the best first. */
  readonly files?: (capture: CaptureSample, results: readonly CaptureResult[]) => readonly SavedFile[];
}

/** When the wished name is taken, a number is added. */
const mostNames = 100;

/** Keeps captures in folders of their owner's alone: stacks tell paths and names. */
export function createSaver({ dataDir, run, files = () => [] }: SaverOptions): SaveCapture {
  return async (begin) => {
    const watched = run();
    const path = await makeFolder(join(dataDir, 'captures'), begin, headText(begin, watched, []));
    return {
      path,
      async finish(end, results) {
        if (results.length === 0) {
          await rm(join(path, savedNames.head));
          await rmdir(path);
          return [];
        }
        const written: string[] = [];
        const all = [
          ...files(end, results),
          ...rawFiles(results),
          { name: savedNames.results, text: resultsText(results) },
        ];
        for (const { name, text } of all) {
          await writeNew(join(path, name), text);
          written.push(join(path, name));
        }
        const next = join(path, `.${savedNames.head}.new`);
        await writeNew(next, headText({ ...end, files: written }, watched, results));
        await rename(next, join(path, savedNames.head));
        return written;
      },
    };
  };
}

/** A disk that hangs holds up no capture for longer. */
const diskMs = 5000;

/** Keeps a capture while it goes on: what the disk says is a sentence, never an error, and comes in bounded time. */
export function saveSafely(init: { readonly save: SaveCapture; readonly clock: Clock; readonly begin: CaptureSample }) {
  const { save, clock, begin } = init;
  const opened = save(begin);
  opened.catch(() => {}); // told by `finish`
  return {
    async finish(
      end: CaptureSample,
      results: readonly CaptureResult[],
    ): Promise<{ readonly files: readonly string[]; readonly fault?: string }> {
      let cancelWait = () => {};
      const late = new Promise<never>((_, reject) => {
        cancelWait = clock.after(diskMs, () => reject(new Error('the disk does not answer')));
      });
      try {
        return { files: await Promise.race([opened.then((folder) => folder.finish(end, results)), late]) };
      } catch (error) {
        if (results.length === 0) return { files: [] };
        const reason = error instanceof Error ? error.message : String(error);
        return { files: [], fault: `The capture could not be saved: ${safeText(reason)}` };
      } finally {
        cancelWait();
      }
    },
  };
}

/** A folder that has its head from the moment it has its name. */
async function makeFolder(parent: string, capture: CaptureSample, head: string): Promise<string> {
  await makeFolders(parent);
  const nameless = await mkdtemp(join(parent, '.new-'));
  try {
    await writeNew(join(nameless, savedNames.head), head);
    return await giveName(nameless, join(parent, nameOf(capture)));
  } catch (error) {
    await rm(nameless, { recursive: true, force: true });
    throw error;
  }
}

function nameOf({ startedAt, host, what, pids }: CaptureSample): string {
  const stamp = new Date(startedAt).toISOString().replace(/[:.]/g, '-');
  const who = `${pids[0] ?? 0}${pids.length > 1 ? `-and-${pids.length - 1}-more` : ''}`;
  return `${stamp}_${host.replace(/[^\w.@-]+/g, '-').slice(0, 100)}_${what}_${who}`;
}

async function giveName(folder: string, wanted: string): Promise<string> {
  for (let n = 1; ; n++) {
    const path = n === 1 ? wanted : `${wanted}_${n}`;
    try {
      await rename(folder, path);
      return path;
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      // A folder with something in it, or a file.
      if (!['EEXIST', 'ENOTEMPTY', 'ENOTDIR'].includes(code) || n > mostNames) throw error;
    }
  }
}
