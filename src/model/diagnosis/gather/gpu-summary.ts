import { thresholds } from '../thresholds.ts';
import type { FreshRows } from './fresh-rows.ts';
import type { Window } from './gatherer.ts';
import { columnAt, columnCount } from './gpu-columns.ts';

/** Means and shares of one GPU over a window; NaN: nobody told. */
export interface GpuSummary {
  readonly utilization: number;
  /** 0 to 1. */
  readonly idleShare: number;
  readonly spread: number;
  readonly lateUtilization: number;
  /** By `columnAt`: means over the window, and since `lateFrom`. */
  readonly means: readonly number[];
  readonly lateMeans: readonly number[];
  /** Mean SM clock of the frames with work, MHz: the clock of an idle GPU says nothing. */
  readonly clockAtWork: number;
  /** Mean utilization over the time that the counters tell of: they are late. */
  readonly countedUtilization: number;
  /** Times that memory in use turned, per 10 s. */
  readonly memoryTurns: number;
}

/** What is kept of one GPU. */
export interface GpuRows {
  /** One column, percent. */
  readonly readings: FreshRows;
  /** `columnAt`. */
  readonly frames: FreshRows;
  /** When a frame last had the GPU's own counters; NaN: none had. */
  countersAt: number;
}

/** utilization.gpu is over the last sample period of the driver. */
const utilizationLagMs = 250;
/** power.draw is the mean of the last second (since Ampere). */
const powerLagMs = 1000;
/**
 * A round of dmon tells the counters of the round before its own (H200, driver 580: in a hang they fell to nothing one round after power did, and the
 * first two rounds have none), so that they are up to two rounds old; frames that a round was joined to are up to a quarter of a second before it.
 */
const countersLagRounds = 2;
const shortestRoundMs = 1000;
const joinedMs = 250;
const turnBytes = 16 * 1024 * 1024;
/** Turns over less time than this are no rate. */
const leastTurnsMs = 3000;

/** All that a window says of one GPU, in one walk. */
export function summarize({ readings, frames }: GpuRows, { from, to, lateFrom }: Window): GpuSummary {
  const all = mean();
  const late = mean();
  let idle = 0;
  readings.each({ from, to }, (row, time) => {
    const value = row(0);
    if (!Number.isFinite(value)) return;
    all.add(value);
    if (value <= thresholds.idle.value) idle++;
    if (time >= lateFrom + utilizationLagMs) late.add(value);
  });
  const means = Array.from({ length: columnCount }, mean);
  const lateMeans = Array.from({ length: columnCount }, mean);
  const clock = mean();
  const turns = createTurns();
  let countedFrom = Infinity;
  let countedTo = -Infinity;
  frames.each({ from, to }, (row, time) => {
    for (let column = 0; column < columnCount; column++) {
      const value = row(column);
      if (!Number.isFinite(value)) continue;
      means[column]?.add(value);
      if (time >= lateFrom + lagOf(column, row(columnAt.countersGap))) lateMeans[column]?.add(value);
    }
    if (row(columnAt.utilization) > thresholds.idle.value && row(columnAt.clock) > 0) clock.add(row(columnAt.clock));
    turns.add(time, row(columnAt.memoryUsed));
    const lag = lagOf(columnAt.smActive, row(columnAt.countersGap));
    if (!Number.isFinite(row(columnAt.smActive) + lag)) return;
    countedFrom = Math.min(countedFrom, time - lag);
    countedTo = time - (lag - joinedMs) / countersLagRounds;
  });
  const counted = mean();
  readings.each({ from: countedFrom, to: countedTo }, (row) => Number.isFinite(row(0)) && counted.add(row(0)));
  return {
    utilization: all.value(),
    idleShare: all.count() === 0 ? NaN : idle / all.count(),
    spread: all.deviation(),
    lateUtilization: late.value(),
    means: means.map((each) => each.value()),
    lateMeans: lateMeans.map((each) => each.value()),
    clockAtWork: clock.value(),
    countedUtilization: counted.value(),
    memoryTurns: turns.per10s(),
  };
}

/** How far back in time a value of the column tells of, ms; NaN: not known. */
function lagOf(column: number, countersGap: number): number {
  if (column === columnAt.power) return powerLagMs;
  const isCounter = column >= columnAt.smActive && column <= columnAt.nvlink;
  return isCounter ? joinedMs + countersLagRounds * Math.max(shortestRoundMs, countersGap) : utilizationLagMs;
}

/** Counts where memory in use turns from growing to falling or back; a warm-up only grows. */
function createTurns() {
  let first = NaN;
  let last = NaN;
  let peak = NaN; // the most, or least, since the last turn
  let way = 0;
  let turns = 0;
  return {
    add(time: number, bytes: number) {
      if (!Number.isFinite(bytes)) return;
      if (Number.isNaN(first)) {
        first = time;
        peak = bytes;
      }
      last = time;
      const moved = bytes - peak;
      if (way !== 0 && Math.sign(moved) === way) peak = bytes;
      else if (Math.abs(moved) >= turnBytes) {
        if (way !== 0) turns++;
        way = Math.sign(moved);
        peak = bytes;
      }
    },
    per10s: () => (last - first >= leastTurnsMs ? (turns * 10_000) / (last - first) : NaN),
  };
}

function mean() {
  let count = 0;
  let sum = 0;
  let squares = 0;
  return {
    add(value: number) {
      count++;
      sum += value;
      squares += value * value;
    },
    count: () => count,
    value: () => (count === 0 ? NaN : sum / count),
    deviation: () => (count === 0 ? NaN : Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2))),
  };
}
