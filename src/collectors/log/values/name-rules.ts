import type { KeyUnit, Meaning } from './names.ts';
import { placeOf, stageByUnit } from './name-places.ts';
import { spelled } from './spelled.ts';
import { lookup } from '../lookup.ts';

/** Words that say whose or which a number is, and not another thing. */
const plain = set(
  'train training trainer metrics metric model current curr cur now this step global log logs stats the overall info',
);
const averaged = set(
  'avg avr average mean smooth smoothed running ema median local batch minibatch mb iter iteration epoch',
);
const ofLoss = set(
  'lm reduced ce cross entropy crossentropy total policy actor pg main objective task language modeling sum xent mlm',
);
const ofNorm = set(
  'total global optim optimizer optimiser actor policy l2 preclip pre clip unclipped clipped p2 model all max',
);
const ofRate = set(
  'optim optimizer optimiser optim0 actor act policy group group0 pg pg0 0 lr0 adamw adam decoupled decoupledadamw muon sgd scheduler head backbone base0 student',
);
const validation = set('val valid validation eval evaluation test dev heldout');
const devices = set('gpu device dev chip card rank tpu accelerator gpus npu worker');
const alls = set('global total cluster all aggregate aggregated');
const seconds = set('s sec second seconds secs');
const ofSpeed = set(
  'throughput speed rate avg average mean processed perf profile training train model smoothed current trained e2e number num of n',
);
const tokens = set('tok toks token tokens tks tk words');
const samples = set(
  'sample samples smp seq seqs sequence sequences img imgs image images example examples ex sentence sentences sent clips videos rows items records docs instances utterances',
);
const steps = set('it its iter iters iteration iterations step steps batch batches update updates upd upds');

const settings = set(
  'base max min init initial peak final target start end warmup decay scale mult multiplier ratio factor weight clip threshold interval every best last prev previous next skipped nan zero diff delta change std var variance patience',
);

const noise = set(
  'pid ppid tid rank world port ip line lineno seed exitcode job version device cuda node timestamp ts datetime date created unixtime hostname host threadid processid uid gid id gpuid thread process attempt restart',
);
const noisy =
  /^(?:local|global|node|dp|tp|pp|cp|ep|device|gpu|worker|dist) (?:rank|id|idx|index)$|^(?:world size|v num|job id|run id|log level|gpu|seed \w+|port \w+|\w+ port|cuda visible devices|unix time|time stamp|exit code|process id|thread id)$/;

/** Of `git diff --stat` and lists of files. */
const file = /[\w-]\.(?:tsx?|jsx?|mjs|py|cc?|cpp|cu|h|hpp|rs|go|md|json|jsonl|ya?ml|toml|txt|csv|sh|log)$/i;

/** What a key's words mean together. */
export function meaningOfWords(all: readonly string[], key: string): Meaning | undefined {
  // `time/time_elapsed` of Stable-Baselines3.
  const words = all.filter((word, i) => word !== all[i - 1]);
  if (words.length === 0) return undefined;
  if (words.at(-1) === 'default') return { as: 'nothing', rank: 0 };
  if (file.test(key)) return undefined;
  const name = words.join(' ');
  if ((words.length === 1 && noise.has(name)) || noisy.test(name)) return { as: 'nothing', rank: 0 };
  const known = spelled.get(name);
  if (known) return known;
  const place = placeOf(words, key);
  if (place) return place;
  return (
    lossOf(words) ??
    (secondsOfStep.test(key) ? undefined : speedOf(words)) ??
    shareOf(words) ??
    memoryOf(words) ??
    normOf(words) ??
    learningRateOf(words) ??
    timeOf(words) ??
    countOf(words) ??
    stageByUnit(words, key)
  );
}

/** `step_s` is a time as `step_ms` is; `it_s`, `step/s` and `steps_s` are rates. */
const secondsOfStep =
  /(?:^|[^a-z])(?:step|iter|iteration|update)(?:[_ ]s|[_ ]secs?|[_ ]seconds| ?[([](?:s|secs?|seconds)[)\]])$/i;

