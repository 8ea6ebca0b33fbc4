import type { LogLine, LogSample } from '../../log-samples.ts';
import type { QueueSubject } from '../subjects.ts';
import type { Gatherer } from './gatherer.ts';
import { createCourse } from './log-course.ts';
import { createDataTimes } from './log-data.ts';
import { createProgress } from './log-progress.ts';
import { createLogReach } from './log-reach.ts';
import { readLog } from './log-read.ts';
import { createSteps } from './log-steps.ts';
import { createQueues, type QueueFill } from './queues.ts';

/** Reads the signals of logs; and what of them the engine needs before it asks for any. */
export interface LogGatherer extends Gatherer {
  /** Median of the steps of late; absent: nobody told. */
  stepSeconds(): number | undefined;
  /** When the last line with progress came, epoch ms. */
  progressAt(): number | undefined;
  queues(): readonly QueueSubject[];
  /** How the log stands now. */
  look(now: number): LogLook;
  /** How full a queue was; absent: nobody told. */
  fill(name: string, from: number, to: number): QueueFill | undefined;
}

/** How the log of a run stands at a time. */
export interface LogLook {
  /** All that it has is here. */
  readonly isRead: boolean;
  /** Lines with progress so far. */
  readonly steps: number;
  /** Of the last line with progress, epoch ms. */
  readonly progressAt?: number;
  /** The same, or of a later line about a checkpoint, an evaluation, loading, or of a bar. */
  readonly livedAt?: number;
  /** The longest usual pause between lines with progress. */
  readonly usualPauseMs?: number;
  readonly stepSeconds?: number;
  /** What it does beside its steps, as it was told since the last progress, and not told to be over. */
  readonly beside?: 'checkpoint' | 'evaluation' | 'warmup';
  /** It said that the training is over. */
  readonly isDone: boolean;
}

/** What is kept of the logs of a run. */
export type KeptOfLog = ReturnType<typeof forRun>;

const forRun = () => ({
  progress: createProgress(),
  course: createCourse(),
  steps: createSteps(),
  queues: createQueues(),
  data: createDataTimes(),
  heard: { lines: 0, source: '' },
});

/** The newest lines of a Sample, and of a second, whose words are read, and lines whose queues and stages are: a flood prints tens of thousands. */
const wordsInSample = 40;
const wordsInSecond = 80;
const namedInSecond = 200;
/** A longer line is data, or a list. */
const longestText = 400;

/** How far a bar is, one that tells no step of the training; '': it has none. */
function barIn({ text, values }: LogLine): string {
  const inEpoch = values?.other?.['step_in_epoch'];
  if (inEpoch !== undefined) return String(inEpoch);
  return values === undefined && text.length < longestText ? (/(\d+)%\|/.exec(text)?.[1] ?? '') : '';
}

const besides = ['checkpoint', 'evaluation', 'warmup'] as const;
/** What began so long ago is over, in a log that does not say so and tells no steps. */
const longestBesideMs = 30 * 60_000;

/** Nothing was read yet. */
export function createLogGatherer(): LogGatherer {
  const reach = createLogReach();
  let kept = forRun();
  let second = NaN;
  let words = 0;
  let named = 0;
  /** Lines that still belong to the record before: code of a traceback, what goes on. */
  let goesOn = 0;

  function isWorthReading({ values, text }: LogLine): boolean {
    if (text.length > longestText || text.trim() === '') return false;
    // What tells a loss or tokens is a step, whatever words are beside.
    if (values && (values.loss ?? values.tokensPerSecond) !== undefined) return false;
    return words++ < wordsInSecond;
  }

  function takeLine(sample: LogSample, line: LogLine, isNew: boolean) {
    const { progress, course, steps, queues, data } = kept;
    const { values, event } = line;
    const isHead = goesOn === 0;
    goesOn = line.continued ?? Math.max(0, goesOn - 1);
    const isRead = !event && isNew && isHead && isWorthReading(line);
    const told = event ? course.byEvent(line) : isRead ? course.byWords(line) : undefined;
    const figures =
      values && (values.loss ?? values.tokensPerSecond ?? values.samplesPerSecond ?? values.iterationsPerSecond);
    // `evaluating at step 5913`, and the bar of a validation, tell of no step that was done.
    const isStep = values !== undefined && (!told || told.course === 'epoch' || (event && figures !== undefined));
    if (told && told.course !== 'error') progress.excuse();
    if (isStep && progress.take(sample, line)) {
      if (course.progressed(Math.min(line.time, sample.receivedAt))) progress.excuse();
      if (!line.undated) steps.take(line);
    } else if (told) course.take(told, Math.min(line.time, sample.receivedAt));
    else if (isNew && !line.undated) course.moved(barIn(line), Math.min(line.time, sample.receivedAt));
    if (line.undated || (!values?.queues && !values?.stages && !values?.other) || named++ >= namedInSecond) return;
    for (const queue of values.queues ?? []) queues.take(queue, line.time);
    data.take(values, line.time);
  }

  return {
    take(sample) {
      // The pause until lines come again is not the log's.
      if (reach.take(sample)) kept.progress.excuse();
      if (sample.kind !== 'log') return;
      const now = Math.floor(sample.receivedAt / 1000);
      // Of what stood in the file the newest lines come last, all in one second.
      if (now !== second || sample.backlog) [second, words, named] = [now, 0, 0];
      kept.heard.source = sample.source;
      const newest = sample.lines.length - wordsInSample;
      sample.lines.forEach((line, i) => {
        if (line.note) return;
        kept.heard.lines++;
        takeLine(sample, line, i >= newest);
      });
    },
    read: (ask) => readLog(ask, kept, reach),
    forgetRun() {
      const { course } = kept;
      course.startAnew();
      const lines = course.at('warmup') === undefined ? 0 : 1;
      kept = { ...forRun(), course, heard: { lines, source: '' } };
    },
    stepSeconds: () => kept.steps.newest(),
    progressAt: () => kept.progress.at(),
    queues: () => kept.queues.names().map((name) => ({ kind: 'queue', name })),
    look(now) {
      const { progress, course, steps } = kept;
      const progressAt = progress.at();
      const livedAt = progressAt === undefined ? undefined : Math.max(progressAt, course.livedAt() ?? progressAt);
      const usualPauseMs = livedAt === undefined ? undefined : progress.usualPauseMs(Math.max(0, now - livedAt));
      const stepSeconds = steps.newest();
      const beside = besides.find((each) => now - (course.at(each) ?? -Infinity) <= longestBesideMs);
      return {
        isRead: reach.isRead(progress.source() ?? kept.heard.source, now),
        steps: progress.total(),
        isDone: course.isDone(),
        ...(progressAt !== undefined && { progressAt }),
        ...(livedAt !== undefined && { livedAt }),
        ...(usualPauseMs !== undefined && { usualPauseMs }),
        ...(stepSeconds !== undefined && { stepSeconds }),
        ...(beside && { beside }),
      };
    },
    fill: (name, from, to) => kept.queues.fill(name, from, to),
  };
}
