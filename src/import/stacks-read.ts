import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readThreads } from '../collectors/stacks/parse.ts';
import { readTextDump } from '../collectors/stacks/text-dump.ts';
import type { StacksSample } from '../model/samples.ts';
import type { StackThread } from '../model/stacks.ts';
import { safeText } from '../model/text.ts';
import { ImportFault } from './fault.ts';

/** The dumps of a folder. */
export interface StacksSurvey {
  readonly dumps: readonly Dump[];
  /** Of each process, what it runs, where a dump as text says so. */
  readonly commands: ReadonlyMap<number, string>;
  readonly notes: readonly string[];
}

/** One dump of one process. */
export interface Dump {
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
 * Reads `dump-PID-N.json` (py-spy dump --json) and `native-PID.txt`, `dump-PID.txt` (py-spy dump as text). Other files are named, and
 * left. Throws an ImportFault where there is no dump.
 */
export async function surveyStacks(folder: string, name: string): Promise<StacksSurvey> {
  const names = (await list(folder, name)).toSorted(byNumbers);
  const errors = names.includes('err.txt') ? await readText(folder, 'err.txt') : undefined;
  const empty = names.filter((file) => isDump(file)).length;
  const dumps: Dump[] = [];
  const commands = new Map<number, string>();
  const left: string[] = [];
  const empties: string[] = [];
  for (const file of names) {
    const pid = pidOf(file);
    if (pid === undefined) {
      if (!/^(?:err|.*-out)\.txt$/.test(file)) left.push(file);
      continue;
    }
    const text = (await readText(folder, file)) ?? '';
    const { mtimeMs } = await stat(join(folder, file));
    const dump = file.endsWith('.json') ? { threads: readThreads(text) } : readTextDump(text);
    if ('command' in dump && dump.command !== undefined) commands.set(pid, dump.command);
    if (text.trim() === '') empties.push(file);
    const failure = dump.threads ? undefined : failureOf(text, errors, empty);
    dumps.push({
      pid,
      file: safeText(file),
      modifiedAt: Math.round(mtimeMs),
      threads: dump.threads ?? [],
      ...(failure !== undefined && { failure }),
    });
  }
  if (dumps.length === 0)
    throw new ImportFault(
      `${name} has no dump of py-spy: one is called dump-PID-N.json (py-spy dump --json) or dump-PID.txt.`,
    );
  return {
    dumps,
    commands,
    notes: [
      ...(empties.length > 0 ? [`empty: ${empties.map((file) => safeText(file)).join(', ')}`] : []),
      ...(left.length > 0
        ? [`not read (this version has no place for it): ${left.map((file) => safeText(file)).join(', ')}`]
        : []),
    ],
  };
}

interface ReadInit {
  readonly host: string;
  readonly survey: StacksSurvey;
  /** When a dump was taken. */
  readonly timeOf: (dump: Dump) => number;
}

/** The dumps as Samples, in order of time. */
export function readStacks({ host, survey, timeOf }: ReadInit): readonly StacksSample[] {
  return survey.dumps
    .map((dump): StacksSample => {
      const { pid, threads, failure } = dump;
      const time = timeOf(dump);
      const command = survey.commands.get(pid) ?? '';
      const base = { kind: 'stacks', host, source: 'stacks', time, receivedAt: time, pid, command, threads } as const;
      return { ...base, ...(failure !== undefined && { failure }) };
    })
    .sort((a, b) => a.time - b.time);
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

function isDump(file: string): boolean {
  return pidOf(file) !== undefined;
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
