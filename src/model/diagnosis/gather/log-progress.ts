import type { LogEventKind, LogLine, LogSample } from '../../log-samples.ts';
import { createPauses } from './log-pauses.ts';

/** What says that a run goes on: lines with a step that grew, a loss or a speed, and the pauses between them. */
export interface Progress {
  /** Whether the line is progress; backlog lines without a stamp are none. */
  take(sample: LogSample, line: LogLine): boolean;
  /** What the run does now takes its time: the pause until the next progress is no usual one. */
  excuse(): void;
  /** Of the last, epoch ms. */
  at(): number | undefined;
  /** Lines with progress from there to there. */
  count(from: number, to: number): number;
  /** Of all lines so far. */
  total(): number;
  /** The longest pause that is usual here, ms; absent: there were too few. */
  usualPauseMs(): number | undefined;
}

interface Log {
  step: number | undefined;
  stepInEpoch: number | undefined;
  /** A step that fell, without a loss beside it: the next one tells whether it grows again. */
  fell: number | undefined;
}

const mostLogs = 16;
/** Seconds that are counted. */
const mostSlots = 120;
/** Another log is followed where the one that told no steps is silent for so long. */
const takeoverMs = 30_000;
/** A line that tells of these tells of no step that was done. */
const failures: ReadonlySet<LogEventKind> = new Set([
  'cuda_oom',
  'host_oom',
  'nccl_timeout',
  'dist_backend',
  'xid',
  'gpu_lost',
  'traceback',
  'exception',
  'torchrun_child_failed',
  'rank_exit',
  'slurm_time_limit',
  'slurm_cancelled',
  'signal',
]);

/** Whether a line tells that something went wrong for good. */
export const isFailure = ({ event }: LogLine): boolean => event !== undefined && failures.has(event.kind);

/** Before any line. */
export function createProgress(): Progress {
  const logs = new Map<string, Log>();
  const slots: { readonly second: number; count: number }[] = [];
  const pauses = createPauses();
  let leading: { readonly path: string; readonly hasSteps: boolean } | undefined;
  let most: number | undefined;
  let lastAt: number | undefined;
  let total = 0;

  function logOf(path: string): Log | undefined {
    const known = logs.get(path);
    if (known || logs.size >= mostLogs) return known;
    const made: Log = { step: undefined, stepInEpoch: undefined, fell: undefined };
    logs.set(path, made);
    return made;
  }

  /** Several logs may tell the same, and another program's rates are no progress of the training. */
  function counts(path: string, line: LogLine): boolean {
    const step = line.values?.step;
    if (leading?.path === path) {
      if (step !== undefined && !leading.hasSteps) leading = { path, hasSteps: true };
      return true;
    }
    const follows =
      !leading ||
      (step !== undefined && (!leading.hasSteps || step > (most ?? -Infinity))) ||
      (!leading.hasSteps && line.time - (lastAt ?? 0) > takeoverMs);
    if (follows) leading = { path, hasSteps: step !== undefined };
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
    take({ path, receivedAt }, line) {
      const { values, undated, note } = line;
      if (!values || undated || note || isFailure(line) || line.repeats !== undefined) return false;
      const log = logOf(path);
      if (!log || !grows(log, line) || !counts(path, line)) return false;
      if (values.step !== undefined) most = values.step;
      const time = Math.min(line.time, receivedAt);
      if (line.event) pauses.excuse();
      pauses.take(time);
      countAt(time);
      lastAt = Math.max(lastAt ?? time, time);
      return true;
    },
    excuse: () => pauses.excuse(),
    at: () => lastAt,
    count: (from, to) =>
      slots.reduce(
        (sum, { second, count }) => sum + (second * 1000 > from - 1000 && second * 1000 <= to ? count : 0),
        0,
      ),
    total: () => total,
    usualPauseMs: () => pauses.usualMs(),
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
