import type { LogField } from '../../model/samples.ts';

/** What a key of a log line means. */
export interface Meaning {
  readonly field: LogField;
  /** Of two keys for one field on one line the higher counts (`reduced_train_loss` over the bar's rounded `loss`). */
  readonly rank: number;
  /** The key names one GPU's share. */
  readonly perGpu?: true;
  /** The unit of a bare number, where it is not the field's. */
  readonly unit?: 'ms' | 's';
}

/** The spellings of the common trainers, best first; compared after `normalise`. */
const spellings: Readonly<Record<LogField, readonly string[]>> = {
  step: [
    'global step',
    'num updates',
    'trainer global step',
    'completed step',
    'optimizer step',
    'train step',
    'step',
    'current step',
    'update',
    'iteration',
    'iter',
    'iter(train)',
    'batch',
    'it',
  ],
  totalSteps: ['total steps', 'max steps', 'num steps'],
  epoch: ['epoch'],
  loss: [
    'reduced train loss',
    'loss',
    'train loss',
    'training loss',
    'train ce loss',
    'lm loss',
    'loss train total',
    'total loss',
    'loss train',
    'loss train (curr)',
    'policy loss',
    'actor pg loss',
    'cross entropy loss',
    'ce',
    'xent',
  ],
  learningRate: ['lr', 'learning rate', 'learningrate', 'optim lr (group 0)', 'actor lr', 'act lr'],
  gradNorm: [
    'grad norm',
    'gnorm',
    'gradnorm',
    'gradient norm',
    'optim total grad norm',
    'actor grad norm',
    'total grad norm',
    'norm',
  ],
  tokensPerSecond: [
    'tok s',
    'tokens s',
    'tok sec',
    'tokens sec',
    'tokens per sec',
    'tokens per second',
    'train tokens per second',
    'throughput tokens per sec',
    'wps',
  ],
  samplesPerSecond: [
    'samples sec',
    'samples s',
    'samples per second',
    'samples per sec',
    'currsamplespersec',
    'samplespersec',
  ],
  stepSeconds: [
    'step time',
    'steptime',
    'iter time',
    'time per iteration',
    'elapsed time per iteration',
    'train step timing in s',
    'step avg',
    'timing s step',
    'seconds per step',
    'sec per step',
    'dt',
    'seconds',
    'time',
  ],
  etaSeconds: ['eta'],
  mfuPercent: ['mfu', 'bf16 mfu', 'throughput device mfu'],
  iterationsPerSecond: [],
  elapsedSeconds: [],
  tflopsPerSecond: [],
  memoryBytes: [],
  validationLoss: [],
  stepInEpoch: [],
  stepsPerEpoch: [],
};

const perGpu = [
  'tps',
  'tgs',
  'tokens per second per gpu',
  'tokens per sec per gpu',
  'tokens s device',
  'throughput device tokens per sec',
  'throughput device tps',
  'tokens gpu sec',
  'perf throughput',
];

const meanings = new Map<string, Meaning>();
for (const [field, names] of Object.entries(spellings) as [LogField, readonly string[]][]) {
  names.forEach((name, i) => meanings.set(name, { field, rank: names.length - i }));
}
for (const name of perGpu) meanings.set(name, { field: 'tokensPerSecond', rank: 0, perGpu: true });

/** Keys come again with every line. */
const remembered = new Map<string, Meaning | undefined>();
const mostRemembered = 2000;

/** What a key means, with a unit that stands in it (`step_ms`, `elapsed time per iteration (ms)`). */
export function meaningOf(key: string): Meaning | undefined {
  if (remembered.has(key)) return remembered.get(key);
  const meaning = findMeaning(key);
  if (remembered.size >= mostRemembered) remembered.clear();
  remembered.set(key, meaning);
  return meaning;
}

function findMeaning(key: string): Meaning | undefined {
  const name = normalise(key);
  const known = meanings.get(name);
  if (known) return known;
  const unit = /^(.*?)(?: per step)?(?: \((ms|s)\)| (ms|s|seconds))$/.exec(name);
  const base = unit && meanings.get(/^(step|iter|iteration)$/.test(unit[1] ?? '') ? 'step time' : (unit[1] ?? ''));
  if (!base || base.field !== 'stepSeconds') return undefined;
  return { ...base, unit: (unit[2] ?? unit[3]) === 'ms' ? 'ms' : 's' };
}

/** Lower case, every joint a space: `train/CE loss`, `train_ce-loss` are one name. */
function normalise(key: string): string {
  return key
    .toLowerCase()
    .replace(/\./g, ' ')
    .replace(/[_\-/\s]+/g, ' ')
    .trim();
}

/** A key that names a queue, a pool or what waits in one; times spent there are none. */
export function isQueueName(key: string): boolean {
  const name = key.slice(key.lastIndexOf('/') + 1);
  if (/(?:time|wait|_m?s|seconds|frac|ratio|rate|usage|hit)$/i.test(name) || /(?:^|_)time_/i.test(name)) return false;
  // Printed alone it is as often the capacity (OpenRLHF) as the depth.
  if (/^(?:max_)?(?:queue|pool|buffer)_(?:size|depth|capacity|limit)$/i.test(key)) return false;
  return /^q[_-]\w|^q$|queue|prefetch|^pool|_pool$|^pending|in_?flight|backlog|waiting/i.test(name);
}

/** Keys whose numbers measure nothing. */
export function isNoise(key: string): boolean {
  return /^(?:pid|ppid|tid|rank|local_rank|global_rank|node_rank|world_size|port|ip|line|v_num|seed|exitcode|job|version|device|gpu|cuda|node)$/i.test(
    key,
  );
}
