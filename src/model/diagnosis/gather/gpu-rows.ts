import type { GpusSample } from '../../samples.ts';
import { thresholds } from '../thresholds.ts';
import type { Window } from './gatherer.ts';
import { columnAt, columnCount, columnsOf, counterCount, countersOf } from './gpu-columns.ts';
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
 * A round of dmon tells the counters of the round before its own (H200, driver 580: in a hang they fell to nothing one round after power did, and the
 * first two rounds have none), so that they are up to two rounds old.
 */
const countersLagRounds = 2;
const shortestRoundMs = 1000;

/** Where frames come more seldom than windows are long the newest counts. */
const orNewest = true;

/** Columns of a reading of utilization. */
const readingAt = { percent: 0, square: 1, idle: 2 } as const;

/** Of a GPU that was not seen yet. */
export function createGpuRows(): GpuRows {
  const readings = createWindowMeans({ columns: 3, leastGapMs });
  const frames = createWindowMeans({ columns: columnCount, leastGapMs });
  const counters = createWindowMeans({ columns: counterCount });
  const turns = createMemoryTurns();
  let countersLag = countersLagRounds * shortestRoundMs;

  /** A frame has those of the newest round, be they new or not. */
  function takeCounters(at: number, values: readonly number[] | undefined) {
    const last = counters.lastAt();
    if (!values || at === last) return;
    if (last !== undefined && at > last) countersLag = countersLagRounds * Math.max(shortestRoundMs, at - last);
    counters.add(at, values);
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
      takeCounters(frame.countersTime?.[row] ?? to, countersOf(frame, row));
    },
    summary({ from, to, lateFrom }) {
      const use = readings.over({ from, to, orNewest });
      const percent = use.mean(readingAt.percent);
      const told = counters.over({ from, to, orNewest });
      const toldOf = { from: told.from - countersLag, to: told.to - countersLag / countersLagRounds };
      return {
        utilization: percent,
        idleShare: 100 * use.mean(readingAt.idle),
        spread: Math.sqrt(Math.max(0, use.mean(readingAt.square) - percent ** 2)),
        lateUtilization: readings.over({ from: lateFrom + utilizationLagMs, to }).mean(readingAt.percent),
        latePower: frames.over({ from: lateFrom + powerLagMs, to }).mean(columnAt.power),
        frames: frames.over({ from, to, orNewest }),
        counters: told,
        lateCounters: counters.over({ from: lateFrom + countersLag, to }),
        countedUtilization: readings.over(toldOf).mean(readingAt.percent),
        memoryTurns: turns.per10s(from),
      };
    },
  };
}