function lossOf(words: readonly string[]): Meaning | undefined {
  if (!words.includes('loss') && !words.includes('losses')) return undefined;
  const rest = words.filter((word) => word !== 'loss' && word !== 'losses');
  const isValidation = rest.some((word) => validation.has(word));
  const left = rest.filter(
    (word) =>
      !(isValidation && word === 'per') &&
      !validation.has(word) &&
      !plain.has(word) &&
      !(isValidation && word === 'set'),
  );
  const average = left.filter((word) => averaged.has(word)).length;
  if (left.every((word) => averaged.has(word) || ofLoss.has(word))) {
    const rank = (average > 0 ? -2 : 0) - left.length * 0.1;
    return { as: isValidation ? 'validationLoss' : 'loss', rank: isValidation ? 5 + rank : rank };
  }
  return undefined;
}

/** Tokens, samples or steps a second. */
function speedOf(words: readonly string[]): Meaning | undefined {
  if (words.length === 1 && /^(?:rate|perf|tput|thpt|thruput)$/.test(words[0] ?? '')) return { as: 'rate', rank: 0 };
  const scope = words.some((word) => devices.has(word))
    ? 'gpu'
    : words.some((word) => alls.has(word))
      ? 'global'
      : undefined;
  const left = words.filter((word) => (!devices.has(word) && !alls.has(word) && !plain.has(word)) || steps.has(word));
  const at = left.findIndex((word) => seconds.has(word) || word === 'persec');
  const packed = left.find((word) => /^(?:tps|tokps|wps|tgs|samplespersec|currsamplespersec|tokenspersec)$/.test(word));
  if (packed && left.every((word) => word === packed || ofSpeed.has(word) || word === 'per')) {
    const as = packed.includes('samples') ? 'samplesPerSecond' : 'tokensPerSecond';
    return { as, rank: 3, ...((scope ?? (packed === 'tgs' ? 'gpu' : undefined)) && { scope: scope ?? 'gpu' }) };
  }
  if (at < 1)
    return left.length > 0 &&
      left.every((word) => word === 'throughput' || word === 'speed' || ofSpeed.has(word)) &&
      (left.includes('throughput') || left.includes('speed'))
      ? { as: 'rate', rank: 0, ...(scope && { scope }) }
      : undefined;
  const kinds = [
    ['tokensPerSecond', tokens],
    ['samplesPerSecond', samples],
    ['iterationsPerSecond', steps],
  ] as const;
  for (const [as, things] of kinds) {
    const thing = left.findIndex((word) => things.has(word));
    if (thing < 0 || (thing > at && left[at - 1] !== 'per')) continue;
    const others = left.filter(
      (word, i) =>
        (i !== thing && i !== at && word !== 'per' && !ofSpeed.has(word) && !averaged.has(word)) || settings.has(word),
    );
    if (others.length > 0) return undefined;
    const rank = 4 - (left.some((word) => averaged.has(word)) ? 2 : 0) - (scope === 'gpu' ? 1 : 0);
    return { as, rank, ...(as === 'tokensPerSecond' && scope && { scope }) };
  }
  return undefined;
}

/** Model FLOPs utilisation, TFLOP/s. */
function shareOf(words: readonly string[]): Meaning | undefined {
  if (words.includes('mfu')) {
    const percent = words.includes('percent') || words.includes('pct') || words.includes('%');
    const left = words.filter(
      (word) =>
        !/^(?:mfu|bf16|fp16|fp8|percent|pct|%|estimated|est|avg|device|throughput|gpu|frac|fraction)$/.test(word) &&
        !plain.has(word) &&
        !ofSpeed.has(word),
    );
    if (left.length > 0) return undefined;
    return { as: 'mfuPercent', rank: words.includes('avg') ? 0 : 2, ...(percent && { unit: { factor: 1, power: 0 } }) };
  }
  const at = words.findIndex((word) => /^(?:t|p)flops?$/.test(word));
  if (at < 0) return undefined;
  if (
    words.some(
      (word) => settings.has(word) || alls.has(word) || word === 'hardware' || word === 'peak' || validation.has(word),
    )
  )
    return undefined;
  const power = words[at]?.startsWith('p') ? 3 : 0;
  return {
    as: 'tflopsPerSecond',
    rank: words.includes('model') ? 2 : 1,
    ...(power && { unit: { factor: 1000, power } }),
  };
}

