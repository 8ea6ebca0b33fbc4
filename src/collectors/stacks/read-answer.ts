import { captureDefaults } from '../../model/capture-plan.ts';
import type { CaptureRequest, CaptureResult } from '../../model/samples.ts';
import type { Context } from '../collector.ts';
import type { SpyAnswer } from './answer.ts';
import { explainFailure, isNotPython, lastLine } from './failures.ts';
import type { SpyJob } from './guard.ts';
import { readThreads } from './parse.ts';
import { foldDumps, isLastCut, readRaw } from './profile.ts';

/** One answer of py-spy, and what it was asked. */
export interface Reading {
  readonly answer: SpyAnswer;
  readonly context: Context;
  readonly request: Pick<CaptureRequest, 'auto'>;
  readonly job: SpyJob;
  readonly limitMs: number;
  /** We ended it ourselves, if it was ended before its time. */
  readonly isAsked: boolean;
  /** The capture's. */
  readonly id: string;
  readonly time: number;
  readonly receivedAt: number;
}

/** What came of one run of py-spy. */
export interface Found {
  readonly result?: CaptureResult;
  /** One sentence, where there is no result. */
  readonly failure?: string;
  /** There is none because the process is of another kind: beside others no failure. */
  readonly isNotPython: boolean;
  /** It ended before its time, and something is missing. */
  readonly isPart: boolean;
  /** Sentences: what is otherwise than asked. */
  readonly notes: readonly string[];
}

/** Reads and checks an answer: its exit status, that its output is there, and whole. */
export function readAnswer(reading: Reading): Found {
  const { answer, context, job, limitMs, isAsked } = reading;
  const { what, pid } = job;
  const { result, missing } = resultOf(reading);
  const notes = notesOn(answer, job);
  if (!result) {
    const failure = explainFailure({ answer, what, pid, context, limitMs });
    return { failure, isNotPython: isNotPython(answer), isPart: false, notes };
  }
  if (missing !== undefined) notes.push(`py-spy took ${missing} stacks of process ${pid} more than its file has`);
  const isLate = answer.timedOut && `py-spy was ended after ${Math.round(limitMs / 1000)} s on process ${pid}`;
  const isCut = (!answer.whole || (answer.over && !isAsked)) && `The link was cut during the capture of process ${pid}`;
  const isPart = isShort(answer, job);
  const why = isPart && (isLate || isCut);
  if (why) notes.push(`${why}: what came until then is kept`);
  return { result, isNotPython: false, isPart, notes };
}

/** Whether there would be more if it had gone on. A dump that came is whole, whatever came after it. */
function isShort(answer: SpyAnswer, job: SpyJob): boolean {
  const { outputs, over, whole, progress } = answer;
  const { what, rounds } = { ...captureDefaults, ...job };
  if (what === 'dump' || what === 'native') return false;
  if (what === 'many' && outputs.length >= rounds && !isLastCut(answer)) return false;
  return over || !whole || hasExited(progress);
}

function resultOf(reading: Reading): { readonly result?: CaptureResult; readonly missing?: number } {
  const { answer, context, request, job, id, time, receivedAt } = reading;
  const { what, pid } = job;
  const command = context.run?.processes.find((p) => p.pid === pid)?.commandLine.join(' ') ?? '';
  const base = { host: context.host, source: 'stacks', time, receivedAt, pid, command, capture: id } as const;
  if (what === 'dump' || what === 'native') {
    const last = answer.outputs.at(-1);
    const threads = last?.code === 0 ? readThreads(last.text) : undefined;
    if (!threads) return {};
    const native = what === 'native' && answer.plainBecause === undefined;
    const more = { ...(native && { native }), ...(request.auto && { auto: request.auto }) };
    return { result: { ...base, kind: 'stacks', threads, ...more } };
  }
  if (what === 'many') {
    const profile = foldDumps(answer, job);
    return profile ? { result: { ...base, kind: 'profile', what, ...profile } } : {};
  }
  const record = readRaw(answer, job);
  if (!record) return {};
  const { profile, missing } = record;
  // It was ended before its first look.
  if (what === 'record' && answer.over && profile.samples === 0) return {};
  return {
    result: { ...base, kind: 'profile', what, ...profile },
    ...(missing !== undefined && { missing }),
  };
}

function notesOn({ plainBecause, left, state, progress }: SpyAnswer, { pid }: SpyJob): string[] {
  return [
    ...(plainBecause === undefined
      ? []
      : [
          `Native frames of process ${pid} could not be had, a plain dump came instead; py-spy said: ${lastLine(plainBecause) || 'nothing'}`,
        ]),
    ...(left === 'resumed'
      ? [`Process ${pid} was left stopped when py-spy was ended; it was sent SIGCONT and runs on`]
      : []),
    ...(left === undefined && state === 'T' ? [`Process ${pid} is stopped (state T), and was before the capture`] : []),
    ...(hasExited(progress) ? [`Process ${pid} ended during the capture`] : []),
  ];
}

/** py-spy 0.4.2: `Stopped sampling because process exited`. */
function hasExited(progress: readonly string[]): boolean {
  return progress.some((line) => line.includes('process exited'));
}
