import type { AlarmName } from '../../alarm-samples.ts';
import type { GpusSample } from '../../samples.ts';
import { nothing, standing, type Finding, type MakeCondition } from '../condition.ts';
import { figure, span } from '../words.ts';
import type { Standing } from '../machine.ts';
import { createMean } from '../usual.ts';

/** More than a host has. */
const mostGpus = 64;
const staleMs = 20_000;
/** HBM, and other memory, slow down so much later. */
const hbmCelsius = 10;
const otherMemoryCelsius = 24;
/** Of memory that stands in stacks beside the chip: GPUs of data centres. */
const hasHbm = /\b(?:[AHVP]100|[AH]800|[AH]30|H20|H200|B[12]00|B300|GB?H?200|GH200|GB[23]00|TITAN V)\b/i;
const held: ReadonlySet<string> = new Set(['hw slowdown', 'hw thermal', 'sw thermal', 'power brake']);
/** A GPU that is idle has no clock to lose. */
const idlePercent = 5;

interface Gpu {
  readonly index: number;
  readonly about: string;
  /** What was beyond its border once: before that nobody has to hear of the other side. */
  readonly told: Set<AlarmName>;
  name: string;
  at: number;
  celsius: number;
  memoryCelsius: number;
  isHbm: boolean;
  readonly throttled: ReturnType<typeof createMean>;
  reasons: readonly string[];
  readonly busy: ReturnType<typeof createMean>;
  /** Errors when it was first seen, now, and when they grew last. */
  eccFirst: number | undefined;
  ecc: number;
  eccAt: number;
  /** For how long it had work since the run is watched, ms. */
  worked: number;
  lookedAt: number;
  idleSince: number | undefined;
}

/** It has worked when it did so for a minute. */
const workedMs = 60_000;
/** Of a look that comes late not all is known. */
const longestLookMs = 10_000;
const worksFrom = 20;
/** In so many usual gaps between steps each GPU has its turn. */
const turns = 2;

