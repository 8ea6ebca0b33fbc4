import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readThreads } from '../collectors/stacks/parse.ts';
import { readTextDump } from '../collectors/stacks/text-dump.ts';
import { plannedMsOfOne } from '../model/capture-plan.ts';
import type { CaptureSample, Sample } from '../model/samples.ts';
import type { StackThread } from '../model/stacks.ts';
import { safeText } from '../model/text.ts';
import { ImportFault } from './fault.ts';
import { profileSample, readSpyRecord, readSpyWords, recordOf, type SpyRecord } from './spy-records.ts';
import { readWaits, waitsSample, type SavedWaits } from './wait-read.ts';

/** The captures of a folder. */
export interface StacksSurvey {
  readonly dumps: readonly Dump[];
  readonly records: readonly SpyRecord[];
  readonly waits: readonly SavedWaits[];
  /** Of each process, what it runs, where a dump as text says so. */
  readonly commands: ReadonlyMap<number, string>;
  readonly notes: readonly string[];
}

/** One dump of one process. */
export interface Dump {
  readonly what: 'dump' | 'native';
  readonly pid: number;
  readonly file: string;
  /** When its file was written. */
  readonly modifiedAt: number;
  readonly threads: readonly StackThread[];
  readonly failure?: string;
}

/** A dump has 80 bytes a frame: this is 400 threads of 200 frames, ten times over. */
const mostBytes = 64 * 1024 * 1024;

/**
 * Reads `dump-PID-N.json` (py-spy dump --json), `native-PID.txt` and `dump-PID.txt` (py-spy dump as text), `record-PID.txt` and `gil-PID.txt`
 * (py-spy record -f raw -t), `wait.txt`. Other files are named, and left. Throws an ImportFault where there is none of them.
 */
export async function surveyStacks(folder: string, name: string): Promise<StacksSurvey> {
  const names = (await list(folder, name)).toSorted(byNumbers);
  const errors = names.includes('err.txt') ? await readText(folder, 'err.txt') : undefined;
  const words = readSpyWords(
    (await Promise.all(names.filter(isPrinted).map((file) => readText(folder, file)))).join('\n'),
  );
  const count = names.filter((file) => pidOf(file) !== undefined).length;
  const dumps: Dump[] = [];
  const records: SpyRecord[] = [];
  const waits: SavedWaits[] = [];
  const commands = new Map<number, string>();
  const left: string[] = [];
  const empties: string[] = [];
  for (const file of names) {
    const [pid, record] = [pidOf(file), recordOf(file)];
    if (pid === undefined && !record && !isWaits(file)) {
      if (file !== 'err.txt' && !isPrinted(file)) left.push(safeText(file));
      continue;
    }
    const text = (await readText(folder, file)) ?? '';
    const modifiedAt = Math.round((await stat(join(folder, file))).mtimeMs);
    if (record) {
      const profile = readSpyRecord(text, record.what, words.get(file));
      if (typeof profile === 'string') left.push(`${safeText(file)} (${profile})`);
      else records.push({ ...record, file: safeText(file), modifiedAt, profile });
    } else if (pid === undefined) {
      const found = readWaits(text, modifiedAt);
      if (found) waits.push(found);
      else left.push(`${safeText(file)} (has no line of TID, comm, wchan and syscall)`);
    } else {
      const dump = file.endsWith('.json') ? { threads: readThreads(text) } : readTextDump(text);
      if ('command' in dump && dump.command !== undefined) commands.set(pid, dump.command);
      if (text.trim() === '') empties.push(safeText(file));
      const failure = dump.threads ? undefined : failureOf(text, errors, count);
      dumps.push({
        what: isNative(file, dump.threads) ? 'native' : 'dump',
        pid,
        file: safeText(file),
        modifiedAt,
        threads: dump.threads ?? [],
        ...(failure !== undefined && { failure }),
      });
    }
  }
  if (dumps.length + records.length + waits.length === 0)
    throw new ImportFault(
      left.length > 0 && names.some((file) => recordOf(file))
        ? `${name} has nothing that can be read: ${left.join(', ')}.`
        : `${name} has no dump of py-spy: one is called dump-PID-N.json (py-spy dump --json) or dump-PID.txt.`,
    );
  const lost = waits.reduce((sum, { rejected }) => sum + rejected, 0);
  return {
    dumps,
    records,
    waits,
    commands,
    notes: [
      ...(empties.length > 0 ? [`empty: ${empties.join(', ')}`] : []),
      ...(lost > 0 ? [`${lost} lines of wait.txt are no thread's`] : []),
      ...(left.length > 0 ? [`not read: ${left.join(', ')}`] : []),
    ],
  };
}

