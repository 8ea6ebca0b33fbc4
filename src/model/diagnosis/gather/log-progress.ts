import type { LogLine, LogSample } from '../../log-samples.ts';
import { createPauses } from './log-pauses.ts';

/** What says that a run goes on: lines with a step that grew, a loss or a speed, and the pauses between them. */
export interface Progress {
  /** Whether the line is progress. Of backlog lines without a stamp only the last counts: it came when the file was last written to. */
  take(sample: LogSample, line: LogLine): boolean;
  /** What the run does now takes its time: the pause until the next progress is no usual one. */
  excuse(): void;
  /** Of the last, epoch ms. */
  at(): number | undefined;
  /** Whose log tells it. */
  source(): string | undefined;
  /** Lines with progress from there to there. */
  count(from: number, to: number): number;
  /** Of all lines so far. */
  total(): number;
  /** The longest pause that is usual here, ms, after that much silence; absent: there were too few. */
  usualPauseMs(silentMs: number): number | undefined;
}

interface Log {
  step: number | undefined;
  stepInEpoch: number | undefined;
  /** A step that fell, without a loss beside it: the next one tells whether it grows again. */
  fell: number | undefined;
}

/** By their sources: a log that is renamed goes on. */
const mostLogs = 32;
/** Seconds that are counted. */
const mostSlots = 120;
/** Another log is followed where the one that was followed is silent for so long. */
const takeoverMs = 30_000;
/** A buffer of 4 or 8 KiB holds some forty to eighty lines. */
const unknownMs = 30_000;
/** Before any line. */
export function createProgress(): Progress {
  const logs = new Map<string, Log>();
  const slots: { readonly second: number; count: number }[] = [];
  /** By the lines' stamps, and as they came: a log that is written through a buffer comes in bursts. */
  const stamped = createPauses();
  const received = createPauses();
  let leading: { readonly source: string; readonly hasSteps: boolean } | undefined;
  let most: number | undefined;
  let lastAt: number | undefined;
  let total = 0;

  function logOf(source: string): Log | undefined {
    const known = logs.get(source);
    if (known || logs.size >= mostLogs) return known;
    const made: Log = { step: undefined, stepInEpoch: undefined, fell: undefined };
    logs.set(source, made);
    return made;
  }

  /** Several logs may tell the same, and another program's rates are no progress of the training. */
  function counts(source: string, line: LogLine): boolean {
    const step = line.values?.step;
    if (leading?.source === source) {
      if (step !== undefined && !leading.hasSteps) leading = { source, hasSteps: true };
      return true;
    }
    const follows =
      !leading ||
      (step !== undefined && (!leading.hasSteps || step > (most ?? -Infinity))) ||
      ((!leading.hasSteps || step !== undefined) && line.time - (lastAt ?? 0) > takeoverMs);
    if (follows) leading = { source, hasSteps: step !== undefined };
    return follows;
  }

  function countAt(time: number) {
    const second = Math.floor(time / 1000);
    const last = slots.at(-1);
    total++;
    if (last && second <= last.second) {
      last.count++;
      return;
    }
    slots.push({ second, count: 1 });
    if (slots.length > mostSlots) slots.shift();
  }

  return {
    take({ source, receivedAt, backlog }, line) {
      const { values, undated } = line;
      if (!values || line.repeats !== undefined) return false;
      const log = logOf(source);
      if (!log || !grows(log, line) || !counts(source, line)) return false;
      if (values.step !== undefined) most = values.step;
      const time = Math.min(line.time, receivedAt);
      // A clock that was set back leaves a time to come.
      lastAt = lastAt !== undefined && lastAt <= receivedAt ? Math.max(lastAt, time) : time;
      if (undated) return true;
      stamped.take(time);
      if (!backlog) received.take(receivedAt);
      countAt(time);
      return true;
    },
    excuse() {
      stamped.excuse();
      received.excuse();
    },
    at: () => lastAt,
    source: () => leading?.source,
    count: (from, to) =>
      slots.reduce((sum, { second, count }) => sum + (second >= from / 1000 - 1 && second * 1000 <= to ? count : 0), 0),
    total: () => total,
    usualPauseMs(silentMs) {
      const [byStamps, asReceived] = [stamped.usualMs(), received.usualMs()];
      // Just begun to look: whether lines come in bursts is not known yet, but bursts are seldom that far apart.
      if (asReceived === undefined) return silentMs < unknownMs ? undefined : byStamps;
      return Math.max(byStamps ?? 0, asReceived);
    },
  };
}

/** Whether a line says that a step was done; the log remembers its step. */
function grows(log: Log, { values }: LogLine): boolean {
  const { step, stepInEpoch, loss, tokensPerSecond, samplesPerSecond, iterationsPerSecond } = values ?? {};
  const hasFigures = (loss ?? tokensPerSecond ?? samplesPerSecond ?? iterationsPerSecond) !== undefined;
  if (step !== undefined) {
    const { step: before, fell } = log;
    const isMore = before === undefined || step > before;
    // A restart begins with a lower step; a rank that tells how far it came has no figures beside it.
    const begins = before !== undefined && step < before && (hasFigures || (fell !== undefined && step > fell));
    log.fell = isMore || begins ? undefined : step;
    if (isMore || begins) log.step = step;
    return isMore || begins;
  }
  if (stepInEpoch !== undefined) {
    const isOther = stepInEpoch !== log.stepInEpoch;
    log.stepInEpoch = stepInEpoch;
    return isOther;
  }
  return hasFigures;
}
