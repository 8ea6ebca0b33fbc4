import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../clock.ts';
import type { Run } from '../model/run.ts';
import { openRecording, RecordingFault, type Recording } from '../recording/recording.ts';
import { recordingFiles, type RecordingFiles } from './recording-files.ts';
import { defaultRunsFolder } from './runs-folder.ts';
import { recordingsJson, recordingsText } from './recordings-text.ts';

/** One of the folder's recordings, or what lies there beside them. */
export interface ListedRecording {
  readonly name: string;
  readonly path: string;
  /** Absent where it could not be read. */
  readonly content?: ListedContent;
  readonly files?: RecordingFiles;
  /** Why it could not be read, or is none: one sentence. */
  readonly fault?: string;
}

/** What a recording says of itself. Times are epoch ms. */
export interface ListedContent {
  readonly from: number;
  readonly to: number;
  readonly target: string;
  readonly hostname?: string;
  /** Command line of the run that was watched last. */
  readonly run?: string;
  /** Events and marks. */
  readonly events: number;
  readonly demo: boolean;
  readonly imported: boolean;
}

/** So many files are looked into at once: a network file system answers late, and a process may open a thousand. */
const atOnce = 8;

/** Lists the recordings of a folder, the newest first. Resolves with the exit code; rejects with a RecordingFault. */
export async function listRecordings(
  folder: string | undefined,
  { json }: { readonly json: boolean },
): Promise<number> {
  const base = folder ?? defaultRunsFolder(process.env);
  const names = await readdir(base).catch((error: NodeJS.ErrnoException) => {
    // Nothing was recorded yet.
    if (error.code === 'ENOENT' && folder === undefined) return [];
    throw new RecordingFault(`The folder ${base} cannot be listed (${error.message}).`);
  });
  const now = systemClock.now();
  const listed = await inTurn(
    names.filter((name) => !name.startsWith('.')),
    (name) => look(base, name, now),
  );
  listed.sort((a, b) => startOf(b) - startOf(a) || (a.name < b.name ? 1 : -1));
  const text = json ? recordingsJson(base, listed) : recordingsText({ base, listed, output: process.stdout });
  await new Promise((resolve) => process.stdout.write(text, resolve));
  return 0;
}

const startOf = ({ content, files }: ListedRecording) => content?.from ?? files?.writtenAt ?? 0;

/** All of them, some at once, in their order. */
async function inTurn<T, R>(items: readonly T[], fn: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const work = async () => {
    for (let at = next++; at < items.length; at = next++) results[at] = await fn(items[at] as T);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}

async function look(base: string, name: string, now: number): Promise<ListedRecording> {
  const path = join(base, name);
  try {
    const files = await recordingFiles(path, now);
    return { name, path, files, ...(await open(path)) };
  } catch (error) {
    return { name, path, fault: (error as Error).message };
  }
}

async function open(path: string): Promise<Pick<ListedRecording, 'content' | 'fault'>> {
  let recording: Recording;
  try {
    recording = await openRecording(path);
  } catch (error) {
    return { fault: (error as Error).message };
  }
  try {
    const { header, from, to, events } = recording;
    const run = await runOf(recording);
    const line = run?.processes.find(({ pid }) => pid === run.rootPid)?.commandLine.join(' ');
    return {
      content: {
        ...{ from, to, target: header.target },
        ...(header.hostname !== undefined && { hostname: header.hostname }),
        ...(line !== undefined && { run: line }),
        events: events.length,
        demo: header.demo !== undefined,
        imported: header.imported !== undefined,
      },
    };
  } finally {
    await recording.close();
  }
}

/** The run that was watched last: as of the last keyframe, or named after it, where the recording is of some minutes only. */
async function runOf(recording: Recording): Promise<Run | undefined> {
  const cursor = await recording.cursor(recording.to);
  const saved = cursor.saved?.state.lastRun;
  if (saved) return saved;
  for (let samples = await cursor.next(); samples; samples = await cursor.next())
    for (const sample of samples) if (sample.kind === 'run' && sample.run) return sample.run;
  return undefined;
}
