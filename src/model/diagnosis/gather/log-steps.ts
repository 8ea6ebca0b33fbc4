import type { LogLine } from '../../log-samples.ts';
import { createReservoir, median } from './log-median.ts';

/** How long steps take, as the log prints it or by its steps. */
export interface Steps {
  /** A line with progress. */
  take(line: LogLine): void;
  /** Median of the newest few, seconds. */
  newest(): number | undefined;
  /** Median of those from there on, seconds. */
  median(from: number): number | undefined;
  /** Their mean: what is waited for now and then is in it. */
  mean(from: number): number | undefined;
  /** Median of the run before there, seconds; absent: there were too few. */
  before(from: number): number | undefined;
}

interface Reading {
  readonly time: number;
  readonly seconds: number;
}

const mostReadings = 400;
/** Nearer ones are one: a flood prints thousands a second. */
const nearestMs = 100;
/** Two slow steps of three are a slow run; one is a save or an evaluation. */
const newestOnes = 3;
const fewestBefore = 5;
/** Whole seconds of stamps are a fifth of it at most. */
const countedMs = 5000;

/** Before any line. */
export function createSteps(): Steps {
  let readings: Reading[] = [];
  const older = createReservoir();
  let isPrinted = false;
  let anchor: { readonly time: number; readonly step: number } | undefined;
  let takenAt = -Infinity;

  function add(time: number, seconds: number) {
    if (!Number.isFinite(seconds) || seconds <= 0 || Math.abs(time - takenAt) < nearestMs) return;
    takenAt = time;
    readings.push({ time, seconds });
    if (readings.length <= mostReadings) return;
    for (const { seconds: old } of readings.slice(0, mostReadings / 4)) older.add(old);
    readings = readings.slice(mostReadings / 4);
  }

  /** Seconds a step by how far it came since the last reading; lines of one second stand for its end. */
  function counted(time: number, step: number) {
    if (!anchor || step < anchor.step || time < anchor.time || (time === anchor.time && step > anchor.step)) {
      anchor = { time, step };
      return;
    }
    if (time - anchor.time < countedMs || step === anchor.step) return;
    add(time, (time - anchor.time) / 1000 / (step - anchor.step));
    anchor = { time, step };
  }

  function since(from: number): readonly number[] {
    const late: number[] = [];
    for (const { time, seconds } of readings) if (time >= from) late.push(seconds);
    return late;
  }

  return {
    take({ time, values = {} }) {
      const { stepSeconds, iterationsPerSecond, step } = values;
      const printed = stepSeconds ?? (iterationsPerSecond !== undefined ? 1 / iterationsPerSecond : undefined);
      if (printed !== undefined && Number.isFinite(printed) && printed > 0) {
        if (!isPrinted) readings = [];
        isPrinted = true;
        add(time, printed);
      } else if (!isPrinted && step !== undefined) counted(time, step);
    },
    newest: () => median(readings.slice(-newestOnes).map(({ seconds }) => seconds)),
    median: (from) => median(since(from)),
    mean(from) {
      const late = since(from);
      return late.length === 0 ? undefined : late.reduce((sum, seconds) => sum + seconds, 0) / late.length;
    },
    before(from) {
      const all = [...older.values()];
      for (const { time, seconds } of readings) if (time < from) all.push(seconds);
      return all.length < fewestBefore ? undefined : median(all);
    },
  };
}