const byteUnits = lookup<KeyUnit>({
  gb: { factor: 1e9, power: 9 }, mb: { factor: 1e6, power: 6 }, kb: { factor: 1e3, power: 3 }, gib: { factor: 2 ** 30 },
  mib: { factor: 2 ** 20 }, kib: { factor: 2 ** 10 }, bytes: { factor: 1, power: 0 }, b: { factor: 1, power: 0 },
}); // prettier-ignore

/** Of the GPU: the peak over what is used now, what is allocated over what is reserved. */
function memoryOf(words: readonly string[]): Meaning | undefined {
  // `GPU GiB`, `peak_gpu_gb`: a device and a unit, and nothing else.
  const ofDevice =
    words.some((word) => /^(?:gpu|cuda)$/.test(word)) &&
    words.some((word) => /^[kmg]i?b$/.test(word)) &&
    words.every((word) => /^(?:gpu|cuda|[kmg]i?b|max|peak|used|alloc|allocated|reserved)$/.test(word));
  if (!ofDevice && !words.some((word) => /^(?:mem|memory|vram|gpumem|maxmem|memalloc|memallocated|hbm)$/.test(word)))
    return undefined;
  if (
    words.some((word) =>
      /^(?:cpu|host|ram|rss|system|swap|sys|util|utilization|usage%|percent|pct|frac|fraction|ratio|free|total|limit|bandwidth|bw|cache|cached|fragmentation|clock|used%|size|count|pinned|shared|disk|process|retries|bank)$/.test(
        word,
      ),
    )
  )
    return undefined;
  const unit = words.map((word) => byteUnits[word]).find(Boolean);
  const peak = words.some((word) => /^(?:max|peak|maximum|high)$/.test(word)) ? 4 : 0;
  const kind = words.some((word) => /^(?:alloc|allocated|active|used)$/.test(word))
    ? 2
    : words.includes('reserved')
      ? 0
      : 1;
  return { as: 'memoryBytes', rank: peak + kind, ...(unit && { unit }) };
}

function normOf(words: readonly string[]): Meaning | undefined {
  // What gradients are clipped to.
  if (/^max grad(?:ient)? norm$/.test(words.join(' '))) return { as: 'metric', rank: 0 };
  const joined = words.some((word) => /^g(?:rad)?norm$/.test(word));
  if (!joined && !(words.includes('norm') && words.some((word) => /^grads?$|^gradients?$/.test(word))))
    return undefined;
  const left = words.filter(
    (word) => !/^(?:g?norm|gradnorm|grads?|gradients?)$/.test(word) && !plain.has(word) && !averaged.has(word),
  );
  return left.every((word) => ofNorm.has(word)) ? { as: 'gradNorm', rank: -left.length } : undefined;
}

function learningRateOf(words: readonly string[]): Meaning | undefined {
  const at = words.findIndex((word) => /^lrs?\d?$|^learningrate$/.test(word));
  const two = words.indexOf('learning');
  if (at < 0 && !(two >= 0 && words[two + 1] === 'rate')) return undefined;
  const left = words.filter(
    (word, i) => i !== at && !(at < 0 && (i === two || i === two + 1)) && !plain.has(word) && !/^\d$/.test(word),
  );
  return left.every((word) => ofRate.has(word))
    ? { as: 'learningRate', rank: -left.length - (/\d/.test(words.join('')) ? 0.5 : 0) }
    : undefined;
}

