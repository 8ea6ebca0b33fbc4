import type { LogValues } from '../../log-samples.ts';

/** How much of a step goes to waiting for data, as the log prints it. */
export interface DataTimes {
  take(values: LogValues, time: number): void;
  /** Percent of the step, over the readings from there to there; absent: the log does not tell it, or not of what. */
  share(from: number, to: number, stepSeconds: number | undefined): DataShare | undefined;
}

/** A share and the name that it is printed under. */
export interface DataShare {
  readonly value: number;
  readonly of: string;
}

interface Reading {
  readonly time: number;
  readonly ms?: number;
  /** Of 1: as it is printed, or by how often the stage ran since its print before. */
  readonly share?: number;
}

interface Stage {
  readonly time: number;
  readonly ms: number;
  readonly count: number | undefined;
}

const mostNames = 8;
const mostStages = 64;
const mostReadings = 120;
const nearestMs = 200;
/** A part of so few stages is no part of a step. */
const fewestStages = 3;

/** Before any line. */
export function createDataTimes(): DataTimes {
  const data = new Map<string, Reading[]>();
  const stages = new Map<string, Stage>();

  function add(name: string, reading: Reading) {
    const readings = data.get(name) ?? (data.size < mostNames ? [] : undefined);
    const last = readings?.at(-1);
    const value = reading.ms ?? reading.share ?? NaN;
    if (!readings || !(value >= 0 && value < Infinity)) return;
    if (last && Math.abs(reading.time - last.time) < nearestMs) return;
    data.set(name, readings);
    readings.push(reading);
    if (readings.length > mostReadings) readings.shift();
  }

  function addStage(name: string, { ms, count, time }: Stage) {
    const before = stages.get(name);
    if (before || stages.size < mostStages) stages.set(name, { time, ms, count });
    if (meaningOf(name) === 'other') return;
    const since = before && time - before.time;
    const share = count !== undefined && since ? (ms * count) / since : undefined;
    // More than all the time: it is of several threads, or counted since the run began.
    add(name, { time, ms, ...(share !== undefined && share > 0 && share <= 1 && { share }) });
  }

  /** Of all that is printed, each as often as it ran; the log does not say how long a step takes. */
  function shareOfSum(name: string, ms: number, from: number): number | undefined {
    const late = [...stages].filter(([, { time }]) => time >= from);
    if (late.length < fewestStages) return undefined;
    const isCounted = late.every(([, { count }]) => (count ?? 0) > 0);
    const timeOf = ({ ms: each, count }: Stage) => each * (isCounted ? (count ?? 1) : 1);
    const sum = late.reduce((all, [other, stage]) => (other === name ? all : all + timeOf(stage)), 0);
    const own = ms * (isCounted ? (stages.get(name)?.count ?? 1) : 1);
    return sum > 0 ? own / (own + sum) : undefined;
  }

  return {
    take({ stages: told, queues, other }, time) {
      for (const { name, averageMs, count } of told ?? [])
        if (averageMs !== undefined && Number.isFinite(averageMs)) addStage(name, { ms: averageMs, count, time });
      for (const { name, waitSeconds } of queues ?? [])
        if (waitSeconds !== undefined && meaningOf(name) !== 'other') add(name, { time, ms: 1000 * waitSeconds });
      if (!other) return;
      for (const name in other) {
        const unit = meaningOf(name);
        const value = other[name];
        if (unit === 'other' || unit === 'data' || value === undefined) continue;
        const isShare = unit === 'share' || unit === 'percent';
        add(name, { time, [isShare ? 'share' : 'ms']: value * factors[unit] });
      }
    },
    share(from, to, stepSeconds) {
      let most: DataShare | undefined;
      for (const [of, readings] of data) {
        const late = readings.filter(({ time }) => time >= from && time <= to);
        const shares = late.flatMap(({ share }) => share ?? []);
        const ms = meanOf(late.flatMap((reading) => reading.ms ?? []));
        const share =
          shares.length === late.length || ms === undefined
            ? meanOf(shares)
            : (shareOfStep(ms, stepSeconds) ?? shareOfSum(of, ms, from));
        // Names within one another: the whole is the largest.
        if (share !== undefined && (!most || 100 * share > most.value))
          most = { value: Math.min(100, 100 * share), of };
      }
      return most;
    },
  };
}

const meanOf = (values: readonly number[]) =>
  values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;

function shareOfStep(ms: number, stepSeconds: number | undefined): number | undefined {
  if (stepSeconds === undefined) return undefined;
  const stepMs = stepSeconds * 1000;
  // Some count the step from where its data is there.
  return ms > stepMs ? ms / (ms + stepMs) : ms / stepMs;
}

/** `data_time`, `dataloader`, `Data (t)`, `avg_reader_cost`, `fetch`, `batch-generator`, `time/data`, `throughput/device/data loading (s)`. */
const dataWords =
  /\b(?:data|dataload\w*|loaders?|load|loading|fetch\w*|readers?|read|input|batch (?:gen\w*|load\w*|fetch\w*|wait)|(?:get|next|load|fetch|wait) batch|dl|prefetch|collate)\b/;
/** With these it is other work: data parallel, the last one beside the mean, a checkpoint that is loaded. */
const otherWords =
  /\b(?:last|max|min|eval\w*|val\w*|test\w*|save\w*|ckpt|checkpoint\w*|model|weights?|parallel|reduce|grads?|gradient|h2d|d2h|experts?|balanc\w*|tokens?|size|epoch|loss|seen|queue|depth)\b/;

type Unit = 'ms' | 's' | 'us' | 'share' | 'percent';
/** To ms, or to a share of 1. */
const factors: Readonly<Record<Unit, number>> = { ms: 1, s: 1000, us: 0.001, share: 1, percent: 0.01 };
const units: readonly (readonly [Unit, RegExp])[] = [
  ['share', /\b(?:frac(?:tion)?|ratio|share)\b/],
  ['percent', /\b(?:percent|pct)\b|%/],
  ['ms', /\b(?:ms|millis\w*)\b/],
  ['us', /\b(?:us|micros\w*)\b/],
  ['s', /\b(?:s|secs?|seconds?|time|wait|cost|t)\b/],
];

const meanings = new Map<string, Unit | 'data' | 'other'>();
/** Keys may be new in each line. */
const mostMeanings = 2000;

/** Whether a name is of data, and in what its number is where it says so; times are in seconds where it does not (mmengine, detectron2). */
function meaningOf(name: string): Unit | 'data' | 'other' {
  const known = meanings.get(name);
  if (known) return known;
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z0-9%]+/g, ' ');
  const isData = dataWords.test(words) && !otherWords.test(words);
  const meaning = isData ? (units.find(([, unit]) => unit.test(words))?.[0] ?? 'data') : 'other';
  if (meanings.size >= mostMeanings) meanings.clear();
  meanings.set(name, meaning);
  return meaning;
}
