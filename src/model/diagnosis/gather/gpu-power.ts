import type { GpusSample } from '../../samples.ts';
import { contextBytes } from './gpu-use.ts';

/** What GPUs of each name were seen to draw and to run at: the scale that a power or a clock is read on. */
export interface GpuScales {
  take(sample: GpusSample): void;
  /**
   * 0 to 100: where a power lies between that of a GPU with a context and no work and the limit. NaN: nothing tells. `limitWatts` may be NaN:
   * then the most that was seen stands for it where it can be near it.
   */
  powerRise(uuid: string, watts: number, limitWatts: number): number;
  /** MHz; NaN: nothing tells. */
  clockMax(uuid: string): number;
}

/** Of all GPUs of one name; NaN: not seen yet. */
interface Scale {
  /** Least power with a context and no work for a while, and with no context. */
  idle: number;
  unused: number;
  /** Most power at all, and while the power cap held for a while: that is the limit. */
  most: number;
  capped: number;
  clockMax: number;
  clockSeen: number;
}

/** Since when each of these has held, epoch ms; Infinity: it does not. */
interface Gpu {
  readonly scale: Scale;
  contextSince: number;
  idleSince: number;
  cappedSince: number;
}

/** Power is the mean of a second; of a GPU that works in bursts, readings of 0 % may follow each other for another one. */
const lastingMs = 3000;
/**
 * With a context and no work GPUs of data centres draw a sixth of their limit: 118 of 700 W (H200), 60 of 400 (A100), 45 of 300 (V100). Smaller ones
 * draw more of it (a third on T4 and L4): nothing looks idle there that is not.
 */
const idleOfLimit = 1 / 6;
/** The limit is at least so many times what a GPU draws with a context and no work (T4: 2.6, H200: 6), or without a context (6 and more; work that is bound by memory takes two thirds). */
const topOfIdle = 2.5;
const topOfUnused = 4;
/** More than a host has. */
const mostNames = 64;
const mostGpus = 256;

/** Nothing was seen. */
export function createGpuScales(): GpuScales {
  const scales = new Map<string, Scale>();
  const gpus = new Map<string, Gpu>();

  function gpuOf({ uuid, name }: GpusSample, row: number): Gpu | undefined {
    const id = uuid[row] ?? '';
    const known = gpus.get(id);
    const of = name[row] ?? '';
    const scale = known?.scale ?? scales.get(of) ?? (scales.size < mostNames ? unseen() : undefined);
    if (known || !scale || gpus.size >= mostGpus) return known;
    const made = { scale, contextSince: Infinity, idleSince: Infinity, cappedSince: Infinity };
    scales.set(of, scale);
    gpus.set(id, made);
    return made;
  }

  return {
    take(sample) {
      for (let row = 0; row < sample.uuid.length; row++) {
        const gpu = gpuOf(sample, row);
        if (gpu) takeRow(gpu, sample, row);
      }
    },
    powerRise(uuid, watts, limit) {
      const scale = gpus.get(uuid)?.scale;
      if (!scale || Number.isNaN(watts)) return NaN;
      const { idle, unused, most, capped } = scale;
      const cap = Number.isNaN(limit) ? capped : limit;
      const isIdleKnown = !Number.isNaN(idle);
      const floor = isIdleKnown ? idle : larger(unused, cap * idleOfLimit);
      const least = floor * (isIdleKnown ? topOfIdle : topOfUnused);
      // Where only the floor is sure, the least that the limit can be says how much it is at most.
      const top = [cap, most >= least ? most : NaN, isIdleKnown ? least : NaN].find((each) => !Number.isNaN(each));
      if (top === undefined || !(top > floor)) return NaN;
      return Math.min(100, Math.max(0, (100 * (watts - floor)) / (top - floor)));
    },
    clockMax(uuid) {
      const { clockMax = NaN, clockSeen = NaN } = gpus.get(uuid)?.scale ?? {};
      return Number.isNaN(clockMax) ? clockSeen : clockMax;
    },
  };
}

function takeRow(gpu: Gpu, frame: GpusSample, row: number): void {
  const { receivedAt: now, throttleReasons } = frame;
  const { scale } = gpu;
  const since = (is: boolean, before: number) => (is ? Math.min(before, now) : Infinity);
  const percents = [frame.utilizationPercent?.[row] ?? NaN, ...(frame.utilizationReadings?.[row] ?? [])];
  gpu.contextSince = since((frame.memoryUsedBytes?.[row] ?? 0) >= contextBytes, gpu.contextSince);
  gpu.idleSince = since(
    percents.every((percent) => percent === 0),
    gpu.idleSince,
  );
  gpu.cappedSince = since(throttleReasons?.[row]?.includes('power cap') ?? false, gpu.cappedSince);
  scale.clockMax = larger(scale.clockMax, frame.smClockMaxMhz?.[row] ?? NaN);
  scale.clockSeen = larger(scale.clockSeen, frame.smClockMhz?.[row] ?? NaN);
  const watts = frame.powerWatts?.[row] ?? NaN;
  if (!(watts > 0)) return;
  scale.most = larger(scale.most, watts);
  if (now - gpu.cappedSince >= lastingMs) scale.capped = larger(scale.capped, watts);
  if (now - gpu.idleSince < lastingMs) return;
  if (now - gpu.contextSince >= lastingMs) scale.idle = smaller(scale.idle, watts);
  else if (gpu.contextSince === Infinity) scale.unused = smaller(scale.unused, watts);
}

function unseen(): Scale {
  return { idle: NaN, unused: NaN, most: NaN, capped: NaN, clockMax: NaN, clockSeen: NaN };
}

/** Of two, one of which may be NaN. */
const larger = (a: number, b: number) => (b > a || Number.isNaN(a) ? b : a);
const smaller = (a: number, b: number) => (b < a || Number.isNaN(a) ? b : a);
