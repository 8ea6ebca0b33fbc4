import type { LogLine, LogSample } from './samples.ts';

/** When lines of a kind came last, and how often they come. JSON-safe and bounded. */
export interface Pace {
  /** When the last was written, as far as that is known. */
  readonly lastAt: number;
  /** When it reached us; of what stood in the file before, when it was written. */
  readonly arrivedAt: number;
  /** The last pauses between arrivals, oldest first. */
  readonly pausesMs: readonly number[];
}

/** Lines that come within this time of one another came together. */
const togetherMs = 1000;
const mostPauses = 15;
/** However fast they come, a shorter silence says nothing: a log may be written in blocks. */
const shortestMs = 10_000;
/** Where no pace is known yet. */
const unknownMs = 30_000;

/** The pace after these lines of a sample, in their order; none: as it was. */
export function keepPace(before: Pace | undefined, sample: LogSample, lines: readonly LogLine[]): Pace | undefined {
  const last = lines.at(-1);
  if (!last) return before;
  const { backlog, receivedAt, writtenAt } = sample;
  const end = sample.lines.at(-1)?.time ?? receivedAt;
  // The program may keep another zone than the host: what the file's last change says is surer than a stamp.
  const shift = backlog && writtenAt !== undefined ? writtenAt - end : 0;
  const lastAt = Math.min(Math.max(before?.lastAt ?? -Infinity, last.time + shift), receivedAt);
  const arrivals = backlog
    ? [...lines.filter(({ undated }) => !undated).map(({ time }) => time + shift), lastAt]
    : [receivedAt];
  const first = { lastAt, arrivedAt: arrivals[0] ?? lastAt, pausesMs: [] };
  return { ...arrivals.reduce(arrive, before ?? first), lastAt };
}

/** How long nothing more has come; `isLong`: about three times longer than usual. It is an age, and no fault. */
export function silence(
  pace: Pace | undefined,
  now: number,
): { readonly ageMs: number; readonly isLong: boolean } | undefined {
  if (!pace) return undefined;
  const { lastAt, arrivedAt, pausesMs } = pace;
  // Most pauses are shorter than this; one long one, as that of an evaluation, does not count.
  const usual = [...pausesMs].sort((a, b) => a - b)[Math.floor(0.75 * pausesMs.length)];
  const longMs = usual === undefined ? unknownMs : Math.max(shortestMs, 3 * usual);
  return { ageMs: Math.max(0, now - lastAt), isLong: now - arrivedAt > longMs };
}

function arrive(pace: Pace, arrivedAt: number): Pace {
  const pauseMs = arrivedAt - pace.arrivedAt;
  // This machine's clock was set back.
  if (pauseMs < 0) return { ...pace, arrivedAt };
  if (pauseMs < togetherMs) return pace;
  return { ...pace, arrivedAt, pausesMs: [...pace.pausesMs, pauseMs].slice(-mostPauses) };
}
