import type { LogUnit } from '../../../model/log-patterns.ts';
import type { LogField } from '../../../model/samples.ts';
import { lookup } from '../lookup.ts';

/** What a named group of a taught pattern means. */
export type GroupMeaning = { readonly unit?: LogUnit } & (
  | { readonly as: 'field'; readonly field: LogField; readonly scope?: 'gpu' | 'global' }
  | {
      readonly as: 'queue';
      readonly name: string;
      readonly part: 'depth' | 'capacity' | 'low' | 'high' | 'waitSeconds';
    }
  | { readonly as: 'stage'; readonly name: string; readonly part: 'averageMs' | 'maximumMs' | 'count' }
  | { readonly as: 'metric'; readonly name: string }
);

/** The names of `traintop logs --json`, written in either way, and short ones. */
const fields = lookup<LogField>({
  ...{ step: 'step', totalsteps: 'totalSteps', total: 'totalSteps', epoch: 'epoch', loss: 'loss' },
  ...{ learningrate: 'learningRate', lr: 'learningRate', gradnorm: 'gradNorm', validationloss: 'validationLoss' },
  ...{ valloss: 'validationLoss', evalloss: 'validationLoss', tokenspersecond: 'tokensPerSecond' },
  ...{ toks: 'tokensPerSecond', samplespersecond: 'samplesPerSecond', iterationspersecond: 'iterationsPerSecond' },
  ...{ stepspersecond: 'iterationsPerSecond', its: 'iterationsPerSecond', stepseconds: 'stepSeconds' },
  ...{ steptime: 'stepSeconds', secondsperstep: 'stepSeconds', eta: 'etaSeconds', etaseconds: 'etaSeconds' },
  ...{ elapsed: 'elapsedSeconds', elapsedseconds: 'elapsedSeconds', mfu: 'mfuPercent', mfupercent: 'mfuPercent' },
  ...{ tflops: 'tflopsPerSecond', tflopspersecond: 'tflopsPerSecond', memory: 'memoryBytes' },
  ...{ memorybytes: 'memoryBytes', stepinepoch: 'stepInEpoch', stepsperepoch: 'stepsPerEpoch' },
});

type PartOf<A extends string> = Extract<GroupMeaning, { readonly as: A; readonly part: string }>['part'];
const queueParts = lookup<PartOf<'queue'>>({
  ...({ depth: 'depth', capacity: 'capacity', low: 'low', high: 'high', wait: 'waitSeconds' } as const),
});
const stageParts = lookup<PartOf<'stage'>>({
  ...({ avg: 'averageMs', average: 'averageMs', mean: 'averageMs', max: 'maximumMs', maximum: 'maximumMs' } as const),
  ...({ count: 'count' } as const),
});
const suffixes = lookup<LogUnit>({
  ...({ us: 'us', ms: 'ms', s: 's', sec: 's', min: 'min', h: 'h', gib: 'GiB', mib: 'MiB', kib: 'KiB' } as const),
  ...({ gb: 'GB', mb: 'MB', kb: 'KB', percent: 'percent', pct: 'percent', fraction: 'fraction' } as const),
});

/** By its name: `loss`, `grad_norm`, `queue_in_capacity`, `stage_fwd_max_ms`, and any other is a metric of that name. */
export function groupMeaning(group: string): GroupMeaning {
  const [kind, rest = ''] = /^(queue|stage|metric)_(.+)$/.exec(group)?.slice(1) ?? [];
  if (kind === 'metric') return { as: 'metric', name: rest };
  const [, plain = '', suffix = ''] = /^(.+?)(?:_([a-z]+))?$/i.exec(kind ? rest : group) ?? [];
  const unit = suffixes[suffix.toLowerCase()];
  const [name, unitPart] = unit ? [plain, { unit }] : [kind ? rest : group, {}];
  if (kind === 'queue') {
    const { base, part } = parted(name, queueParts);
    return { as: 'queue', name: base, part: part ?? 'depth', ...unitPart };
  }
  if (kind === 'stage') {
    const { base, part } = parted(name, stageParts);
    return { as: 'stage', name: base, part: part ?? 'averageMs', ...unitPart };
  }
  const perGpu = /^(?:tps|tgs)$|_?per_?(?:gpu|device)$/i.test(group);
  const whole = fields[joined(group)] ?? (perGpu ? 'tokensPerSecond' : undefined);
  const field = whole ?? fields[joined(name)] ?? (unit && /^step$/i.test(name) ? 'stepSeconds' : undefined);
  // `step_ms` is the time of a step and not its number.
  if (field === 'step' && whole === undefined) return { as: 'field', field: 'stepSeconds', ...unitPart };
  if (!field) return { as: 'metric', name: group };
  return { as: 'field', field, ...(perGpu && { scope: 'gpu' as const }), ...(whole === undefined && unitPart) };
}

const joined = (name: string) => name.replaceAll('_', '').toLowerCase();

function parted<P extends string>(
  name: string,
  parts: Readonly<Partial<Record<string, P>>>,
): { base: string; part?: P } {
  const [, base = '', word = ''] = /^(.+)_([a-z]+)$/.exec(name) ?? [];
  const part = parts[word];
  return part === undefined ? { base: name } : { base, part };
}
