import type { HostSample } from '../../model/samples.ts';
import type { Reading } from './parse.ts';

/** /proc/diskstats counts in 512 bytes whatever the disk's sector is. */
const sectorBytes = 512;

/** The values of one reading; those that are rates need the reading before it, `seconds` ago. */
export function measure(now: Reading, before: Reading | undefined, seconds: number): Partial<HostSample> {
  const [load1, load5, load15] = now.values.get('load') ?? [];
  const cores = now.values.get('cores')?.[0];
  const kb = (name: string) => scaled(now.memoryKb.get(name), 1024);
  const [swapTotal, swapFree] = [kb('SwapTotal'), kb('SwapFree')];
  const [memoryLimitBytes, memoryNow, inactiveFile = 0] = now.values.get('memlimit') ?? [];
  return present({
    load1,
    load5,
    load15,
    cores,
    coreLimit: coreLimit(now, cores),
    ...(before && shares(now, before)),
    memoryTotalBytes: kb('MemTotal'),
    memoryAvailableBytes: kb('MemAvailable'),
    memoryLimitBytes,
    // As container engines count it: file pages that the kernel can drop at once do not bring a run near its limit.
    memoryUsedBytes: memoryNow === undefined ? undefined : Math.max(0, memoryNow - inactiveFile),
    swapUsedBytes: swapTotal !== undefined && swapFree !== undefined ? swapTotal - swapFree : undefined,
    cpuPressurePercent: now.pressurePercent.get('cpu'),
    memoryPressurePercent: now.pressurePercent.get('memory'),
    ioPressurePercent: now.pressurePercent.get('io'),
    ...(before && diskRates(now, before, seconds)),
    ...(before && runRates(now, before, seconds)),
  });
}

/** The quota in cores or the size of the cpuset, whichever is smaller, when it is below the cores online. */
function coreLimit(now: Reading, cores: number | undefined): number | undefined {
  const [quota, period] = now.values.get('quota') ?? [];
  const byQuota = quota !== undefined && period !== undefined && period > 0 ? quota / period : Infinity;
  const limit = Math.min(byQuota, now.cpuset === undefined ? Infinity : countCpus(now.cpuset));
  return limit > 0 && limit < (cores ?? Infinity) && Number.isFinite(limit) ? limit : undefined;
}

/** `0-3,8` is 5. */
function countCpus(list: string): number {
  return list.split(',').reduce((sum, part) => {
    const [from = NaN, to = from] = part.split('-').map(Number);
    return sum + (to - from + 1);
  }, 0);
}

/** Shares of the time of all cores. Stolen time counts as busy: it is not there for the run. Guest time is within user. */
function shares(now: Reading, before: Reading): Partial<HostSample> {
  const [a, b] = [before.values.get('cpu'), now.values.get('cpu')];
  if (!a || !b) return {};
  const deltas = b.slice(0, 8).map((ticks, i) => Math.max(0, ticks - (a[i] ?? 0))); // iowait may run backwards
  const all = deltas.reduce((sum, ticks) => sum + ticks, 0);
  const [, , , idle = 0, ioWait = 0] = deltas;
  if (all === 0) return {};
  return { busyPercent: (100 * (all - idle - ioWait)) / all, ioWaitPercent: (100 * ioWait) / all };
}

function diskRates(now: Reading, before: Reading, seconds: number): Partial<HostSample> {
  const deltas = growth(now.disks, before.disks);
  if (deltas.length === 0) return {};
  const sum = (column: number) => deltas.reduce((total, delta) => total + (delta[column] ?? 0), 0);
  return {
    diskReadBytesPerSecond: (sum(0) * sectorBytes) / seconds,
    diskWriteBytesPerSecond: (sum(1) * sectorBytes) / seconds,
    diskBusyPercent: Math.min(100, Math.max(...deltas.map((delta) => (delta[2] ?? 0) / (10 * seconds)))),
  };
}

function runRates(now: Reading, before: Reading, seconds: number): Partial<HostSample> {
  const deltas = growth(now.io, before.io);
  if (deltas.length === 0) return {};
  return {
    runReadBytesPerSecond: deltas.reduce((sum, delta) => sum + (delta[0] ?? 0), 0) / seconds,
    runWriteBytesPerSecond: deltas.reduce((sum, delta) => sum + (delta[1] ?? 0), 0) / seconds,
  };
}

/** The growth of the counters of everything that is in both readings; a counter that fell (a reused PID) grew by nothing. */
function growth(now: ReadonlyMap<string, readonly number[]>, before: ReadonlyMap<string, readonly number[]>) {
  return [...now].flatMap(([name, counters]) => {
    const old = before.get(name);
    return old ? [counters.map((value, i) => Math.max(0, value - (old[i] ?? value)))] : [];
  });
}

function scaled(value: number | undefined, factor: number): number | undefined {
  return value === undefined ? undefined : value * factor;
}

/** Without the keys that have no value. */
function present(values: { readonly [Key in keyof HostSample]?: HostSample[Key] | undefined }): Partial<HostSample> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