const timeUnits = lookup<KeyUnit>({
  ms: { factor: 1e-3, power: -3 }, msec: { factor: 1e-3, power: -3 }, milliseconds: { factor: 1e-3, power: -3 }, us: { factor: 1e-6, power: -6 },
  s: { factor: 1, power: 0 }, sec: { factor: 1, power: 0 }, secs: { factor: 1, power: 0 }, seconds: { factor: 1, power: 0 },
  min: { factor: 60 }, mins: { factor: 60 }, minutes: { factor: 60 }, h: { factor: 3600 }, hr: { factor: 3600 }, hrs: { factor: 3600 }, hours: { factor: 3600 },
}); // prettier-ignore

/** Times of a step, to the end, since the beginning: with the unit that stands in the key. */
function timeOf(words: readonly string[]): Meaning | undefined {
  const last = words.at(-1) ?? '';
  const first = words[0] ?? '';
  const [unit, rest] =
    timeUnits[last] && words.length > 1
      ? [timeUnits[last], words.slice(0, -1)]
      : timeUnits[first] && (words[1] === 'per' || (words.length === 2 && steps.has(words[1] ?? '')))
        ? [timeUnits[first], ['time', 'per', words.at(-1) ?? '']]
        : [undefined, words];
  const bare = rest.filter(
    (word) =>
      word !== 'in' &&
      !(plain.has(word) && word !== 'step' && word !== 'train') &&
      word !== 'profile' &&
      word !== 'perf' &&
      word !== 'avg' &&
      word !== 'average' &&
      word !== 'mean',
  );
  const name = bare.join(' ');
  const known =
    spelled.get(name) ??
    (name === 'train wall' ? undefined : spelled.get(bare.filter((word) => word !== 'train').join(' ')));
  if (known && (known.as === 'stepSeconds' || known.as === 'etaSeconds' || known.as === 'elapsedSeconds')) {
    const { weak: _, ...strong } = known;
    return unit ? { ...strong, unit } : known;
  }
  if (/^(?:step|iter|iteration|train step)(?: time| duration)?(?: per (?:step|iter|iteration))?$/.test(name) && unit)
    return { as: 'stepSeconds', rank: 1, unit };
  const sorted = new Set(bare);
  const [time, per, step] = [sorted.has('time'), sorted.has('per'), bare.some((word) => steps.has(word))];
  const odd = bare.filter(
    (word) => !/^(?:time|per|elapsed|duration|latency|wall)$/.test(word) && !steps.has(word) && !averaged.has(word),
  );
  if (time && per && step && odd.length === 0) return { as: 'stepSeconds', rank: 1, ...(unit && { unit }) };
  if (
    sorted.has('eta') &&
    bare.every((word) =>
      /^(?:eta|time|total|training|train|estimated|end|progress|schedule|loop|run|state|status)$/.test(word),
    )
  )
    return { as: 'etaSeconds', rank: 1, ...(unit && { unit }) };
  if (
    sorted.has('elapsed') &&
    bare.every((word) => /^(?:elapsed|time|total|training|train|since|start|wall)$/.test(word))
  )
    return { as: 'elapsedSeconds', rank: 1, ...(unit && { unit }) };
  return undefined;
}

/** Steps and epochs, by the words that may stand beside them. */
function countOf(words: readonly string[]): Meaning | undefined {
  if (words.some((word) => settings.has(word) || validation.has(word))) return undefined;
  const left = words.filter((word) => !plain.has(word) || word === 'step');
  const name = left.join(' ');
  if (/^(?:opt|optim|optimizer|optimiser)? ?(?:step|iteration|iter|update)$/.test(name)) return { as: 'step', rank: 1 };
  if (name === 'total step' || name === 'step total') return { as: 'totalSteps', rank: 1 };
  if (name === 'epoch') return { as: 'epoch', rank: 0 };
  return undefined;
}

function set(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}
