import type { GpusSample, HostSample, LogField, Sample } from './samples.ts';
import { mostNames } from './throughput.ts';

/** Names of the series, one place for writers and readers. */
export const seriesName = {
  gpu: (uuid: string, field: GpuSeries) => `gpu/${uuid}/${field}`,
  /** CPU percent of one core. */
  thread: (pid: number, tid: number) => `thread/${pid}/${tid}`,
  /** Share of all cores. */
  hostBusy: 'host/busy',
  host: (field: HostSeries) => `host/${field}`,
  /** CPU of all threads of the run, in cores. */
  runCores: 'run/cores',
  /** A value of the log. */
  log: (field: LogField) => `log/${field}`,
  /** Depth of a queue, and what it can hold where the log says that. */
  queue: (name: string) => `queue/${name}`,
  queueCapacity: (name: string) => `queueCapacity/${name}`,
  /** Average time of a stage, ms. */
  stage: (name: string) => `stage/${name}`,
} as const;

/** What is kept of each GPU: the name of its series, and the column that it is of. */
const gpuColumns = {
  utilization: 'utilizationPercent',
  memory: 'memoryUsedBytes',
  power: 'powerWatts',
  temperature: 'temperatureCelsius',
  smClock: 'smClockMhz',
  smActive: 'smActivePercent',
  tensorActive: 'tensorActivePercent',
  dramActive: 'dramActivePercent',
  pcieReceived: 'pcieRxBytesPerSecond',
  nvlinkReceived: 'nvlinkRxBytesPerSecond',
} as const satisfies Readonly<Record<string, NumberColumn>>;

/** What is kept of the host. */
const hostValues = {
  busy: ({ busyPercent }) => busyPercent,
  load: ({ load1 }) => load1,
  ioWait: ({ ioWaitPercent }) => ioWaitPercent,
  memoryUsed: hostMemoryUsed,
  swapUsed: ({ swapUsedBytes }) => swapUsedBytes,
  diskRead: ({ diskReadBytesPerSecond }) => diskReadBytesPerSecond,
  diskWrite: ({ diskWriteBytesPerSecond }) => diskWriteBytesPerSecond,
  diskBusy: ({ diskBusyPercent }) => diskBusyPercent,
  runRead: ({ runReadBytesPerSecond }) => runReadBytesPerSecond,
  runWrite: ({ runWriteBytesPerSecond }) => runWriteBytesPerSecond,
} as const satisfies Readonly<Record<string, (host: HostSample) => number | undefined>>;

/** What is kept of the log's values. Its `other` numbers are not: they may be any, and new ones in each line. */
const logFields = [
  'step',
  'loss',
  'learningRate',
  'gradNorm',
  'tokensPerSecond',
  'samplesPerSecond',
  'iterationsPerSecond',
  'stepSeconds',
  'mfuPercent',
  'validationLoss',
] as const satisfies readonly LogField[];

type GpuSeries = keyof typeof gpuColumns;
type HostSeries = keyof typeof hostValues;

type NumberColumn = {
  [K in keyof GpusSample]-?: NonNullable<GpusSample[K]> extends readonly (number | null)[] ? K : never;
}[keyof GpusSample];

/** A value for a series. */
export type AddValue = (name: string, time: number, value: number | null | undefined) => void;

/** Every value of a Sample that has a series, but those of single threads. */
export function eachValue(sample: Sample, add: AddValue): void {
  const { time } = sample;
  if (sample.kind === 'gpus') {
    for (const [field, column] of Object.entries(gpuColumns) as [GpuSeries, NumberColumn][])
      sample.uuid.forEach((uuid, row) => add(seriesName.gpu(uuid, field), time, sample[column]?.[row]));
  } else if (sample.kind === 'host') {
    for (const [field, value] of Object.entries(hostValues)) add(`host/${field}`, time, value(sample));
  } else if (sample.kind === 'threads') {
    add(seriesName.runCores, time, cores(sample.cpuPercent));
  } else if (sample.kind === 'log') {
    for (const { time: at, values } of sample.lines) {
      if (!values) continue;
      for (const field of logFields) add(seriesName.log(field), at, values[field]);
      for (const { name, depth, low, capacity } of values.queues ?? []) {
        add(seriesName.queue(name), at, depth ?? low);
        add(seriesName.queueCapacity(name), at, capacity);
      }
      for (const { name, averageMs } of values.stages ?? []) add(seriesName.stage(name), at, averageMs);
    }
  }
}

/** How many series of a kind are kept, whatever the host and its log say; a name of no kind here has none. */
export const mostSeries: Readonly<Record<string, number>> = {
  gpu: 64 * Object.keys(gpuColumns).length,
  thread: 2048,
  host: Object.keys(hostValues).length,
  run: 1,
  log: logFields.length,
  queue: mostNames,
  queueCapacity: mostNames,
  stage: mostNames,
};

/** What a series is of: the first part of its name. */
export function seriesKind(name: string): string {
  return name.slice(0, name.indexOf('/'));
}

/** The series is of the run: another run is not its continuation. */
export function isOfRun(name: string): boolean {
  return !/^(gpu|host)\//.test(name);
}

/** Its values come when the log speaks, not at a pace of ours, and panels draw as many of them as there are. */
export function isIrregular(name: string): boolean {
  return /^(log\/(tokensPerSecond|samplesPerSecond|iterationsPerSecond|loss|gradNorm|validationLoss)$|queue\/)/.test(
    name,
  );
}

/** Of these a graph shows more time than its newest entries cover. */
export function hasLongGraph(name: string): boolean {
  return /^log\/(tokensPerSecond|samplesPerSecond|iterationsPerSecond|loss|gradNorm|validationLoss)$/.test(name);
}

/** What the run can hit: the cgroup's memory where that is limited, else the host's. */
function hostMemoryUsed(host: HostSample): number | undefined {
  const { memoryLimitBytes, memoryUsedBytes, memoryTotalBytes, memoryAvailableBytes } = host;
  if (memoryLimitBytes !== undefined) return memoryUsedBytes;
  if (memoryTotalBytes === undefined || memoryAvailableBytes === undefined) return memoryUsedBytes;
  return memoryTotalBytes - memoryAvailableBytes;
}

/** CPU of all threads, in cores. Absent where no thread has a share yet: a first frame. */
export function cores(percents: readonly (number | null)[]): number | undefined {
  let sum: number | undefined;
  for (const percent of percents) if (percent !== null) sum = (sum ?? 0) + percent;
  return sum === undefined ? undefined : sum / 100;
}
