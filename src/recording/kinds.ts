import type * as S from '../model/samples.ts';
import { eventKind } from './event-kinds.ts';
import { factsShape, lineShape, runShape, stackFrameShape, stackThreadShape, waitLacksShape } from './parts.ts';
import * as is from './shape.ts';
import { verdictShape } from './verdict-parts.ts';

/** The heads of Samples are written the same way for all kinds. */
type HeadField = keyof S.SampleBase<string>;
type SampleOf<K> = Extract<S.Sample, { readonly kind: K }>;
type Present<T> = Exclude<T, undefined>;
type ListField<T> = { [F in keyof T]-?: Present<T[F]> extends readonly unknown[] ? F : never }[keyof T];
type CellOf<T> = Present<T> extends readonly (infer Cell)[] ? Cell : never;

/** How the Samples of one kind are written, read and checked. */
export interface Kind {
  /** Rows with equal cells in these columns are one thing over time; none: it has no rows. The hint saves bytes, nothing leans on its being right. */
  readonly keys: readonly string[];
  /** By column what a cell is; lists of one length. */
  readonly columns: Readonly<Record<string, is.Field>>;
  readonly fields: Readonly<Record<string, is.Field>>;
  /** Each is written whole and leans on no other: it is found without those before it. */
  readonly alone: boolean;
}

const cell = is.orNull(is.number);
const word = is.orNull(is.text);
const maybe = is.optional(cell);
const captureKind = is.oneOf({ dump: true, native: true, many: true, record: true, gil: true });

/**
 * All that is known here of each kind of Sample: a new kind is one more entry. A field that a kind gets later is optional for ever, and a
 * name that is in use stays: files that were written before are read by this table too.
 */
