import type { LogField, LogValues } from '../../model/samples.ts';

/** Tells which records tell a step again that another rank of the same log told. Remembers the newest steps. */
export interface Repeats {
  /** The rank whose step it is; undefined: this one counts. */
  of(rank: number | undefined, values: LogValues | undefined): number | undefined;
}

const mostSteps = 64;

interface Told {
  readonly rank: number;
  readonly fields: number;
}

/**
 * The first rank that tells a step leads, unless one that tells a loss is known (pipeline parallelism: only the last stage's rank has
 * one). What tells something that the leading one does not is no repetition.
 */
export function createRepeats(): Repeats {
  const steps = new Map<number, Told>();
  /** The rank that has told a loss where others told the same step without. */
  let lead: Told | undefined;
  return {
    of(rank, values) {
      const step = values?.step;
      if (rank === undefined || !values || step === undefined) return undefined;
      const fields = fieldsOf(values);
      const before = steps.get(step);
      if (!before) {
        remember(step, { rank, fields });
        return lead && lead.rank !== rank && isWithin(fields, lead.fields) && !hasLoss(fields) ? lead.rank : undefined;
      }
      if (before.rank === rank) {
        remember(step, { rank, fields: before.fields | fields });
        return undefined;
      }
      if (isWithin(fields, before.fields)) return before.rank;
      if (hasLoss(fields) && !hasLoss(before.fields)) {
        lead = { rank, fields };
        remember(step, lead);
      }
      return undefined;
    },
  };

  function remember(step: number, told: Told): void {
    steps.delete(step);
    steps.set(step, told);
    if (steps.size > mostSteps) steps.delete(steps.keys().next().value ?? step);
  }
}

const order: readonly LogField[] = [
  'loss',
  'validationLoss',
  'learningRate',
  'gradNorm',
  'tokensPerSecond',
  'samplesPerSecond',
  'iterationsPerSecond',
  'stepSeconds',
  'etaSeconds',
  'elapsedSeconds',
  'mfuPercent',
  'tflopsPerSecond',
  'memoryBytes',
  'epoch',
  'totalSteps',
  'stepInEpoch',
  'stepsPerEpoch',
];
const queues = 1 << order.length;
const stages = 2 << order.length;
const other = 4 << order.length;

/** What is told, a bit each. torchtitan's ranks without the loss print -1 for it. */
function fieldsOf(values: LogValues): number {
  let bits = (values.queues ? queues : 0) | (values.stages ? stages : 0) | (values.other ? other : 0);
  order.forEach((field, i) => {
    if (values[field] !== undefined && !(field === 'loss' && values.loss === -1)) bits |= 1 << i;
  });
  return bits;
}

const hasLoss = (fields: number) => (fields & 1) !== 0;
const isWithin = (fields: number, all: number) => (fields & ~all) === 0;
