import { constants } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { savedFormat, savedNames, type OpenedCapture, type SavedCapture } from '../model/saved-capture.ts';
import type { CaptureResult, CaptureSample } from '../model/samples.ts';
import { safeText } from '../model/text.ts';
import { wholeSample } from './codec.ts';
import { readLine } from './json-line.ts';
import { limits } from './limits.ts';

/** More are not looked at: the newest are. */
const mostFolders = 2000;
/** A head has the command lines of its processes. */
const mostHeadBytes = 4 * 2 ** 20;
const mostResultBytes = limits.memberText.value;
/** Of a capture of many processes that was ended with its monitor: it may still run elsewhere until then. */
const graceMs = 60_000;

/**
 * The captures that are kept on this machine, newest first. `dataDir` is that of defaultDataFolder. What is no capture, or cannot be read,
 * is left out: the folder is the user's. Rejects with the file system's error when the folder itself cannot be read.
 */
export async function listCaptures(dataDir: string, now: number): Promise<readonly SavedCapture[]> {
  const parent = join(dataDir, 'captures');
  const names = await readdir(parent).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const found: SavedCapture[] = [];
  // They begin with the time.
  const named = names.filter((name) => !name.startsWith('.')).sort();
  for (const name of named.reverse().slice(0, mostFolders)) {
    const capture = await readFolder(join(parent, name), now).catch(() => undefined);
    if (capture) found.push(capture);
  }
  return found.sort((a, b) => b.capture.startedAt - a.capture.startedAt);
}

/** One of them with what it found: nothing, where it was never finished. Rejects when it is none. */
export async function openCapture(folder: string, now: number): Promise<OpenedCapture> {
  const { capture } = await readFolder(folder, now);
  const text = await readBounded(join(folder, savedNames.results), mostResultBytes).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    },
  );
  const results: CaptureResult[] = [];
  for (const line of text.split('\n')) {
    try {
      if (line !== '') results.push(resultShape(readLine(line)));
    } catch {
      // One that was cut spoils no other.
    }
  }
  return { capture, results };
}

const captureShape = wholeSample('capture');
const resultShape = wholeSample('stacks', 'profile');

/** Throws what is wrong with it. */
async function readFolder(folder: string, now: number): Promise<SavedCapture> {
  const head = readLine(await readBounded(join(folder, savedNames.head), mostHeadBytes));
  if (head['format'] !== savedFormat) throw new Error(`${folder} is no capture`);
  const told = captureShape(head);
  const names = told.files.filter((name) => /^\w[\w.-]*$/.test(name));
  const capture = judged({ ...told, files: names.map((name) => join(folder, name)) }, now);
  const command = commandOf(head);
  return { capture, folder, bytes: await bytesIn(folder), ...(command !== undefined && { command }) };
}

/** One that nobody finishes any more. */
function judged(capture: CaptureSample, now: number): CaptureSample {
  const { state, startedAt, plannedMs } = capture;
  if ((state !== 'waiting' && state !== 'running') || now < startedAt + 2 * plannedMs + graceMs) return capture;
  return {
    ...capture,
    state: 'failed',
    failure: 'Not finished: traintop was ended in the middle of it, or could not write',
  };
}

/** Of the run, else of the first process. */
function commandOf({ run, processes }: Readonly<Record<string, unknown>>): string | undefined {
  for (const each of [run, ...(Array.isArray(processes) ? [processes[0] as unknown] : [])]) {
    if (typeof each !== 'object' || each === null || !('command' in each)) continue;
    if (typeof each.command === 'string' && each.command !== '') return safeText(each.command.slice(0, 1000));
  }
  return undefined;
}

async function bytesIn(folder: string): Promise<number> {
  let sum = 0;
  for (const name of (await readdir(folder)).slice(0, mostFolders)) {
    const stat = await lstat(join(folder, name));
    if (stat.isFile()) sum += stat.size;
  }
  return sum;
}

/** Of a plain file only: a link or a pipe that lies there is not followed, nor waited for. */
async function readBounded(path: string, mostBytes: number): Promise<string> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new Error(`${path} is no file`);
    if (stat.size > mostBytes) throw new Error(`${path} is too large`);
    const bytes = Buffer.alloc(stat.size);
    let at = 0;
    for (let read = 1; read > 0 && at < bytes.length; at += read) read = (await file.read(bytes, at)).bytesRead;
    return bytes.subarray(0, at).toString('utf8');
  } finally {
    await file.close();
  }
}