const table = {
  link: fields<S.LinkSample>({
    state: is.oneOf({ connecting: true, up: true, lost: true, failed: true }),
    reason: is.optional(is.text),
    retryAt: is.optional(is.moment),
    silentSince: is.optional(is.moment),
    roundTripMs: is.optional(is.number),
  }),
  facts: fields<S.FactsSample>({ facts: factsShape }),
  source: fields<S.SourceSample>({
    status: is.oneOf({ waiting: true, live: true, stale: true, failed: true, off: true }),
    reason: is.optional(is.text),
    rejectedLines: is.optional(is.number),
  }),
  run: fields<S.RunSample>({
    phase: is.oneOf({ finding: true, choosing: true, running: true, ended: true }),
    run: is.optional(runShape),
    candidates: is.list(runShape),
    reason: is.optional(is.text),
  }),
  processes: rows<S.ProcessesSample>(
    ['pid'],
    { pid: is.number, state: word, rssBytes: cell, threadCount: cell, readBytes: cell, writtenBytes: cell },
    {},
  ),
  threads: rows<S.ThreadsSample>(
    ['pid', 'tid'],
    {
      pid: is.number,
      tid: is.number,
      comm: is.text,
      state: word,
      core: cell,
      cpuPercent: cell,
      userPercent: cell,
      systemPercent: cell,
      runQueuePercent: cell,
    },
    { reader: is.oneOf({ proc: true, top: true, pidstat: true }), intervalSeconds: is.optional(is.number) },
  ),
  waits: rows<S.WaitsSample>(
    ['pid', 'tid'],
    {
      pid: is.number,
      tid: is.number,
      state: word,
      call: word,
      file: word,
      operand: cell,
      futex: word,
      where: word,
      since: cell,
      notBefore: cell,
      voluntaryPerSecond: cell,
      involuntaryPerSecond: cell,
      cpus: word,
      stack: is.orNull(is.list(is.text)),
    },
    { lacks: waitLacksShape },
  ),
  busiest: rows<S.BusiestSample>(
    ['pid', 'tid'],
    { pid: cell, tid: is.number, user: is.text, comm: is.text, state: word, cpuPercent: cell },
    { threadsTotal: is.optional(is.number) },
  ),
  gpus: rows<S.GpusSample>(
    ['uuid'],
    {
      uuid: is.text,
      index: is.number,
      name: word,
      utilizationPercent: maybe,
      utilizationReadings: is.optional(is.orNull(is.list(is.number))),
      memoryUtilizationPercent: maybe,
      memoryUsedBytes: maybe,
      memoryTotalBytes: maybe,
      powerWatts: maybe,
      powerLimitWatts: maybe,
      temperatureCelsius: maybe,
      memoryTemperatureCelsius: maybe,
      smClockMhz: maybe,
      memoryClockMhz: maybe,
      smClockMaxMhz: maybe,
      fanPercent: maybe,
      pstate: is.optional(word),
      throttleReasons: is.optional(is.orNull(is.list(is.text))),
      eccUncorrected: maybe,
      pcieGeneration: maybe,
      pcieWidth: maybe,
      mig: is.optional(word),
      persistence: is.optional(word),
      graphicsActivePercent: maybe,
      smActivePercent: maybe,
      smOccupancyPercent: maybe,
      tensorActivePercent: maybe,
      tensorDoubleActivePercent: maybe,
      tensorHalfActivePercent: maybe,
      dramActivePercent: maybe,
      pcieTxBytesPerSecond: maybe,
      pcieRxBytesPerSecond: maybe,
      nvlinkTxBytesPerSecond: maybe,
      nvlinkRxBytesPerSecond: maybe,
      countersTime: maybe,
      countersRoundMs: maybe,
      faults: is.optional(word),
    },
    {},
  ),
  gpuProcesses: rows<S.GpuProcessesSample>(
    ['uuid', 'pid'],
    { uuid: is.text, pid: is.number, name: is.text, memoryBytes: cell },
    {},
  ),
  host: fields<S.HostSample>({
    load1: is.optional(is.number),
    load5: is.optional(is.number),
    load15: is.optional(is.number),
    cores: is.optional(is.number),
    coreLimit: is.optional(is.number),
    busyPercent: is.optional(is.number),
    ioWaitPercent: is.optional(is.number),
    memoryTotalBytes: is.optional(is.number),
    memoryAvailableBytes: is.optional(is.number),
    memoryLimitBytes: is.optional(is.number),
    memoryUsedBytes: is.optional(is.number),
    swapUsedBytes: is.optional(is.number),
    cpuPressurePercent: is.optional(is.number),
    memoryPressurePercent: is.optional(is.number),
    ioPressurePercent: is.optional(is.number),
    diskReadBytesPerSecond: is.optional(is.number),
    diskWriteBytesPerSecond: is.optional(is.number),
    diskBusyPercent: is.optional(is.number),
    runReadBytesPerSecond: is.optional(is.number),
    runWriteBytesPerSecond: is.optional(is.number),
    costCpuPercent: is.optional(is.number),
    costMemoryBytes: is.optional(is.number),
    costProcesses: is.optional(is.number),
    costPids: is.optional(is.list(is.number)),
  }),
  log: fields<S.LogSample>({
    path: is.text,
    format: is.text,
    lines: is.list(lineShape),
    unreadLines: is.optional(is.number),
    endOffset: is.optional(is.number),
    backlog: is.optional(is.yes),
    writtenAt: is.optional(is.moment),
  }),
  stacks: fields<S.StacksSample>({
    pid: is.number,
    command: is.text,
    threads: is.list(stackThreadShape),
    capture: is.optional(is.text),
    auto: is.optional(is.yes),
    native: is.optional(is.yes),
    savedTo: is.optional(is.text),
    failure: is.optional(is.text),
  }),
  capture: fields<S.CaptureSample>({
    id: is.text,
    what: captureKind,
    state: is.oneOf({ waiting: true, running: true, done: true, partial: true, cancelled: true, failed: true }),
    pids: is.list(is.number),
    startedAt: is.moment,
    plannedMs: is.number,
    endedAt: is.optional(is.moment),
    samples: is.optional(is.number),
    errors: is.optional(is.number),
    rate: is.optional(is.number),
    notes: is.list(is.text),
    files: is.list(is.text),
    failure: is.optional(is.text),
    stoppedPids: is.optional(is.list(is.number)),
  }),
  profile: fields<S.ProfileSample>({
    capture: is.text,
    what: captureKind,
    pid: is.number,
    command: is.text,
    rate: is.optional(is.number),
    seconds: is.number,
    samples: is.number,
    errors: is.number,
    threads: is.list(
      is.object<S.ProfileThread>({
        tid: is.optional(is.number),
        name: is.optional(is.text),
        stillIn: is.optional(is.text),
        cpuShare: is.optional(is.number),
        gilShare: is.optional(is.number),
      }),
    ),
    frames: is.list(stackFrameShape),
    stacks: is.list(
      is.object<S.ProfileStack>({
        thread: is.number,
        frames: is.list(is.number),
        count: is.number,
        active: is.optional(is.number),
        gil: is.optional(is.number),
      }),
    ),
    leftOut: is.optional(is.number),
  }),
  labels: rows<S.LabelsSample>(
    ['pid', 'tid'],
    { pid: is.number, tid: is.number, name: word, rule: word, stack: word },
    {},
  ),
  gpuRoles: rows<S.GpuRolesSample>(['gpu'], { gpu: is.number, role: is.text }, {}),
  interval: fields<S.IntervalSample>({ intervalMs: is.interval }),
  settings: fields<S.SettingsSample>({
    batchTokens: is.optional(is.number),
    baseline: is.optional(is.number),
    baselineUnit: is.optional(is.oneOf({ tokens: true, samples: true, steps: true })),
    baselineFrom: is.optional(is.text),
  }),
  verdicts: fields<S.VerdictsSample>({ verdicts: is.list(verdictShape) }),
  event: alone<S.EventSample>({
    event: eventKind,
    text: is.text,
  }),
  mark: alone<S.MarkSample>({ text: is.text }),
} satisfies { readonly [K in S.Sample['kind']]: KindOf<SampleOf<K>> };

/** The compiler's proof of which Sample an entry of the table is for. */
type KindOf<T> = Kind & { readonly of?: (sample: T) => void };

/** The kinds of Samples by name. */
export const kinds: ReadonlyMap<string, Kind> = new Map(Object.entries(table));

function rows<T extends S.Sample>(
  keys: readonly ListField<T>[],
  columns: {
    readonly [F in ListField<T>]: Record<never, never> extends Pick<T, F>
      ? is.Optional<CellOf<T[F]>>
      : is.Shape<CellOf<T[F]>>;
  },
  others: is.Fields<Omit<T, HeadField | ListField<T>>>,
): KindOf<T> {
  return {
    keys: keys as readonly string[],
    columns: columns as Kind['columns'],
    fields: others as Kind['fields'],
    alone: false,
  };
}

function fields<T extends S.Sample>(all: is.Fields<Omit<T, HeadField>>): KindOf<T> {
  return { keys: [], columns: {}, fields: all as Kind['fields'], alone: false };
}

function alone<T extends S.Sample>(all: is.Fields<Omit<T, HeadField>>): KindOf<T> {
  return { ...fields<T>(all), alone: true };
}
