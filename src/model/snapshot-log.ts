import { silence } from './pace.ts';
import type { QueueState } from './queue-capacity.ts';
import { lookAtQueue } from './queue-words.ts';
import type { Reading } from './ring.ts';
import { present, seconds } from './snapshot-values.ts';
import type { StageShare } from './stage-shares.ts';
import type { State } from './store.ts';
import type { RateSummary, ThroughputSummary } from './throughput-summary.ts';

/** What the logs say, named by the log that gives the values, else by the first. */
export function logSnapshot({ logs, throughput, settings }: State, summary: ThroughputSummary, now: number) {
  const all = [...logs.values()];
  const log = all.find(({ source }) => source === throughput.source) ?? all[0];
  if (!log) return undefined;
  const { queues: _q, stages, segment, format: _f, rate, derived, stageShareOf, ...values } = summary;
  const { meanMinute, meanQuarter, mean, best } = rate?.unit === 'tokens' ? rate : ({} as Partial<RateSummary>);
  return present({
    path: log.path,
    format: log.format,
    lines: log.lines.length + log.dropped,
    lineAgeSeconds: seconds(silence(log.pace, now)?.ageMs),
    valueAgeSeconds: seconds(silence(throughput.pace, now)?.ageMs),
    ...present(Object.fromEntries(Object.entries(values).map(([field, value]) => [field, plain(value)]))),
    meanTokensPerSecondMinute: meanMinute,
    meanTokensPerSecondQuarter: meanQuarter,
    meanTokensPerSecond: mean,
    bestTokensPerSecond: best?.value,
    ...(rate && { rate: rateSnapshot(rate) }),
    batchTokens: settings?.batchTokens,
    // Made of other values: the log does not print them.
    ...(derived.length > 0 && { derived }),
    ...(segment > 0 && { restarts: segment }),
    ...(stages.length > 0 && { stageShareOf }),
    stages: stages.map(stageSnapshot),
  });
}

/** A queue with what its depths say together. */
export function queueSnapshot(queue: QueueState) {
  const { name, depth, capacity, low, high, waitSeconds, learned } = queue;
  const { share, lowest, highest, trend, fill, slow } = lookAtQueue(queue);
  return present({
    ...{ name, depth, capacity, low, high, waitSeconds },
    ...(learned && { capacityLearned: true }),
    share: rounded(share),
    ...{ lowest, highest, trend, fill, slow },
  });
}

function rateSnapshot(rate: RateSummary) {
  const { unit, now, derived, meanMinute, meanQuarter, mean, best, shareOfBest, baseline } = rate;
  return present({
    unit: `${unit}/s`,
    now: now.value,
    ...{ derived, meanMinute, meanQuarter, mean },
    best: best.value,
    bestAt: new Date(best.time).toISOString(),
    shareOfBest: rounded(shareOfBest),
    ...(baseline && { baseline: present({ ...baseline, difference: rounded(baseline.difference) }) }),
  });
}

function stageSnapshot({ name, averageMs, maximumMs, count, share, change, isWhole }: StageShare) {
  return present({ name, averageMs, maximumMs, count, share: rounded(share), change: rounded(change), isWhole });
}

const rounded = (value: number | undefined) => (value === undefined ? undefined : Math.round(value * 1e4) / 1e4);

const plain = (value: Reading | number | string | undefined) => (typeof value === 'object' ? value.value : value);
