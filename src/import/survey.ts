import { surveyDmon, type DmonSurvey } from './dmon.ts';
import type { FileKind, InputFile, Rejected, Span } from './files.ts';
import { ImportFault } from './fault.ts';
import { openLines, readHead, type LineFile } from './lines.ts';
import { surveyLog, type LogSurvey } from './log-read.ts';
import { surveyPidstat, type PidstatSurvey } from './pidstat-read.ts';
import { recognise } from './recognise.ts';
import { surveySmi, type SmiSurvey } from './smi-read.ts';
import { surveyStacks, type StacksSurvey } from './stacks-read.ts';
import { surveyStat, type StatSurvey } from './stat-read.ts';
import { surveyTop, type TopSurvey } from './top-survey.ts';

/** A file that was read once, and can be read again. */
export interface Opened<Survey> {
  readonly file: InputFile;
  readonly lines: LineFile;
  readonly survey: Survey;
  readonly rejected: Rejected;
}

/** All files, each read once. */
export interface Surveyed {
  readonly top?: Opened<TopSurvey>;
  readonly smi?: Opened<SmiSurvey>;
  readonly dmon?: Opened<DmonSurvey>;
  readonly stat?: Opened<StatSurvey>;
  readonly pidstat?: Opened<PidstatSurvey>;
  readonly logs: readonly Opened<LogSurvey>[];
  readonly stacks?: { readonly file: InputFile; readonly survey: StacksSurvey };
  /** Files in which nothing stands; an empty log is a silent one, and no such file. */
  readonly empty: readonly InputFile[];
}

interface Init {
  readonly files: readonly InputFile[];
  /** The columns of --nvidia-smi, as the user tells. */
  readonly fields?: readonly string[];
  readonly stepMs: number;
  readonly signal?: AbortSignal;
}

/** Reads every file once. Throws an ImportFault for the first that is none of its kind. */
export async function surveyFiles({ files, fields, stepMs, signal }: Init): Promise<Surveyed> {
  const surveyed: { -readonly [Key in keyof Surveyed]: Surveyed[Key] } = { logs: [], empty: [] };
  for (const file of files) {
    if (file.kind === 'stacks') {
      surveyed.stacks = { file, survey: await surveyStacks(file.path, file.name) };
      continue;
    }
    const lines = openLines({ path: file.path, name: file.name, splitCarriageReturns: file.kind === 'log', signal });
    const head = await readHead(lines, headCharacters);
    if (head.trim() === '' && file.kind !== 'log') {
      surveyed.empty = [...surveyed.empty, file];
      continue;
    }
    check(file, head);
    const opened = { file, lines, rejected: { count: 0 } };
    switch (file.kind) {
      case 'top':
        surveyed.top = { ...opened, survey: await surveyTop(file, lines) };
        break;
      case 'nvidia-smi':
        surveyed.smi = { ...opened, survey: await surveySmi({ file, lines, stepMs, ...(fields && { fields }) }) };
        break;
      case 'dmon':
        surveyed.dmon = { ...opened, survey: await surveyDmon(file, lines, stepMs) };
        break;
      case 'stat':
        surveyed.stat = { ...opened, survey: await surveyStat(file, lines) };
        break;
      case 'pidstat':
        surveyed.pidstat = { ...opened, survey: await surveyPidstat(file, lines) };
        break;
      case 'log':
        surveyed.logs = [...surveyed.logs, { ...opened, survey: await surveyLog(lines) }];
    }
  }
  return surveyed;
}

/** The files that tell where they lie, in the order of the list. */
export function spansOf({ top, smi, dmon, stat, pidstat, logs }: Surveyed): readonly { file: InputFile; span: Span }[] {
  return [smi, dmon, stat, pidstat, top, ...logs].flatMap((opened) => {
    const span = opened?.survey.span;
    return opened && span ? [{ file: opened.file, span }] : [];
  });
}

/** Enough to see what a file is. */
const headCharacters = 16_384;

const wanted: Readonly<Record<Exclude<FileKind, 'log' | 'stacks'>, string>> = {
  top: 'LC_ALL=C top -H -b',
  'nvidia-smi': 'nvidia-smi --query-gpu=... --format=csv',
  dmon: 'nvidia-smi dmon',
  stat: 'rounds of /proc/PID/task/*/stat below lines `== EPOCH`',
  pidstat: 'LC_ALL=C pidstat -t -h -H -u',
};

/** Refuses a file that is something else. */
function check({ kind, name }: InputFile, head: string): void {
  const looks = recognise(head);
  if (looks && 'other' in looks) {
    throw new ImportFault(`--${kind} ${name} ${looks.other}.`);
  }
  if (looks && looks.kind !== kind) throw new ImportFault(`${name} belongs to --${looks.kind}, not to --${kind}.`);
  // Rows of nvidia-smi without a header may look like anything.
  if (!looks && kind !== 'log' && kind !== 'nvidia-smi' && kind !== 'stacks' && kind !== 'top')
    throw new ImportFault(`--${kind} ${name} is not the output of ${wanted[kind]}.`);
}
