import { createManualClock, type ManualClock } from '../../src/clock.ts';
import type { HostFacts } from '../../src/model/facts.ts';
import type { Run } from '../../src/model/run.ts';
import type { CaptureSample, Sample, StacksSample } from '../../src/model/samples.ts';
import { createStore, type Store } from '../../src/model/store.ts';
import type { Controls } from '../../src/ui/controls.ts';

/** 2026-11-29, 14:03:20 UTC. */
export const start = Date.UTC(2026, 10, 29, 14, 3, 20);

/** Fields that every Sample has. */
export const base = (source: string, time: number) => ({ host: 'node-7', source, time, receivedAt: time });

/** Controls that keep what was asked of them, over a store with a clock of its own. */
export interface MadeControls extends Controls {
  readonly clock: ManualClock;
  readonly asked: string[];
  /** Ends the dump that is under way. */
  endDump(): void;
}

export function makeControls(change: Partial<Controls> = {}): MadeControls {
  const clock = createManualClock(start);
  const store = createStore(clock, 1000);
  const asked: string[] = [];
  let endDump = () => {};
  return {
    store,
    target: 'ml@node-7',
    demo: false,
    intervalMs: 1000,
    setInterval: (ms) => (asked.push(`interval ${ms}`), ms),
    connectNow: () => void asked.push('connect'),
    lookForRuns: () => void asked.push('look'),
    chooseRun: (pid) => void asked.push(`run ${pid}`),
    capture({ what, pids }) {
      asked.push(`${what} ${pids.join()}`);
      const id = `capture-${asked.length}`;
      store.push(makeCapture({ id, what, pids, startedAt: clock.now() }));
      return { id, over: new Promise<void>((resolve) => (endDump = resolve)) };
    },
    cancelCapture: (id) => void asked.push(`cancel ${id}`),
    ...change,
    clock,
    asked,
    endDump: () => endDump(),
  };
}

export const facts: HostFacts = {
  hostname: 'node-7',
  user: 'ml',
  uid: 1000,
  clockTicks: 100,
  pageSize: 4096,
  cores: 128,
  bootTime: start - 9e8,
  clockOffsetMs: 3,
  utcOffsetMinutes: 0,
  tailFollows: true,
};

/** A run of `ranks` processes under one launcher. */
export function makeRun(rootPid = 4021, ranks = 8, script = 'train_pipeline.py'): Run {
  const process = (pid: number, argv: readonly string[], more: object) => ({
    pid,
    parentPid: 1,
    commandLine: argv,
    user: 'ml',
    startTime: start - 11_520_000,
    gpuMinors: [],
    ...more,
  });
  const rank = (n: number) =>
    process(rootPid + 1 + n, ['/opt/venv/bin/python', '-u', `/home/ml/${script}`, '--config', 'configs/8b.yaml'], {
      rank: n,
      localRank: n,
      gpuMinors: [n],
    });
  return {
    id: `${rootPid}:1`,
    rootPid,
    processes: [
      process(rootPid, ['/opt/venv/bin/torchrun', '--nproc-per-node', '8', script], {}),
      ...Array.from({ length: ranks }, (_, n) => rank(n)),
    ],
    outputs: [{ fd: 1, kind: 'file', path: '/home/ml/runs/8b/train.log' }],
  };
}

