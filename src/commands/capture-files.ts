import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '../clock.ts';
import { makeFolders } from '../config/make-folders.ts';
import { writeNew } from '../config/write-new.ts';
import type { CaptureSample } from '../model/samples.ts';
import { listCaptures, openCapture } from '../recording/saved-captures.ts';
import type { CaptureFiles, HandOver } from '../ui/controls.ts';
import type { Notice } from '../ui/ui-state.ts';
import { copyText } from './clipboard.ts';
import { version } from './version.ts';

interface Init {
  readonly clock: Clock;
  /** The one of defaultDataFolder. */
  readonly dataDir: string;
  /** Of the demo nothing is kept, and what is there is of real runs. */
  readonly isDemo: boolean;
  readonly page: (
    init: { readonly name: string; readonly text: string },
    handOver: HandOver,
  ) => Promise<Notice | undefined>;
  readonly output: NodeJS.WriteStream;
}

/** The screen's hands on captures that are kept on this machine, the pager and the clipboard. */
export function captureFiles({ clock, dataDir, isDemo, page, output }: Init): CaptureFiles {
  return {
    version,
    page,
    async list() {
      if (isDemo) return [];
      return told(listCaptures(dataDir, clock.now()), `The captures in ${dataDir} could not be listed`);
    },
    open: (folder) => told(openCapture(folder, clock.now()), `The capture in ${folder} could not be read`),
    write: (what) => told(write(dataDir, what), 'It could not be written'),
    copy: (text) => copyText(text, { env: process.env, output }),
  };
}

/** With what was tried in front of the file system's words. */
async function told<T>(doing: Promise<T>, what: string): Promise<T> {
  try {
    return await doing;
  } catch (error) {
    throw new Error(`${what}: ${error instanceof Error ? error.message : String(error)}.`, { cause: error });
  }
}

type Text = Parameters<CaptureFiles['write']>[0];

/** Beside the capture's own files, where those are still there; else in a folder for such files. */
async function write(dataDir: string, { capture, name, text }: Text): Promise<string> {
  const [first] = capture.files;
  const own = first === undefined ? undefined : dirname(first);
  const isThere = own !== undefined && (await stat(own).catch(() => undefined))?.isDirectory() === true;
  const folder = isThere ? own : join(dataDir, 'exports');
  if (!isThere) await makeFolders(folder);
  const [stem = name, ending = ''] = name.split(/\.(?=[^.]*$)/);
  const base = isThere ? stem : `${stampOf(capture)}_${stem}`;
  for (let n = 1; ; n++) {
    const path = join(folder, `${base}${n === 1 ? '' : `-${n}`}.${ending}`);
    if (await isWritten(path, text)) return path;
    if (n > 1000) throw new Error(`there are too many files like ${path}`);
  }
}

/** False when there is such a file. */
async function isWritten(path: string, text: string): Promise<boolean> {
  try {
    await writeNew(path, text);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function stampOf({ startedAt, host, pids }: CaptureSample): string {
  const stamp = new Date(startedAt).toISOString().replace(/[:.]/g, '-');
  return `${stamp}_${host.replace(/[^\w.@-]+/g, '-')}_${pids[0] ?? 0}`;
}