/** GPUs that are idle, hot, throttled, or have wrong bits. */
export const gpus: MakeCondition = (ruleOf) => {
  const all = new Map<string, Gpu>();

  function take(sample: GpusSample) {
    const { uuid, index, receivedAt: at } = sample;
    for (let row = 0; row < uuid.length; row++) {
      const id = uuid[row] ?? '';
      let gpu = all.get(id);
      if (!gpu && all.size < mostGpus) all.set(id, (gpu = unseen(index[row] ?? row)));
      if (gpu) takeRow(gpu, sample, row, at);
    }
  }

  /** Whether it is worth a finding: of most GPUs nothing is, each second. */
  function isNews({ told }: Gpu, alarm: AlarmName, is: Standing): boolean {
    if (ruleOf(alarm).off) return false;
    if (is === 'beyond') told.add(alarm);
    return told.has(alarm);
  }

  function idle(gpu: Gpu, now: number, gapMs: number): Finding | undefined {
    const rule = ruleOf('gpu-idle');
    const percent = gpu.busy.over(now);
    if (percent >= worksFrom) gpu.worked += Math.min(longestLookMs, Math.max(0, now - gpu.lookedAt));
    gpu.lookedAt = now;
    const stands = standing(percent, rule);
    if (stands !== 'beyond') gpu.idleSince = undefined;
    else gpu.idleSince ??= now - 15_000;
    const isLong = now - (gpu.idleSince ?? now) >= turns * gapMs;
    const is = stands === 'beyond' && (gpu.worked < workedMs || !isLong) ? 'between' : stands;
    if (!isNews(gpu, 'gpu-idle', is)) return undefined;
    return {
      ...{ alarm: 'gpu-idle', about: gpu.about, is, value: percent, border: rule.threshold, unit: '%' },
      ...(gpu.idleSince !== undefined && { since: gpu.idleSince }),
      text: () =>
        `GPU ${gpu.index} of the run is idle for ${span(now - (gpu.idleSince ?? now))}: ${figure(percent)} % (border ${figure(rule.threshold)} %), while the run makes steps.`,
    };
  }

  function hot(gpu: Gpu): Finding | undefined {
    const rule = ruleOf('gpu-hot');
    const more = gpu.isHbm ? hbmCelsius : otherMemoryCelsius;
    const isMemory = gpu.memoryCelsius - more > gpu.celsius || Number.isNaN(gpu.celsius);
    const compared = isMemory ? gpu.memoryCelsius - more : gpu.celsius;
    if (Number.isNaN(compared)) return undefined;
    const is = standing(compared, rule);
    if (!isNews(gpu, 'gpu-hot', is)) return undefined;
    const [value, border] = isMemory ? [gpu.memoryCelsius, rule.threshold + more] : [gpu.celsius, rule.threshold];
    const slows = gpu.reasons.length > 0 ? `; it is slowed down (${gpu.reasons.join(', ')})` : '';
    return {
      ...{ alarm: 'gpu-hot', about: gpu.about, is, value, border, unit: '°C' },
      text: () =>
        `GPU ${gpu.index} is hot: ${isMemory ? 'its memory is at ' : ''}${value} °C (border ${border} °C)${slows}.`,
    };
  }

  function throttled(gpu: Gpu, now: number): Finding | undefined {
    const rule = ruleOf('gpu-throttled');
    const value = 100 * gpu.throttled.over(now);
    if (Number.isNaN(value)) return undefined;
    const is = gpu.throttled.covered(now) < 0.5 ? 'between' : standing(value, rule);
    if (!isNews(gpu, 'gpu-throttled', is)) return undefined;
    return {
      ...{ alarm: 'gpu-throttled', about: gpu.about, is, value, border: rule.threshold, unit: '%' },
      text: () =>
        `GPU ${gpu.index} is slowed down in ${figure(Math.round(value))} % of the last minute (border ${figure(rule.threshold)} %): ${gpu.reasons.join(', ') || 'by its hardware'}.`,
    };
  }

  function ecc(gpu: Gpu, now: number): Finding | undefined {
    if (gpu.eccFirst === undefined) return undefined;
    const rule = ruleOf('gpu-ecc');
    const value = gpu.ecc - gpu.eccFirst;
    const isNew = value >= Math.max(1, rule.threshold) && now - gpu.eccAt < 2000 + rule.forMs;
    const is = isNew ? 'beyond' : 'over';
    if (!isNews(gpu, 'gpu-ecc', is)) return undefined;
    return {
      ...{ alarm: 'gpu-ecc', about: gpu.about, is, value, border: rule.threshold },
      text: () =>
        `GPU ${gpu.index} counts ${value} uncorrected memory ${value === 1 ? 'error' : 'errors'} since the watch began (${gpu.ecc} since its driver was loaded).`,
    };
  }

  return {
    take(sample) {
      if (sample.kind === 'gpus') take(sample);
    },
    read(now, { work, isRunning, pause, log, quietMs }) {
      const own = isRunning ? new Set(work.gpus().map(({ uuid }) => uuid)) : undefined;
      // Where nothing goes on at all, another alarm tells it.
      const gapMs = log.usualPauseMs;
      const goesOn =
        own && !pause && log.isRead && gapMs !== undefined && (quietMs ?? Infinity) <= 2 * Math.max(gapMs, 5000);
      const found: Finding[] = [];
      const tell = (finding: Finding | undefined) => finding && found.push(finding);
      for (const [uuid, gpu] of all) {
        if (now - gpu.at > staleMs) continue;
        if (own?.has(uuid) && goesOn) tell(idle(gpu, now, gapMs));
        tell(hot(gpu));
        tell(throttled(gpu, now));
        tell(ecc(gpu, now));
      }
      return found.length > 0 ? found : nothing;
    },
    forgetRun() {
      for (const gpu of all.values()) [gpu.worked, gpu.idleSince] = [0, undefined];
    },
  };
};

function takeRow(gpu: Gpu, sample: GpusSample, row: number, at: number): void {
  gpu.at = at;
  const percent = sample.utilizationPercent?.[row] ?? NaN;
  gpu.celsius = sample.temperatureCelsius?.[row] ?? NaN;
  gpu.memoryCelsius = sample.memoryTemperatureCelsius?.[row] ?? NaN;
  const name = sample.name[row] ?? '';
  if (name !== gpu.name) [gpu.name, gpu.isHbm] = [name, hasHbm.test(name)];
  gpu.busy.add(at, percent);
  const reasons = sample.throttleReasons?.[row];
  if (reasons) {
    const those = reasons.filter((reason) => held.has(reason));
    if (those.length > 0) gpu.reasons = those;
    const isHeld = those.length > 0 && !(percent <= idlePercent);
    gpu.throttled.add(at, Number(isHeld));
    if (!isHeld && gpu.reasons.length > 0 && gpu.throttled.over(at) === 0) gpu.reasons = [];
  }
  const errors = sample.eccUncorrected?.[row];
  if (errors === undefined || errors === null) return;
  // A driver that is loaded anew begins with none.
  if (gpu.eccFirst === undefined || errors < gpu.ecc) gpu.eccFirst = errors;
  else if (errors > gpu.ecc) gpu.eccAt = at;
  gpu.ecc = errors;
}

function unseen(index: number): Gpu {
  return {
    ...{
      index,
      about: `GPU ${index}`,
      told: new Set<AlarmName>(),
      name: '',
      at: -Infinity,
      celsius: NaN,
      memoryCelsius: NaN,
      isHbm: false,
      reasons: [],
    },
    ...{ throttled: createMean(60_000), busy: createMean(30_000) },
    ...{ eccFirst: undefined, ecc: 0, eccAt: -Infinity, worked: 0, lookedAt: Infinity, idleSince: undefined },
  };
}