/** One frame of every source, as of `time`; `n` varies the values. */
export function frame(time: number, n: number): readonly Sample[] {
  const wave = (i: number, low: number, high: number) => low + ((high - low) * (1 + Math.sin(n / 5 + i))) / 2;
  const run = makeRun();
  const eight = [0, 1, 2, 3, 4, 5, 6, 7];
  const names = ['hs_reader', 'batch_builder', 'NCCL Progress', 'pin_memory', 'checkpoint', 'grad_sync', 'decode'];
  const threads = eight.flatMap((rank) =>
    names.map((name, i) => ({ pid: 4022 + rank, tid: 5000 + rank * 10 + i, name, i })),
  );
  const cpu = threads.map(({ i, tid }) => (i > 4 ? 0 : Math.round(wave(tid, 2, 98 - i * 18) * 10) / 10));
  return [
    { ...base('run', time), kind: 'run', phase: 'running', run, candidates: [run, makeRun(9000, 0, 'eval.py')] },
    {
      ...base('gpu', time),
      kind: 'gpus',
      uuid: eight.map((i) => `GPU-${i}`),
      index: eight,
      name: eight.map(() => 'NVIDIA H200'),
      utilizationPercent: eight.map((i) => Math.round(wave(i, 70, 100))),
      memoryUsedBytes: eight.map((i) => (100 + i) * 2 ** 30),
      memoryTotalBytes: eight.map(() => 141 * 2 ** 30),
      powerWatts: eight.map((i) => wave(i, 500, 700)),
      powerLimitWatts: eight.map(() => 700),
      temperatureCelsius: eight.map((i) => Math.round(wave(i, 55, 71))),
      smClockMhz: eight.map(() => 1980),
      throttleReasons: eight.map((i) => (i === 3 ? ['power cap'] : [])),
    },
    {
      ...base('threads', time),
      kind: 'threads',
      reader: 'proc',
      intervalSeconds: 1,
      pid: threads.map(({ pid }) => pid),
      tid: threads.map(({ tid }) => tid),
      comm: threads.map(({ name }) => name),
      state: threads.map(({ i }) => (i === 0 ? 'R' : 'S')),
      core: threads.map(({ tid }) => tid % 128),
      cpuPercent: cpu,
      userPercent: cpu.map((value) => value * 0.8),
      systemPercent: cpu.map((value) => value * 0.2),
      runQueuePercent: cpu.map((value) => value / 40),
    },
    {
      ...base('log', time),
      kind: 'log',
      path: '/home/ml/runs/8b/train.log',
      format: 'generic',
      lines: [
        {
          text: `step=${1200 + n}/5000 loss=${(2.4 - n / 300).toFixed(3)} tok/s=${Math.round(wave(0, 14_000, 15_000))} q_hs=[9-12] q_batch=${20 + (n % 8)}/60`,
          time,
          values: {
            step: 1200 + n,
            totalSteps: 5000,
            loss: 2.4 - n / 300,
            tokensPerSecond: wave(0, 14_000, 15_000),
            queues: [
              { name: 'hs', low: 9, high: 12, capacity: 60 },
              { name: 'batch', depth: 20 + (n % 8), capacity: 60 },
            ],
          },
        },
      ],
    },
    {
      ...base('host', time),
      kind: 'host',
      load1: 31.2,
      load5: 30.1,
      load15: 28.4,
      cores: 128,
      busyPercent: wave(2, 20, 40),
      memoryTotalBytes: 2000 * 2 ** 30,
      memoryAvailableBytes: 1400 * 2 ** 30,
      cpuPressurePercent: 0.4,
      ioPressurePercent: 2.1,
      diskReadBytesPerSecond: 3e8,
      costCpuPercent: 0.4,
      costMemoryBytes: 12 * 2 ** 20,
      costProcesses: 9,
    },
  ];
}

export const sources = ['run', 'gpu', 'threads', 'log', 'host'] as const;

/** Connects and brings `frames` seconds of data; the newest are committed. */
export function fill({ store, clock }: { readonly store: Store; readonly clock: ManualClock }, frames = 60): void {
  store.push({ ...base('link', clock.now()), kind: 'link', state: 'up', roundTripMs: 12.4 });
  store.push({ ...base('facts', clock.now()), kind: 'facts', facts });
  for (const source of sources) store.push({ ...base(source, clock.now()), kind: 'source', status: 'live' });
  for (let n = 0; n < frames; n++) {
    for (const sample of frame(clock.now(), n)) store.push(sample);
    clock.advance(1000);
  }
}

/** A capture that is under way, unless `change` says how it is. */
export function makeCapture(change: Partial<CaptureSample> & Pick<CaptureSample, 'id' | 'startedAt'>): CaptureSample {
  return {
    ...base('stacks', change.endedAt ?? change.startedAt),
    kind: 'capture',
    what: 'dump',
    state: 'running',
    pids: [4022],
    plannedMs: 1000,
    notes: [],
    files: [],
    ...change,
  };
}

/** An answer to `py-spy dump`. */
export function makeStacks(time: number, pid = 4022): StacksSample {
  const first = 5000 + (pid - 4022) * 10;
  const thread = (tid: number, name: string, active: boolean, functions: readonly string[]) => ({
    tid,
    name,
    active,
    ownsGil: active && tid === pid,
    frames: functions.map((name, i) => ({
      function: name,
      file: `/home/ml/pipeline/stages/${name}.py`,
      line: 10 * i + 7,
    })),
  });
  return {
    ...base('stacks', time),
    kind: 'stacks',
    pid,
    command: 'python train_pipeline.py',
    savedTo: '/home/ml/.local/share/traintop/captures/2026-11-29T14-03-20-4022.txt',
    threads: [
      thread(pid, 'MainThread', true, ['step', 'train_epoch', 'main', '<module>']),
      thread(first, 'hs_reader', true, ['recv', 'read_hidden_states', 'run', '_bootstrap_inner', '_bootstrap']),
      thread(first + 1, 'batch_builder', false, ['wait', 'get', 'build', 'run', '_bootstrap_inner', '_bootstrap']),
      thread(first + 3, 'pin_memory', false, ['wait', 'get', '_pin_memory_loop', 'run']),
    ],
  };
}
