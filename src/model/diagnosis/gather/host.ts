import type { BusiestSample, HostSample, ThreadsSample } from '../../samples.ts';
import type { SignalName } from '../signals.ts';
import type { Gatherer, Known } from './gatherer.ts';
import { createWindowMeans } from './window-means.ts';

/** What of a frame of the host is a signal as it stands, and by what it is divided. */
const asTold: readonly { readonly signal: SignalName; readonly of: (host: HostSample) => number | undefined }[] = [
  { signal: 'writeRate', of: ({ runWriteBytesPerSecond: bytes }) => bytes && bytes / 1e6 },
  { signal: 'readRate', of: ({ runReadBytesPerSecond: bytes }) => bytes && bytes / 1e6 },
  { signal: 'diskBusy', of: ({ diskBusyPercent }) => diskBusyPercent },
  { signal: 'ioWait', of: ({ ioWaitPercent }) => ioWaitPercent },
  { signal: 'hostBusy', of: ({ busyPercent }) => busyPercent },
  { signal: 'cpuPressure', of: ({ cpuPressurePercent }) => cpuPressurePercent },
  { signal: 'memoryPressure', of: ({ memoryPressurePercent }) => memoryPressurePercent },
  { signal: 'ioPressure', of: ({ ioPressurePercent }) => ioPressurePercent },
];

/** Reads the signals of the host: what it has to spare for the run, and who else takes of it. */
export function createHostGatherer(): Gatherer {
  const hosts = createWindowMeans({ columns: asTold.length });
  const others = createWindowMeans({ columns: 1 });
  const ours = createWindowMeans({ columns: 1 });
  let coreLimit: number | undefined;
  let costPids: ReadonlySet<number> = new Set();

  return {
    take(sample, known) {
      if (sample.kind === 'host') {
        hosts.add(
          sample.receivedAt,
          asTold.map(({ of }) => of(sample)),
        );
        coreLimit = sample.coreLimit;
        costPids = new Set(sample.costPids);
      } else if (sample.kind === 'busiest') others.add(sample.receivedAt, [coresOfOthers(sample, known, costPids)]);
      else if (sample.kind === 'threads') ours.add(sample.receivedAt, [percentOfAll(sample)]);
    },
    read({ subject, window, set }) {
      if (subject.kind !== 'run') return;
      const span = { ...window, orNewest: true };
      const told = hosts.over(span);
      for (const [column, { signal }] of asTold.entries()) set(signal, { value: told.mean(column) });
      set('neighbourCores', { value: others.over(span).mean(0) });
      if (coreLimit !== undefined && coreLimit > 0)
        set('coreLimitShare', { value: ours.over(span).mean(0) / coreLimit });
    },
    forgetRun() {
      ours.clear();
      // Who was a neighbour is perhaps the run now.
      others.clear();
    },
  };
}

/** CPU of the busiest threads that are neither of the run nor of the monitor, in cores. */
function coresOfOthers(sample: BusiestSample, { run, threads }: Known, costPids: ReadonlySet<number>): number {
  const pids = new Set(run?.run?.processes.map(({ pid }) => pid));
  const tids = new Set(threads?.tid);
  let percent = 0;
  for (const [row, tid] of sample.tid.entries()) {
    const pid = sample.pid[row] ?? tid;
    if (pids.has(pid) || costPids.has(pid) || tids.has(tid)) continue;
    percent += sample.cpuPercent[row] ?? 0;
  }
  return percent / 100;
}

/** CPU of all threads of the run, percent of one core; NaN in a first frame, which has none. */
function percentOfAll({ cpuPercent }: ThreadsSample): number {
  let sum = NaN;
  for (const percent of cpuPercent) if (percent !== null) sum = (Number.isNaN(sum) ? 0 : sum) + percent;
  return sum;
}
