import type { StageReading } from './samples.ts';

/** A stage as last printed. */
export interface StageState extends StageReading {
  readonly time: number;
  /** The average that was printed before. */
  readonly beforeMs?: number;
}

/** A stage with its part of the step. */
export interface StageShare extends StageState {
  /** 0 to 1. */
  readonly share?: number;
  /** It is the step itself: the others are its parts. */
  readonly isWhole?: true;
  /** Against the print before, as a part of that. */
  readonly change?: number;
}

/** What the shares are of: the step's own time, or the sum of what is printed. */
export type ShareOf = 'step' | 'sum';

/** Adds a print of a stage. */
export function addStageReading(before: StageState | undefined, reading: StageReading, time: number): StageState {
  return { ...reading, time, ...(before?.averageMs !== undefined && { beforeMs: before.averageMs }) };
}

/**
 * Shares of the step. Where the log times the whole step, or prints how long one takes, a share is of that; else of the sum of all stages,
 * each weighed by how often it ran where that is printed for all (threads beside each other have counts of their own).
 */
export function shareStages(
  stages: readonly StageState[],
  stepMs: number | undefined,
): { readonly of: ShareOf; readonly stages: readonly StageShare[] } {
  const whole = stages.find(({ name, averageMs }) => isWholeName(name) && (averageMs ?? 0) > 0);
  const parts = stages.filter((stage) => stage !== whole);
  const counted =
    stages.every(({ count }) => (count ?? 0) > 0) && stages.some(({ count }) => count !== stages[0]?.count);
  const timeOf = ({ averageMs, count }: StageState) =>
    averageMs === undefined || !Number.isFinite(averageMs) ? 0 : averageMs * (counted ? (count ?? 1) : 1);
  const sum = parts.reduce((all, stage) => all + timeOf(stage), 0);
  // Stages that overlap, or that a step has several of, come to more than it.
  const fits = stepMs !== undefined && !counted && sum <= 1.05 * stepMs;
  const of: ShareOf = whole || fits ? 'step' : 'sum';
  const base = whole ? timeOf(whole) : fits ? stepMs : sum;
  return {
    of,
    stages: stages.map((stage) => {
      const { averageMs, beforeMs } = stage;
      const share = averageMs === undefined || base === 0 ? undefined : timeOf(stage) / base;
      const change = averageMs === undefined || !beforeMs ? undefined : averageMs / beforeMs - 1;
      return {
        ...stage,
        ...(share !== undefined && { share }),
        ...(stage === whole && { isWhole: true as const }),
        ...(change !== undefined && { change }),
      };
    }),
  };
}

/** `step`, `timing_s/step`, `step_total`, `train step time`, `iteration`. */
function isWholeName(name: string): boolean {
  const last = name.toLowerCase().split(/[/.:]/).at(-1) ?? '';
  return /^(train(ing)?[ _-]?)?(step|iter|iteration|total)([ _-]?(total|time|ms|s))?$/.test(last.trim());
}
