import type { GpuPlace, HostFacts, NumaNode, NvidiaFacts, TopFacts } from '../model/facts.ts';
import type { LogEvent, LogGap, LogLine, LogValues, QueueReading, StageReading } from '../model/log-samples.ts';
import type { Run, RunOutput, RunProcess } from '../model/run.ts';
import type { StackFrame, StackThread } from '../model/stacks.ts';
import type { WaitLacks } from '../model/wait-samples.ts';
import * as is from './shape.ts';

/** What the probe found. */
export const factsShape: is.Shape<HostFacts> = is.object<HostFacts>({
  hostname: is.text,
  kernel: is.optional(is.text),
  user: is.text,
  uid: is.optional(is.number),
  loginShell: is.optional(is.text),
  clockTicks: is.number,
  pageSize: is.number,
  cores: is.optional(is.number),
  threadCount: is.optional(is.number),
  bootTime: is.moment,
  bootId: is.optional(is.text),
  clockOffsetMs: is.number,
  utcOffsetMinutes: is.number,
  awk: is.optional(is.oneOf({ mawk: true, gawk: true, busybox: true, other: true })),
  top: is.optional(
    is.object<TopFacts>({
      flavour: is.oneOf({ procps: true, busybox: true, other: true }),
      version: is.optional(is.text),
      leaderRowIsTotal: is.flag,
    }),
  ),
  pidstatVersion: is.optional(is.text),
  tailFollows: is.flag,
  numaNodes: is.optional(is.list(is.object<NumaNode>({ node: is.number, cores: is.text }))),
  nvidia: is.optional(
    is.object<NvidiaFacts>({
      driverVersion: is.optional(is.text),
      fields: is.list(is.text),
      gpuCount: is.number,
      minors: is.optional(is.record(is.number)),
      places: is.optional(
        is.record(is.object<GpuPlace>({ address: is.text, node: is.optional(is.number), cores: is.optional(is.text) })),
      ),
    }),
  ),
  nvidiaMissing: is.optional(is.text),
  pySpy: is.optional(is.text),
  ptraceScope: is.optional(is.number),
  hasPtraceCapability: is.optional(is.flag),
});

const processShape = is.object<RunProcess>({
  pid: is.number,
  parentPid: is.optional(is.number),
  commandLine: is.list(is.text),
  executable: is.optional(is.text),
  user: is.optional(is.text),
  startTime: is.optional(is.moment),
  cwd: is.optional(is.text),
  rank: is.optional(is.number),
  localRank: is.optional(is.number),
  worldSize: is.optional(is.number),
  gpuMinors: is.list(is.number),
  cpuPercent: is.optional(is.number),
});

const outputShape = is.object<RunOutput>({
  fd: is.number,
  pid: is.optional(is.number),
  rank: is.optional(is.number),
  kind: is.oneOf({ file: true, pipe: true, terminal: true, null: true, deleted: true, socket: true, unknown: true }),
  path: is.optional(is.text),
});

/** A run with its processes. */
export const runShape: is.Shape<Run> = is.object<Run>({
  id: is.text,
  rootPid: is.number,
  bootId: is.optional(is.text),
  processes: is.list(processShape),
  outputs: is.list(outputShape),
});

/** What is known of a queue's depth. */
export const queueFields: is.Fields<QueueReading> = {
  name: is.text,
  depth: is.optional(is.number),
  capacity: is.optional(is.number),
  low: is.optional(is.number),
  high: is.optional(is.number),
  waitSeconds: is.optional(is.number),
};

/** What is known of a stage's time. */
export const stageFields: is.Fields<StageReading> = {
  name: is.text,
  averageMs: is.optional(is.number),
  maximumMs: is.optional(is.number),
  count: is.optional(is.number),
};

const valuesShape = is.object<LogValues>({
  step: is.optional(is.number),
  totalSteps: is.optional(is.number),
  epoch: is.optional(is.number),
  loss: is.optional(is.number),
  learningRate: is.optional(is.number),
  gradNorm: is.optional(is.number),
  tokensPerSecond: is.optional(is.number),
  tokensPerSecondScope: is.optional(is.oneOf({ gpu: true, global: true })),
  samplesPerSecond: is.optional(is.number),
  stepSeconds: is.optional(is.number),
  etaSeconds: is.optional(is.number),
  mfuPercent: is.optional(is.number),
  iterationsPerSecond: is.optional(is.number),
  elapsedSeconds: is.optional(is.number),
  tflopsPerSecond: is.optional(is.number),
  memoryBytes: is.optional(is.number),
  validationLoss: is.optional(is.number),
  stepInEpoch: is.optional(is.number),
  stepsPerEpoch: is.optional(is.number),
  queues: is.optional(is.list(is.object<QueueReading>(queueFields))),
  stages: is.optional(is.list(is.object<StageReading>(stageFields))),
  other: is.optional(is.record(is.number)),
});

const detail: is.Shape<string | number> = (value) => (typeof value === 'number' ? value : is.text(value));

const eventShape = is.object<LogEvent>({
  kind: is.oneOf({
    cuda_oom: true,
    host_oom: true,
    nccl_timeout: true,
    dist_backend: true,
    xid: true,
    gpu_lost: true,
    traceback: true,
    exception: true,
    torchrun_child_failed: true,
    rank_exit: true,
    slurm_time_limit: true,
    slurm_cancelled: true,
    signal: true,
    overflow: true,
    not_finite: true,
    loss_spike: true,
    checkpoint: true,
    evaluation: true,
    epoch_end: true,
    training_end: true,
  }),
  details: is.optional(is.record(detail)),
});

/** A line of a log with what was read from it. */
export const lineShape: is.Shape<LogLine> = is.object<LogLine>({
  text: is.text,
  time: is.moment,
  level: is.optional(is.oneOf({ error: true, warning: true })),
  rank: is.optional(is.number),
  values: is.optional(valuesShape),
  event: is.optional(eventShape),
  continued: is.optional(is.number),
  repeats: is.optional(is.number),
  undated: is.optional(is.yes),
  note: is.optional(is.yes),
  gap: is.optional(
    is.object<LogGap>({
      reason: is.oneOf({ truncated: true, lost: true, skipped: true }),
      fromOffset: is.optional(is.number),
      bytes: is.optional(is.number),
    }),
  ),
});

/** What keeps a host from telling what threads wait for. */
export const waitLacksShape: is.Shape<WaitLacks> = is.object<WaitLacks>({
  call: is.optional(is.oneOf({ missing: true, refused: true, unnamed: true })),
  where: is.optional(is.oneOf({ missing: true, hidden: true })),
  stack: is.optional(is.oneOf({ missing: true, refused: true })),
  runs: is.optional(is.oneOf({ uncounted: true })),
});

/** A frame of a stack. */
export const stackFrameShape: is.Shape<StackFrame> = is.object<StackFrame>({
  function: is.text,
  file: is.text,
  line: is.optional(is.number),
  native: is.optional(is.yes),
});

/** A thread with its stack. */
export const stackThreadShape: is.Shape<StackThread> = is.object<StackThread>({
  name: is.optional(is.text),
  tid: is.optional(is.number),
  active: is.flag,
  ownsGil: is.flag,
  frames: is.list(stackFrameShape),
  stillIn: is.optional(is.text),
});
