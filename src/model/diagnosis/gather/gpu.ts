import type { GpusSample } from '../../samples.ts';
import { thresholds } from '../thresholds.ts';
import type { SignalName } from '../signals.ts';
import type { GpuSubject } from '../subjects.ts';
import { createFreshRows } from './fresh-rows.ts';
import type { Ask, Gatherer, Window } from './gatherer.ts';
import { columnAt, columnCount, columnsOf, hasCounters } from './gpu-columns.ts';
import { createGpuScales } from './gpu-power.ts';
import { summarize, type GpuRows, type GpuSummary } from './gpu-summary.ts';

/** Ten a second over the longest window. */
const mostRows = 640;
const leastGapMs = 90;
const mostGpus = 64;
const usualReadingMs = 250;
const bytesInMegabyte = 1e6;
/** Below it a share of it is noise: readings are whole percents. */
const leastForFill = 2;

/** Reads the signals of GPUs: what nvidia-smi says of them, and their own counters. */
export function createGpuGatherer(): Gatherer {
  const rows = new Map<string, GpuRows>();
  const scales = createGpuScales();
  let window: Window | undefined;
  const summaries = new Map<string, GpuSummary | undefined>();

  function takeRow(frame: GpusSample, row: number) {
    const uuid = frame.uuid[row] ?? '';
    let own = rows.get(uuid);
    if (!own) {
      if (rows.size >= mostGpus) return;
      own = {
        readings: createFreshRows({ columns: 1, most: mostRows, leastGapMs }),
        frames: createFreshRows({ columns: columnCount, most: mostRows, leastGapMs }),
        countersAt: NaN,
      };
      rows.set(uuid, own);
    }
    const to = frame.receivedAt;
    const readings = frame.utilizationReadings?.[row] ?? [frame.utilizationPercent?.[row] ?? null];
    const stepMs = Math.min(usualReadingMs, (to - (own.frames.lastAt() ?? -Infinity)) / readings.length);
    readings.forEach((value, i) => own.readings.add(to - (readings.length - 1 - i) * stepMs, [value]));
    own.frames.add(to, columnsOf(frame, row, to - own.countersAt));
    if (hasCounters(frame, row)) own.countersAt = to;
  }

  /** Of a window each once, for itself and for its peers. */
  function summaryOf(uuid: string, asked: Window): GpuSummary | undefined {
    if (window !== asked) summaries.clear();
    window = asked;
    if (!summaries.has(uuid)) {
      const own = rows.get(uuid);
      summaries.set(uuid, own && summarize(own, asked));
    }
    return summaries.get(uuid);
  }

  /** Busy with kernels that only wait; undefined: nothing tells. */
  function doing(uuid: string, asked: Window): 'idle' | 'spinning' | 'busy' | undefined {
    const summary = summaryOf(uuid, asked);
    if (!summary || !Number.isFinite(summary.lateUtilization)) return undefined;
    if (summary.lateUtilization <= thresholds.idle.value) return 'idle';
    if (summary.lateUtilization < thresholds.busy.value) return 'busy';
    const rise = scales.powerRise(uuid, summary.lateMeans[columnAt.power] ?? NaN, limitOf(summary));
    const tensor = summary.lateMeans[columnAt.tensor] ?? NaN;
    const sm = summary.lateMeans[columnAt.smActive] ?? NaN;
    if (rise > thresholds.spinPower.value || sm > thresholds.spinSms.value || tensor > thresholds.spinTensor.value)
      return 'busy';
    return Number.isFinite(rise) || (Number.isFinite(sm) && Number.isFinite(tensor)) ? 'spinning' : undefined;
  }

  function readPeers({ subjects, window: asked, set }: Ask, subject: GpuSubject, own: GpuSummary) {
    const peers = subjects.filter((each): each is GpuSubject => each.kind === 'gpu' && each.uuid !== subject.uuid);
    set('peers', { value: peers.length });
    if (peers.length === 0) return;
    const does = peers.flatMap(({ uuid }) => doing(uuid, asked) ?? []);
    const share = (what: string) => (100 * does.filter((each) => each === what).length) / does.length;
    set('peersSpinning', { value: share('spinning') });
    set('peersBusy', { value: share('busy') });
    const theirs = peers.map(({ uuid }) => summaryOf(uuid, asked)?.utilization ?? NaN).filter(Number.isFinite);
    set('behindPeers', { value: theirs.reduce((sum, each) => sum + each, 0) / theirs.length - own.utilization });
  }

  return {
    take(sample) {
      if (sample.kind !== 'gpus') return;
      scales.take(sample);
      for (let row = 0; row < sample.uuid.length; row++) takeRow(sample, row);
    },
    read(ask) {
      const { subject, window: asked } = ask;
      if (subject.kind !== 'gpu') return;
      const summary = summaryOf(subject.uuid, asked);
      if (!summary) return;
      const of = `GPU ${subject.index}`;
      const tell = (signal: SignalName, value: number | undefined) =>
        value !== undefined && Number.isFinite(value) && ask.set(signal, { value, of });
      const { means, lateMeans } = summary;
      const limit = limitOf(summary);
      const [power, latePower] = [means[columnAt.power] ?? NaN, lateMeans[columnAt.power] ?? NaN];
      tell('utilization', summary.utilization);
      tell('idleShare', 100 * summary.idleShare);
      tell('utilizationSpread', summary.spread);
      tell('power', power);
      tell('powerShare', (100 * power) / limit);
      tell('powerRise', scales.powerRise(subject.uuid, power, limit));
      tell('memoryBusy', means[columnAt.memoryBusy]);
      tell('memoryMoves', summary.memoryTurns);
      tell('clockShare', (100 * summary.clockAtWork) / scales.clockMax(subject.uuid));
      tell('thermalShare', 100 * (means[columnAt.thermal] ?? NaN));
      tell('powerCapShare', 100 * (means[columnAt.powerCap] ?? NaN));
      tell('powerBrakeShare', 100 * (means[columnAt.powerBrake] ?? NaN));
      tell('smActive', means[columnAt.smActive]);
      tell('smOccupancy', means[columnAt.smOccupancy]);
      tell('tensorActive', means[columnAt.tensor]);
      tell('dramActive', means[columnAt.dram]);
      tell('pcieRate', (means[columnAt.pcie] ?? NaN) / bytesInMegabyte);
      tell('nvlinkRate', (means[columnAt.nvlink] ?? NaN) / bytesInMegabyte);
      tell('lateUtilization', summary.lateUtilization);
      tell('latePower', latePower);
      tell('latePowerShare', (100 * latePower) / limit);
      tell('latePowerRise', scales.powerRise(subject.uuid, latePower, limit));
      tell('lateTensor', lateMeans[columnAt.tensor]);
      tell('lateDram', lateMeans[columnAt.dram]);
      // Of a GPU that shows nothing there is no kernel to fill it.
      if (summary.countedUtilization >= leastForFill)
        tell('kernelFill', Math.min(100, (100 * (means[columnAt.smActive] ?? NaN)) / summary.countedUtilization));
      if (summary.utilization >= leastForFill)
        tell('powerFill', Math.min(100, (100 * scales.powerRise(subject.uuid, power, limit)) / summary.utilization));
      readPeers(ask, subject, summary);
    },
    // What a GPU can draw is as true of the next run; its frames of before are over with the window.
    forgetRun() {},
  };
}

function limitOf({ means }: GpuSummary): number {
  return means[columnAt.powerLimit] ?? NaN;
}
