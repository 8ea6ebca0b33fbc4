import type { FileReport, InputFile, Rejected } from './files.ts';
import type { Placed } from './open-import.ts';
import { recordText } from './spy-records.ts';
import type { StacksSurvey } from './stacks-read.ts';
import type { Uses } from './streams.ts';
import type { Opened } from './survey.ts';

/** What became of each file, in the order of their options. */
export function reportsOf({ surveyed, shift }: Placed, uses: Uses): readonly FileReport[] {
  const { top, smi, dmon, stat, pidstat, logs, stacks, empty } = surveyed;
  const report = (
    {
      file,
      lines,
      survey,
      rejected,
    }: Opened<{ readonly span: { readonly from: number; readonly to: number } | undefined }>,
    gives: string,
    notes: readonly string[] = [],
  ): FileReport => {
    const fault = lines.fault();
    const { span } = survey;
    return {
      file,
      gives,
      ...(span && { from: span.from + shift(file), to: span.to + shift(file) }),
      notes: [...notes, ...(fault === undefined ? [] : [fault])],
      rejected,
    };
  };
  const without = (file: InputFile, notes: readonly string[], gives: string): FileReport => ({
    file,
    gives,
    notes,
    rejected: none,
  });
  const others = (file: InputFile) =>
    uses.threads && uses.threads !== file ? [`the threads come from --${uses.threads.kind}`] : [];
  return [
    ...(top ? [report(top, topGives(top, uses), topNotes(top, uses))] : []),
    ...(smi
      ? [
          report(
            smi,
            `${count(smi.survey.rounds, 'round')} of ${count(smi.survey.gpus.length, 'GPU')}`,
            smi.survey.notes,
          ),
        ]
      : []),
    ...(dmon
      ? [
          report(dmon, `${count(dmon.survey.rounds, 'round')} of ${count(dmon.survey.gpuCount, 'GPU')}`, [
            ...(smi ? [`each round also stands in the frames of ${smi.file.name} since the round before it`] : []),
            ...dmon.survey.notes,
          ]),
        ]
      : []),
    ...(stat
      ? [
          report(stat, `${count(stat.survey.rounds, 'round')} of up to ${count(stat.survey.mostThreads, 'thread')}`, [
            ...stat.survey.notes,
            'ticks are taken to be 10 ms (USER_HZ 100); run-queue waits are not in it',
          ]),
        ]
      : []),
    ...(pidstat
      ? [
          report(
            pidstat,
            `${count(pidstat.survey.rounds, 'round')} of up to ${count(pidstat.survey.mostThreads, 'thread')}`,
            [...others(pidstat.file), ...pidstat.survey.notes],
          ),
        ]
      : []),
    ...logs.map((log) =>
      report(
        log,
        log.survey.lines === 0 ? 'nothing was written to it' : count(log.survey.lines, 'line'),
        logNotes(log, { shift, others: [smi, dmon, stat, pidstat, top].filter((other) => other !== undefined) }),
      ),
    ),
    ...(stacks ? [without(stacks.file, stacks.survey.notes, stacksGive(stacks.survey))] : []),
    ...empty.map((file) => without(file, [], 'it is empty')),
  ];
}

const none: Rejected = { count: 0 };

function topGives({ survey }: NonNullable<Placed['surveyed']['top']>, { threads }: Uses): string {
  const frames = `${count(survey.times.length, 'frame')} of up to ${count(survey.mostThreads, 'thread')}`;
  return threads?.kind === 'top' ? frames : `load, CPU and memory of the host in ${frames}`;
}

function topNotes({ survey, file }: NonNullable<Placed['surveyed']['top']>, { threads }: Uses): readonly string[] {
  const isOwn = threads === file;
  const processes = new Set(survey.owners.values()).size;
  return [
    ...(isOwn ? survey.doubts : []),
    ...survey.notes,
    'the percentages of its first frame are since boot, and left out',
    ...(survey.wholeHost && !threads
      ? ["it shows all threads of the host: name the run's process with --pid to have its threads"]
      : []),
    ...(survey.mostThreads === 0 ? ['the processes that top was told were not there'] : []),
    ...(isOwn && !survey.wholeHost && processes > 1
      ? [`top tells no processes: its ${processes} were told apart by their memory`]
      : []),
  ];
}

interface Beside {
  readonly shift: Placed['shift'];
  readonly others: readonly Opened<{ readonly span: { readonly from: number; readonly to: number } }>[];
}

function logNotes(
  { file, survey: { span, lines, unstamped, notes } }: Placed['surveyed']['logs'][number],
  { shift, others }: Beside,
): readonly string[] {
  if (lines === 0) return [];
  if (!span) return ['no line has a time: they stand where the file was written last, or at the end'];
  const isBeside = others.some(
    (other) =>
      span.from + shift(file) <= other.survey.span.to + shift(other.file) &&
      span.to + shift(file) >= other.survey.span.from + shift(other.file),
  );
  return [
    ...notes,
    ...(unstamped > 0 ? [`${count(unstamped, 'line')} without a time: at that of the line before`] : []),
    ...(isBeside || others.length === 0
      ? []
      : ['none of its times lies within those of the other files: of another time, or of another zone?']),
  ];
}

function stacksGive({ dumps, records, waits }: StacksSurvey): string {
  const failed = dumps.filter(({ failure }) => failure !== undefined).length;
  const pids = [...new Set(dumps.map(({ pid }) => pid))].join(', ');
  const threads = waits.reduce((sum, { rows }) => sum + rows.length, 0);
  return [
    ...(dumps.length > 0
      ? [`${count(dumps.length, 'dump')} of PID ${pids}${failed > 0 ? `, ${failed} of them failed` : ''}`]
      : []),
    ...records.map(recordText),
    ...(threads > 0 ? [`what ${count(threads, 'thread')} waited in`] : []),
  ].join('; ');
}

/** `1 line`, `1,234 lines`. */
function count(number: number, word: string): string {
  return `${number.toLocaleString('en-US')} ${word}${number === 1 ? '' : 's'}`;
}