interface ReadInit {
  readonly host: string;
  readonly survey: StacksSurvey;
  /** When what is in a file was taken. */
  readonly timeOf: (file: { readonly modifiedAt: number }) => number;
}

/** What is in the folder as Samples, in order of time: each capture with what it found. */
export function readStacks({ host, survey, timeOf }: ReadInit): readonly Sample[] {
  const base = (time: number) => ({ host, source: 'stacks', time, receivedAt: time }) as const;
  const commandOf = (pid: number) => survey.commands.get(pid) ?? '';
  const captureOf = (
    file: string,
    more: Pick<CaptureSample, 'what' | 'time'> & Partial<CaptureSample>,
    seconds = 0,
  ) => {
    const plannedMs = plannedMsOfOne({ what: more.what, ...(seconds > 0 && { seconds }) });
    return {
      kind: 'capture',
      ...base(more.time),
      // One capture a file: a dump as JSON and as text may differ in the ending alone.
      id: file,
      state: more.failure === undefined ? 'done' : 'failed',
      pids: [],
      startedAt: more.time - seconds * 1000,
      plannedMs,
      endedAt: more.time,
      notes: [`imported from ${file}`],
      files: [],
      ...more,
    } satisfies CaptureSample;
  };
  const all: (readonly Sample[])[] = [
    ...survey.dumps.map((dump): readonly Sample[] => {
      const { what, pid, threads, failure, file } = dump;
      const time = timeOf(dump);
      const failed = failure !== undefined && { failure };
      return [
        {
          kind: 'stacks',
          ...base(time),
          pid,
          command: commandOf(pid),
          capture: file,
          threads,
          ...(what === 'native' && { native: true as const }),
          ...failed,
        },
        captureOf(file, { what, time, pids: [pid], samples: failure === undefined ? 1 : 0, ...failed }),
      ];
    }),
    ...survey.records.map((record): readonly Sample[] => {
      const { what, pid, file, profile } = record;
      const time = timeOf(record);
      const { samples, errors, rate = 0, seconds } = profile;
      return [
        profileSample(record, { host, time, capture: file, command: commandOf(pid) }),
        captureOf(file, { what, time, pids: [pid], samples, errors, rate }, seconds),
      ];
    }),
    ...survey.waits.map((waits) => [waitsSample(waits, { host, time: timeOf(waits) })]),
  ];
  return all.toSorted(([a], [b]) => (a?.time ?? 0) - (b?.time ?? 0)).flat();
}

/** What py-spy said of a failed dump stands in err.txt for all of them: it is told only where there is no doubt which it means. */
function failureOf(text: string, errors: string | undefined, dumps: number): string {
  const said = errors && safeText(/^Error: (.*)/m.exec(errors)?.[1] ?? '');
  const isSure = said && ((errors.match(/^Error: /gm)?.length ?? 0) === 1 || dumps === 1);
  if (text.trim() !== '') return 'What py-spy wrote there is no dump, or only a part of one.';
  return isSure ? `py-spy wrote nothing (${said}).` : 'py-spy wrote nothing: the dump failed.';
}

/** dump-426-1.json, native-426.txt, dump-426.txt. */
function pidOf(file: string): number | undefined {
  const match = /^(?:dump|native)-(\d+)(?:-\d+)?\.(?:json|txt)$/.exec(file);
  return match ? Number(match[1]) : undefined;
}

function isNative(file: string, threads: readonly StackThread[] = []): boolean {
  return file.startsWith('native') || threads.some(({ frames }) => frames.some(({ native }) => native));
}

function isWaits(file: string): boolean {
  return /^waits?(?:-\d+)?\.txt$/.test(file);
}

/** What py-spy printed: `record-out.txt`, `record-426-out.txt`. */
function isPrinted(file: string): boolean {
  return /-out\.txt$/.test(file);
}

/** Native dumps first: of dumps without other times the plain ones, which know the TIDs, are the newer. */
function byNumbers(a: string, b: string): number {
  const isNative = (file: string) => Number(file.startsWith('native'));
  return isNative(b) - isNative(a) || a.localeCompare(b, 'en', { numeric: true });
}

async function list(folder: string, name: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder, { withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name);
  } catch (error) {
    throw new ImportFault(`${name} cannot be read as a folder of dumps (${(error as Error).message}).`);
  }
}

async function readText(folder: string, file: string): Promise<string | undefined> {
  try {
    const path = join(folder, file);
    if ((await stat(path)).size > mostBytes) return undefined;
    return await readFile(path, 'utf8');
  } catch {
    return undefined;
  }
}
