import type { LogRecord } from '../../collectors/log/reader.ts';
import type { LogField, LogValues, QueueReading, StageReading } from '../../model/samples.ts';
import type { NumberedPiece } from './pieces.ts';

/** Fields that have a place of their own in a record; the others are metrics. */
const fields = [
  'step',
  'totalSteps',
  'epoch',
  'loss',
  'learningRate',
  'gradNorm',
  'tokensPerSecond',
  'samplesPerSecond',
  'iterationsPerSecond',
  'stepSeconds',
  'mfuPercent',
  'memoryBytes',
  'etaSeconds',
  'elapsedSeconds',
  'validationLoss',
] as const satisfies readonly LogField[];

/** Model fields that go among the metrics, under these keys. */
const asMetrics = {
  stepInEpoch: 'step_in_epoch',
  stepsPerEpoch: 'steps_per_epoch',
} as const satisfies Partial<Record<LogField, string>>;

/** A record as an object of `traintop logs --json` (docs/formats.md). Numbers that JSON does not have are texts: `"NaN"`. */
export function recordJson({ pieces, format, rank, values, event, repeats }: LogRecord<NumberedPiece>): object {
  const numbers = (field: LogField) => (values?.[field] === undefined ? {} : { [field]: json(values[field]) });
  const metrics = metricsOf(values);
  return {
    line: pieces[0]?.line,
    ...(format !== undefined && { format }),
    ...(rank !== undefined && { rank }),
    ...Object.assign({}, ...fields.map(numbers)),
    ...(values?.tokensPerSecondScope && { tokensPerSecondScope: values.tokensPerSecondScope }),
    ...(values?.queues && { queues: byName(values.queues, queueJson) }),
    ...(values?.stages && { stages: byName(values.stages, stageJson) }),
    ...(event && { event: { kind: event.kind, ...event.details } }),
    ...(repeats !== undefined && { repeats }),
    ...(metrics && { metrics }),
  };
}

function metricsOf(values: LogValues | undefined): object | undefined {
  const own = Object.entries(asMetrics).flatMap(([field, key]) => {
    const value = values?.[field as keyof typeof asMetrics];
    return value === undefined ? [] : [[key, json(value)]];
  });
  const others = Object.entries(values?.other ?? {}).map(([key, value]) => [key, json(value)]);
  return own.length + others.length === 0 ? undefined : Object.fromEntries([...others, ...own]);
}

function byName<T extends { readonly name: string }>(all: readonly T[], one: (reading: T) => object): object {
  return Object.fromEntries(all.map((reading) => [reading.name, one(reading)]));
}

function queueJson({ name: _, ...rest }: QueueReading): object {
  return Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, json(value)]));
}

function stageJson({ averageMs, maximumMs, count }: StageReading): object {
  return {
    ...(averageMs !== undefined && { averageSeconds: json(seconds(averageMs)) }),
    ...(maximumMs !== undefined && { maximumSeconds: json(seconds(maximumMs)) }),
    ...(count !== undefined && { count }),
  };
}

/** 652.43 ms are 0.65243 s and not 0.6524299999999999. */
const seconds = (ms: number) => Number((ms / 1000).toPrecision(15));

const json = (value: number): number | string => (Number.isFinite(value) ? value : String(value));
