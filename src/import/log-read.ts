import { createBatch } from '../collectors/log/batch.ts';
import type { ReaderOptions } from '../collectors/log/reader.ts';
import { readStamp } from '../collectors/log/stamps.ts';
import type { LogSample } from '../model/samples.ts';
import type { Span } from './files.ts';
import { createForwards } from './forwards.ts';
import type { LineFile } from './lines.ts';

/** What a first reading of a log shows. */
export interface LogSurvey {
  /** Undefined: no line of it has a time. */
  readonly span: Span | undefined;
  /** The latest that lines tell which go by another clock than the first does. */
  readonly others: { readonly epoch?: number; readonly wall?: number };
  readonly lines: number;
  /** Lines without a stamp of their own. */
  readonly unstamped: number;
  /** What must be known of its times: one sentence each. */
  readonly notes: readonly string[];
}

const utc = { utcOffsetMinutes: 0, clockOffsetMs: 0 };
const halfDayMs = 43_200_000;
/** The first time without a date is of the first day: it is looked for before the end of that. */
const firstDayMs = halfDayMs - 6000;
/** The last day that a Date can tell: a stamp without a date lands there. */
const lastDay = 8.64e15 - 86_400_000;
const dayMs = 86_400_000;
/** Ranks that write to one log are some moments apart. */
const apartMs = 2000;

/** Reads a log to its end. */
export async function surveyLog(file: LineFile): Promise<LogSurvey> {
  let lines = 0;
  let unstamped = 0;
  let span: { clock: Span['clock']; from: number; to: number } | undefined;
  const others: { epoch?: number; wall?: number } = {};
  const forwards = createForwards('line', apartMs);
  for await (const some of file.lines()) {
    for (const { text } of some) {
      if (text.trim() === '') continue;
      lines++;
      const stamp = stampOf(text, span?.to ?? firstDayMs);
      if (!stamp) {
        unstamped++;
        continue;
      }
      const { clock, time } = stamp;
      span ??= { clock, from: time, to: time };
      if (span.clock === clock) span.to = forwards.place(time);
      else if (clock !== 'day') others[clock] = Math.max(others[clock] ?? -Infinity, time);
    }
  }
  return { span, others, lines, unstamped, notes: forwards.notes() };
}

/** The time that a line tells, in its own terms; `near`: of the line before, for one without a date. */
function stampOf(
  text: string,
  near: number,
): { readonly clock: Exclude<Span['clock'], 'rounds'>; readonly time: number } | undefined {
  if (!/\d:\d/.test(text)) return undefined;
  const full = readStamp(text, lastDay, utc);
  if (full === undefined) return undefined;
  // The zone behind it makes it a time of its own.
  if (full < lastDay - 2 * dayMs) {
    const shifted = readStamp(text, lastDay, { utcOffsetMinutes: 60, clockOffsetMs: 0 });
    return { clock: shifted === full ? 'epoch' : 'wall', time: full };
  }
  const time = readStamp(text, near + halfDayMs, utc);
  return time === undefined ? undefined : { clock: 'day', time };
}

interface ReadInit {
  readonly host: string;
  readonly source: string;
  /** As it stands on the screen. */
  readonly path: string;
  readonly lines: LineFile;
  readonly survey: LogSurvey;
  /** From the file's times to ours. */
  readonly shift: number;
  /** The host's zone. */
  readonly utcOffsetMinutes: number;
  /** Lines of before stood in the file when the recording begins. */
  readonly beginAt: number;
  /** No line came after this. */
  readonly endAt: number;
  /** Where the lines stand that nothing dates: when the file was written at the latest. */
  readonly undatedAt: number;
  readonly reading?: ReaderOptions;
}

/**
 * The lines as they came. One without a stamp came with the line before it, as far as is known; those before the first stamp
 * with that one. Without any stamp all of it is what stood in the file when it was saved.
 */
export async function* readLog(init: ReadInit): AsyncGenerator<LogSample> {
  const { host, source, path, reading, lines: file, survey, shift, utcOffsetMinutes, beginAt, endAt, undatedAt } = init;
  const { span } = survey;
  const shiftOf = (clock: Span['clock']) =>
    clock === span?.clock ? shift : clock === 'epoch' ? 0 : -utcOffsetMinutes * 60_000;
  let offset = 0;
  const clock = { utcOffsetMinutes, clockOffsetMs: 0 };
  const batch = createBatch({ host, source, ...(reading && { reading }) }, () => ({ path, offset, clock }));
  if (survey.lines === 0) {
    yield* batch.flushAlways(undatedAt);
    return;
  }
  let at = span ? span.from + shift : undatedAt;
  for await (const lines of file.lines()) {
    for (const { text, bytes } of lines) {
      offset += bytes;
      const stamp = span && stampOf(text, at - shiftOf('day'));
      const time = stamp && Math.min(stamp.time + shiftOf(stamp.clock), endAt);
      // The tape does not run backwards.
      if (time !== undefined && time > at) {
        if (time > beginAt) yield* batch.flush(Math.max(at, beginAt));
        at = time;
      }
      const isOld = at < beginAt;
      const backlog = (!span || isOld) && (isOld ? { writtenAt: at } : {});
      yield* batch.turn(backlog !== false, beginAt);
      yield* batch.add({ text, bytes, receivedAt: Math.max(at, beginAt), backlog });
    }
  }
  yield* batch.flush(Math.max(at, beginAt));
}
