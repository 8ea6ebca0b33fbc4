import { thresholds } from '../thresholds.ts';
import type { SignalName } from '../signals.ts';
import type { GpuSubject } from '../subjects.ts';
import type { Ask, Gatherer, Window } from './gatherer.ts';
import { columnAt, counterAt } from './gpu-columns.ts';
import { createGpuScales } from './gpu-power.ts';
import { createGpuRows, type GpuRows, type GpuSummary } from './gpu-rows.ts';

/** More than a host has. */
const mostGpus = 64;
const bytesInMegabyte = 1e6;
/** Below it a share of it is noise: readings are whole percents. */
const leastForFill = 2;

/** Of one GPU over a window. */
interface Found {
  readonly summary: GpuSummary;
  /** Since `lateFrom`; undefined: nothing tells. */
  readonly does: 'idle' | 'spinning' | 'busy' | undefined;
}

/** Reads the signals of GPUs: what nvidia-smi says of them, and their own counters. */
export function createGpuGatherer(): Gatherer {
  const rows = new Map<string, GpuRows>();
  const scales = createGpuScales();
  let window: Window | undefined;
  const found = new Map<string, Found>();

  /** Of a window each once, for itself and for its peers. */
  function findOf(uuid: string, asked: Window): Found | undefined {
    if (window !== asked) found.clear();
    window = asked;
    const before = found.get(uuid);
    if (before) return before;
    const summary = rows.get(uuid)?.summary(asked);
    const now = summary && { summary, does: doing(uuid, summary) };
    if (now) found.set(uuid, now);
    return now;
  }

  const riseOf = (uuid: string, watts: number, { frames }: GpuSummary) =>
    scales.powerRise(uuid, watts, frames.mean(columnAt.powerLimit));

  /** Kernels that only wait are as busy as others. */
  function doing(uuid: string, summary: GpuSummary): Found['does'] {
    if (!Number.isFinite(summary.lateUtilization)) return undefined;
    if (summary.lateUtilization <= thresholds.idle.value) return 'idle';
    if (summary.lateUtilization < thresholds.busy.value) return 'busy';
    const rise = riseOf(uuid, summary.latePower, summary);
    const tensor = summary.lateCounters.mean(counterAt.tensor);
    const sm = summary.lateCounters.mean(counterAt.smActive);
    if (rise > thresholds.spinPower.value || sm > thresholds.spinSms.value || tensor > thresholds.spinTensor.value)
      return 'busy';
    return Number.isFinite(rise) || Number.isFinite(sm + tensor) ? 'spinning' : undefined;
  }

  function readPeers({ subjects, window: asked, set }: Ask, subject: GpuSubject, own: GpuSummary) {
    let [peers, told, spinning, busy, alike, used] = [0, 0, 0, 0, 0, 0];
    for (const each of subjects) {
      if (each.kind !== 'gpu' || each.uuid === subject.uuid) continue;
      peers++;
      const theirs = findOf(each.uuid, asked);
      if (!theirs) continue;
      if (theirs.does) told++;
      if (theirs.does === 'spinning') spinning++;
      if (theirs.does === 'busy') busy++;
      // Those of another role do other work.
      if (each.role !== subject.role || !Number.isFinite(theirs.summary.utilization)) continue;
      alike++;
      used += theirs.summary.utilization;
    }
    set('peers', { value: peers });
    if (peers === 0) return;
    set('peersSpinning', { value: (100 * spinning) / told });
    set('peersBusy', { value: (100 * busy) / told });
    set('behindPeers', { value: used / alike - own.utilization });
  }

  return {
    take(sample) {
      if (sample.kind !== 'gpus') return;
      scales.take(sample);
      for (const [row, uuid] of sample.uuid.entries()) {
        let own = rows.get(uuid);
        if (!own && rows.size < mostGpus) rows.set(uuid, (own = createGpuRows()));
        own?.take(sample, row);
      }
    },
    read(ask) {
      const { subject } = ask;
      const summary = subject.kind === 'gpu' ? findOf(subject.uuid, ask.window)?.summary : undefined;
      if (!summary || subject.kind !== 'gpu') return;
      const of = `GPU ${subject.index}`;
      const tell = (signal: SignalName, value: number) => Number.isFinite(value) && ask.set(signal, { value, of });
      const { utilization, frames, counters, lateCounters, latePower, countedUtilization } = summary;
      const power = frames.mean(columnAt.power);
      const limit = frames.mean(columnAt.powerLimit);
      const powerRise = riseOf(subject.uuid, power, summary);
      tell('utilization', utilization);
      tell('idleShare', summary.idleShare);
      tell('utilizationSpread', summary.spread);
      tell('power', power);
      tell('powerShare', (100 * power) / limit);
      tell('powerRise', powerRise);
      tell('memoryBusy', frames.mean(columnAt.memoryBusy));
      tell('memoryMoves', summary.memoryTurns);
      tell('clockShare', (100 * frames.mean(columnAt.clockAtWork)) / scales.clockMax(subject.uuid));
      tell('thermalShare', 100 * frames.mean(columnAt.thermal));
      tell('powerCapShare', 100 * frames.mean(columnAt.powerCap));
      tell('powerBrakeShare', 100 * frames.mean(columnAt.powerBrake));
      tell('smActive', counters.mean(counterAt.smActive));
      tell('smOccupancy', counters.mean(counterAt.smOccupancy));
      tell('tensorActive', counters.mean(counterAt.tensor));
      tell('dramActive', counters.mean(counterAt.dram));
      tell('pcieRate', counters.mean(counterAt.pcie) / bytesInMegabyte);
      tell('nvlinkRate', counters.mean(counterAt.nvlink) / bytesInMegabyte);
      tell('lateUtilization', summary.lateUtilization);
      tell('utilizationShift', Math.abs(summary.lateUtilization - summary.utilization));
      tell('latePower', latePower);
      tell('latePowerShare', (100 * latePower) / limit);
      tell('latePowerRise', riseOf(subject.uuid, latePower, summary));
      tell('lateTensor', lateCounters.mean(counterAt.tensor));
      tell('lateDram', lateCounters.mean(counterAt.dram));
      // Of a GPU that shows nothing there is no kernel to fill it.
      if (countedUtilization >= leastForFill)
        tell('kernelFill', Math.min(100, (100 * counters.mean(counterAt.smActive)) / countedUtilization));
      if (utilization >= leastForFill) tell('powerFill', Math.min(100, (100 * powerRise) / utilization));
      readPeers(ask, subject, summary);
    },
    // What a GPU can draw is as true of the next run; its frames of before are over with the window.
    forgetRun() {},
  };
}
