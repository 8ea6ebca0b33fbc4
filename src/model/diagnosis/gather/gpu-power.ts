import type { GpusSample } from '../../samples.ts';
import { contextBytes } from './gpu-use.ts';

/** What GPUs of each name were seen to draw and to run at: the scale that a power or a clock is read on. */
export interface GpuScales {
  take(sample: GpusSample): void;
  /** 0 to 100: where a power lies between that of a GPU with a context and no work and the limit; NaN: nothing tells. */
  powerRise(uuid: string, watts: number, limitWatts: number): number;
  /** MHz; NaN: nothing tells. */
  clockMax(uuid: string): number;
}

interface Scale {
  /** Least power with a context and no work for a while, and with no context. */
  idle: number;
  unused: number;
  most: number;
  clockMax: number;
  clockSeen: number;
}

/** Power is the mean of a second, and a context takes some to make. */
const quietMs = 3000;
/**
 * With a context and no work GPUs of data centres draw a sixth of their limit: 118 of 700 W (H200), 60 of 400 (A100), 45 of 300 (V100). Smaller ones draw
 * more of it (a third on T4 and L4), so that nothing looks idle that is not.
 */
const idleOfLimit = 1 / 6;
/** The most that was seen is near what the GPU can draw only where it is well above idle: limits are 2.5 to 7 times that, and six times and more what an unused one draws. */
const leastTopOfIdle = 2.5;
const leastTopOfUnused = 4;
const mostNames = 64;
const mostGpus = 256;

/** Nothing was seen. */
export function createGpuScales(): GpuScales {
  const scales = new Map<string, Scale>();
  const gpus = new Map<string, { scale: Scale; hasContextSince: number; idleSince: number }>();

  function scaleOf(name: string): Scale | undefined {
    const known = scales.get(name);
    if (known || scales.size >= mostNames) return known;
    const made = { idle: NaN, unused: NaN, most: NaN, clockMax: NaN, clockSeen: NaN };
    scales.set(name, made);
    return made;
  }

  function takeRow(frame: GpusSample, row: number) {
    const uuid = frame.uuid[row] ?? '';
    let gpu = gpus.get(uuid);
    if (!gpu) {
      const scale = scaleOf(frame.name[row] ?? '');
      if (!scale || gpus.size >= mostGpus) return;
      gpu = { scale, hasContextSince: Infinity, idleSince: Infinity };
      gpus.set(uuid, gpu);
    }
    const { time } = frame;
    const bytes = frame.memoryUsedBytes?.[row] ?? 0;
    const percents = [frame.utilizationPercent?.[row] ?? NaN, ...(frame.utilizationReadings?.[row] ?? [])];
    gpu.hasContextSince = bytes >= contextBytes ? Math.min(gpu.hasContextSince, time) : Infinity;
    gpu.idleSince = percents.every((percent) => percent === 0) ? Math.min(gpu.idleSince, time) : Infinity;
    const { scale } = gpu;
    scale.clockMax = larger(scale.clockMax, frame.smClockMaxMhz?.[row]);
    scale.clockSeen = larger(scale.clockSeen, frame.smClockMhz?.[row]);
    const watts = frame.powerWatts?.[row] ?? NaN;
    if (!(watts > 0)) return;
    scale.most = larger(scale.most, watts);
    if (time - gpu.idleSince < quietMs) return;
    if (time - gpu.hasContextSince >= quietMs) scale.idle = smaller(scale.idle, watts);
    else if (gpu.hasContextSince === Infinity) scale.unused = smaller(scale.unused, watts);
  }

  return {
    take(sample) {
      for (let row = 0; row < sample.uuid.length; row++) takeRow(sample, row);
    },
    powerRise(uuid, watts, limit) {
      const scale = gpus.get(uuid)?.scale;
      if (!scale || !Number.isFinite(watts)) return NaN;
      const floor = [scale.idle, scale.unused, limit * idleOfLimit].find(Number.isFinite);
      if (floor === undefined) return NaN;
      const least = floor * (Number.isFinite(scale.idle) ? leastTopOfIdle : leastTopOfUnused);
      const top = Number.isFinite(limit) ? limit : scale.most >= least ? scale.most : NaN;
      return top > floor ? Math.min(100, Math.max(0, (100 * (watts - floor)) / (top - floor))) : NaN;
    },
    clockMax(uuid) {
      const scale = gpus.get(uuid)?.scale;
      return scale ? (Number.isFinite(scale.clockMax) ? scale.clockMax : scale.clockSeen) : NaN;
    },
  };
}

const larger = (a: number, b: number | null | undefined) => (b === null || b === undefined || a >= b ? a : b);
const smaller = (a: number, b: number) => (a <= b ? a : b);
