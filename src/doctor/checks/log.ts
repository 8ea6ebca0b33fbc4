import { byLogSource, isLogSource } from '../../model/log-sources.ts';
import { silence } from '../../model/pace.ts';
import type { RunProcess } from '../../model/run.ts';
import type { LogTail } from '../../model/store.ts';
import { checksOf, type Check, type Told } from '../check.ts';
import type { Findings } from '../findings.ts';
import { tellSource } from './source.ts';

const check = checksOf('Log');

/** The log that is followed, and whether its lines come when they are written. */
export function logChecks(findings: Findings): readonly Check[] {
  const { state, options } = findings;
  const isAsked = options.logs.length > 0;
  const found = [...(state?.sources.keys() ?? [])].filter(isLogSource);
  const tails = [...(state?.logs.values() ?? [])];
  const followed = found.sort(byLogSource).map((source) => {
    const tail = tails.find((each) => each.source === source);
    const told = tellLog(tellSource(findings, source, tail ? describe(tail) : 'it is followed'), tail, state);
    const number = source.slice(4);
    return check(number === '' ? 'log' : `log.${number}`, `log ${number}`.trim(), { ...told, needed: isAsked });
  });
  const buffered = tellBuffering(findings);
  return [...followed, ...(buffered ? [check('log.buffering', 'buffering', buffered)] : [])];
}

function describe({ path, format, lines, dropped, endOffset }: LogTail): string {
  if (lines.length + dropped > 0) return `${path}, read as ${format}`;
  return endOffset === 0 ? `${path}, which is empty` : `${path}, without a line that is complete`;
}

/** A log that is silent is no fault, and worth knowing: the run may hang, or its lines come in blocks. */
function tellLog(told: Told, tail: LogTail | undefined, state: Findings['state']): Told {
  if (told.status !== 'ok' || !tail || !state) return told;
  if (tail.lines.length + tail.dropped === 0) return { ...told, status: 'note', why: 'nothing was written to it yet' };
  const quiet = silence(tail.pace, state.committedAt);
  if (!quiet?.isLong) return told;
  return { ...told, status: 'note', why: `its last line is ${wordsOf(quiet.ageMs / 1000)} old` };
}

function wordsOf(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

/** The process whose output the log is: the first rank, else the root (as the collector of processes takes it). */
export function loggingProcess({ state }: Pick<Findings, 'state'>): RunProcess | undefined {
  const run = state?.run?.phase === 'running' ? state.run.run : undefined;
  if (!run) return undefined;
  const ranks = run.processes.filter(({ rank }) => rank !== undefined);
  return ranks.sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0))[0] ?? run.processes.find(({ pid }) => pid === run.rootPid);
}

/** Python gathers 8 KiB of what goes to a file or a pipe: the log then stands still for minutes while all is well. */
const blockBytes = 8192;

function tellBuffering(findings: Findings): Told | undefined {
  const process = loggingProcess(findings);
  const outputs = findings.state?.run?.run?.outputs ?? [];
  const stdout = outputs.find(({ fd }) => fd === 1)?.kind;
  if (!process || !isPython(process) || stdout === undefined) return undefined;
  if (stdout === 'terminal') return { status: 'ok', found: 'none: standard output is a terminal' };
  if (stdout !== 'file' && stdout !== 'pipe') return undefined;
  if (hasUnbufferedOption(process.commandLine)) return { status: 'ok', found: 'none: python runs with -u' };
  const target = findings.look?.target;
  if (target?.unbuffered) return { status: 'ok', found: 'none: PYTHONUNBUFFERED is set' };
  const steps = stepsOf(findings.look?.logSizes ?? []);
  const where = stdout === 'file' ? 'a file' : 'a pipe';
  const mend = 'start the run with PYTHONUNBUFFERED=1 or `python -u`, or print with flush=True';
  if (steps.some((step) => step < blockBytes / 2))
    return { status: 'ok', found: `none seen: it grew by ${Math.min(...steps)} bytes in a second` };
  if (steps.length > 0 && steps.length < (findings.look?.logSizes.length ?? 0) - 1)
    return {
      status: 'warn',
      found: `in blocks: it grew by ${steps[0]} bytes at once`,
      why: `Python gathers ${blockBytes / 1024} KiB of what it prints to ${where}: lines come late, and the log stands still while all is well`,
      mend,
    };
  const unseen = target?.unbuffered === undefined ? ' (its environment could not be read)' : '';
  return {
    status: 'warn',
    found: 'probably in blocks of 8 KiB',
    why: `neither PYTHONUNBUFFERED nor -u was found${unseen}, and standard output goes to ${where}: what is printed there may come minutes late. What goes through logging or tqdm to standard error comes at once`,
    mend,
  };
}

function stepsOf(sizes: readonly number[]): readonly number[] {
  return sizes.slice(1).flatMap((size, i) => (size > (sizes[i] ?? size) ? [size - (sizes[i] ?? size)] : []));
}

function isPython({ commandLine, executable }: RunProcess): boolean {
  return [executable, commandLine[0]].some((path) => /(^|\/)(python|pypy)[\d.]*t?$/.test(path ?? ''));
}

/** `-u` among the interpreter's own options, which end at the script, at -c or at -m: `python -Bu train.py`. */
export function hasUnbufferedOption(commandLine: readonly string[]): boolean {
  for (let at = 1; at < commandLine.length; at++) {
    const word = commandLine[at] ?? '';
    if (!/^-[^-]/.test(word)) {
      if (word.startsWith('--') && word !== '--') continue;
      return false;
    }
    const [, before = '', stop = ''] = /^-([^cmWX]*)([cmWX]?)/.exec(word) ?? [];
    if (before.includes('u')) return true;
    if (stop === 'c' || stop === 'm') return false;
    // -W and -X take the rest of the word, or the next one.
    if (stop !== '' && word.endsWith(stop)) at++;
  }
  return false;
}
