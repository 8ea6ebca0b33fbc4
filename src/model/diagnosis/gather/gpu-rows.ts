import type { GpusSample } from '../../samples.ts';
import { thresholds } from '../thresholds.ts';
import type { Window } from './gatherer.ts';
import { columnAt, columnCount, columnsOf } from './gpu-columns.ts';
import { createGpuCounters } from './gpu-counters.ts';
import { createMemoryTurns } from './memory-turns.ts';
import { createWindowMeans, type Means } from './window-means.ts';

/** What frames said of one GPU. */
export interface GpuRows {
  take(frame: GpusSample, row: number): void;
  summary(window: Window): GpuSummary;
}

/** One GPU over a window; NaN: nobody told. Percent where nothing else is said. */
export interface GpuSummary {
  readonly utilization: number;
  readonly idleShare: number;
  /** Standard deviation of the readings, points. */
  readonly spread: number;
  readonly lateUtilization: number;
  /** Watts. */
  readonly latePower: number;
  /** By `columnAt`. */
  readonly frames: Means;
  /** By `counterAt`; and those that tell of nothing before `lateFrom`. */
  readonly counters: Means;
  readonly lateCounters: Means;
  /** Utilization over the time that `counters` tell of. */
  readonly countedUtilization: number;
  /** Per 10 s. */
  readonly memoryTurns: number;
}

/** Rounds of nvidia-smi in one frame are so far from each other where their times are not told. */
const usualReadingMs = 250;
/** Of a frame that comes sooner nothing is kept: ten a second fill the longest window. */
const leastGapMs = 90;
/** utilization.gpu is over the last sample period of the driver. */
const utilizationLagMs = 250;
/** power.draw is the mean of the last second (since Ampere). */
const powerLagMs = 1000;
/**
 * Counters of a minute ago hold for now where the GPU is as busy and draws as much as then: the same use and the same power are the same arithmetic. Kernels that
 * wait (121 W of 700 on an H200) and kernels that compute (a third and more) are further apart, and so are a starved GPU and a fed one. Steps make
 * utilization and power of a few seconds move by some percent.
 */
const sameUsePoints = 10;
const samePowerShare = 0.1;

/** Where frames come more seldom than windows are long the newest counts. */
const orNewest = true;

/** Columns of a reading of utilization. */
const readingAt = { percent: 0, square: 1, idle: 2 } as const;

/** Of a GPU that was not seen yet. */
export function createGpuRows(): GpuRows {
  const readings = createWindowMeans({ columns: 3, leastGapMs });
  const frames = createWindowMeans({ columns: columnCount, leastGapMs });
  const counters = createGpuCounters();
  const turns = createMemoryTurns();

  /** Whether use and power of a window are those of some seconds before it. */
  function isSame(percent: number, watts: number, then: Readonly<{ from: number; to: number }>): boolean {
    const was = readings.over(then).mean(readingAt.percent);
    const drew = frames.over({ from: then.from, to: then.to + powerLagMs }).mean(columnAt.power);
    return Math.abs(percent - was) <= sameUsePoints && Math.abs(watts - drew) <= samePowerShare * Math.max(watts, drew);
  }

  return {
    take(frame, row) {
      const { receivedAt: to } = frame;
      const all = frame.utilizationReadings?.[row] ?? [frame.utilizationPercent?.[row] ?? NaN];
      const stepMs = Math.min(usualReadingMs, Math.abs(to - (frames.lastAt() ?? -Infinity)) / all.length);
      for (const [i, percent] of all.entries())
        readings.add(to - (all.length - 1 - i) * stepMs, [
          percent,
          percent * percent,
          Number.isNaN(percent) ? NaN : Number(percent <= thresholds.idle.value),
        ]);
      frames.add(to, columnsOf(frame, row));
      turns.add(to, frame.memoryUsedBytes?.[row] ?? NaN);
      counters.take(frame, row);
    },
    summary(window) {
      const { from, to, lateFrom } = window;
      const use = readings.over({ from, to, orNewest });
      const percent = use.mean(readingAt.percent);
      const all = frames.over({ from, to, orNewest });
      const counted = counters.over(window, (then) => isSame(percent, all.mean(columnAt.power), then));
      return {
        utilization: percent,
        idleShare: 100 * use.mean(readingAt.idle),
        spread: Math.sqrt(Math.max(0, use.mean(readingAt.square) - percent ** 2)),
        lateUtilization: readings.over({ from: lateFrom + utilizationLagMs, to }).mean(readingAt.percent),
        latePower: frames.over({ from: lateFrom + powerLagMs, to }).mean(columnAt.power),
        frames: all,
        counters: counted.all,
        lateCounters: counted.late,
        countedUtilization: readings.over(counted).mean(readingAt.percent),
        memoryTurns: turns.per10s(from),
      };
    },
  };
}
