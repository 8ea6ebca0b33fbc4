import { createManualClock } from '../../../src/clock.ts';
import type { GpusSample, LogSample, LogValues, Sample, ThreadsSample } from '../../../src/model/samples.ts';
import type { Run } from '../../../src/model/run.ts';
import { createStore, type State, type Store } from '../../../src/model/store.ts';
import type { PanelInput, PanelView } from '../../../src/ui/panels/panel.ts';
import type { Line } from '../../../src/ui/parts/line.ts';

/** 2026-11-29 13:46:00 UTC: times on whole seconds, so that graphs are the same in every run. */
export const start = Date.UTC(2026, 10, 29, 13, 46, 0);
const seconds = 90;

/** What a made host has. */
export interface Made {
  readonly gpus?: number;
  readonly threads?: number;
  readonly processes?: number;
  readonly logs?: readonly string[];
  /** Changes the last frame of the GPUs. */
  readonly lastGpus?: (sample: GpusSample) => GpusSample;
  readonly lastThreads?: (sample: ThreadsSample) => ThreadsSample;
  readonly more?: readonly Sample[];
}

/** A store that has watched a run for 90 s: the figures are those of an H200 host with a two-stage pipeline. */
export function madeStore(made: Made = {}): Store {
  const clock = createManualClock(start);
  const store = createStore(clock, 1000);
  const { gpus = 8, threads = 60, processes = 1, logs = ['/home/user/out/train.log'] } = made;
  for (const source of ['threads', 'gpu', 'log', 'host', 'busiest'])
    store.push({ kind: 'source', source, status: 'live', ...base(start) });
  store.push({
    kind: 'run',
    phase: 'running',
    source: 'processes',
    run: runOf(processes, gpus),
    candidates: [],
    ...base(start),
  });
  for (let second = 1; second <= seconds; second++) {
    clock.advance(1000);
    const at = { second, time: clock.now() - 200, last: second === seconds };
    const gpuFrame = gpuSample(gpus, at);
    const threadFrame = threadSample({ threads, processes }, at);
    store.push(at.last && made.lastGpus ? made.lastGpus(gpuFrame) : gpuFrame);
    store.push(at.last && made.lastThreads ? made.lastThreads(threadFrame) : threadFrame);
    logs.forEach((path, i) => second % 2 === i % 2 && store.push({ ...logSample(path, at), source: logSource(i) }));
  }
  store.push(hostSample(clock.now()));
  store.push(busiestSample(clock.now()));
  for (const sample of made.more ?? []) store.push(sample);
  clock.advance(1000);
  store.stop();
  return store;
}

/** A panel's input on a made store. */
export function inputOf(
  store: Store,
  changes: Partial<Omit<PanelInput, 'view'>> & { view?: Partial<PanelView> } = {},
): PanelInput {
  const { view, ...rest } = changes;
  return {
    // Graphs end here, whenever the store committed.
    state: { ...store.getState(), committedAt: start + seconds * 1000 + 30 },
    history: store.history,
    width: 116,
    height: 10,
    focused: false,
    intervalMs: 1000,
    ...rest,
    view: { cursor: 0, filter: '', sort: undefined, showIdle: false, following: true, ...view },
  };
}

/** The text of lines, blanks at the end cut. */
export function text(lines: readonly Line[]): readonly string[] {
  return lines.map((line) =>
    line
      .map((segment) => segment.text)
      .join('')
      .trimEnd(),
  );
}

/** A state with other slices. */
export function withSlices(state: State, slices: Partial<State>): State {
  return { ...state, ...slices };
}

const base = (time: number) => ({ host: 'h200', time, receivedAt: time + 20 });

interface At {
  readonly second: number;
  readonly time: number;
}

function runOf(processes: number, gpus: number): Run {
  return {
    id: '572:1',
    rootPid: 572,
    outputs: [],
    processes: Array.from({ length: processes }, (_, i) => ({
      pid: 572 + i * 1000,
      parentPid: 1,
      commandLine: ['python', 'train.py'],
      gpuMinors: Array.from({ length: gpus }, (_, gpu) => gpu).filter((gpu) => gpu % processes === i),
      ...(processes > 1 && { rank: i, localRank: i, worldSize: processes }),
    })),
  };
}

function gpuSample(count: number, { second, time }: At): GpusSample {
  const column = <T>(value: (gpu: number) => T) => Array.from({ length: count }, (_, gpu) => value(gpu));
  return {
    kind: 'gpus',
    source: 'gpu',
    ...base(time),
    uuid: column((gpu) => `GPU-${gpu}`),
    index: column((gpu) => gpu),
    name: column(() => 'NVIDIA H200'),
    utilizationPercent: column((gpu) =>
      gpu < 5 ? 90 + ((second * 7 + gpu * 3) % 10) : 30 + ((second * 11 + gpu * 5) % 60),
    ),
    memoryUsedBytes: column((gpu) => (gpu < 5 ? 118 : 92.4) * 2 ** 30),
    memoryTotalBytes: column(() => 143_771 * 2 ** 20),
    powerWatts: column((gpu) => (gpu < 5 ? 640 : 320) + ((second * 13 + gpu) % 20) + 0.9),
    powerLimitWatts: column(() => 700),
    temperatureCelsius: column((gpu) => 57 + gpu),
    smClockMhz: column(() => 1980),
    throttleReasons: column(() => []),
  };
}

const comms = ['python3', 'target', 'drafter', 'loader', 'pt_autograd_1', 'cuda-EvtHandlr', 'pt_data_pin'];

function threadSample(
  size: { readonly threads: number; readonly processes: number },
  { second, time }: At,
): ThreadsSample {
  const column = <T>(value: (row: number) => T) => Array.from({ length: size.threads }, (_, row) => value(row));
  const busy = (row: number) => (row < 12 ? Math.max(2, 99 - row * 8 + ((second * (row + 3)) % 4) - 2) : 0);
  return {
    kind: 'threads',
    source: 'threads',
    reader: 'proc',
    intervalSeconds: 1,
    ...base(time),
    pid: column((row) => 572 + (row % size.processes) * 1000),
    tid: column((row) => 600 + row),
    comm: column((row) => comms[row % comms.length] ?? 'python3'),
    state: column((row) => (row < 4 ? 'R' : row === 7 ? 'D' : 'S')),
    core: column((row) => row),
    cpuPercent: column(busy),
    userPercent: column((row) => busy(row) * 0.8),
    systemPercent: column((row) => busy(row) * 0.2),
    runQueuePercent: column((row) => (row === 2 ? 14.2 : row === 3 ? 60 : 0.1)),
  };
}

/** Each reads one log. */
function logSource(i: number): string {
  return i === 0 ? 'log' : `log:${i + 1}`;
}

function logSample(path: string, { second, time }: At): LogSample {
  const depth = 30 + (second % 25);
  const tokens = 14_000 + ((second * 37) % 1100);
  const loss = 2.5 - second * 0.01;
  return {
    kind: 'log',
    source: 'log',
    path,
    format: 'generic',
    ...base(time),
    lines: [
      {
        time,
        text: `[13:47:${String(second % 60).padStart(2, '0')}] step ${second * 10} | loss ${loss.toFixed(4)} | gnorm 0.680 | lr 6.00e-04 | ${(tokens / 1000).toFixed(1)}K tok/s | q_hs=[${depth}-${depth + 2}] q_out=3/64`,
        values: {
          step: second * 10,
          totalSteps: 20_000,
          loss,
          learningRate: 6e-4,
          gradNorm: 0.68,
          tokensPerSecond: tokens,
          stepSeconds: 0.2,
          queues: [
            { name: 'hs', low: depth, high: depth + 2, capacity: 60 },
            { name: 'out', depth: 3, capacity: 64 },
          ],
          stages: [
            { name: 'target.model_forward', averageMs: 8.05, maximumMs: 11.13, count: 750 },
            { name: 'drafter.forward', averageMs: 2.25, maximumMs: 4.08, count: 749 },
          ],
        },
      },
      ...(second % 30 === 0
        ? [{ time, level: 'warning' as const, text: `WARNING: loader fell behind by ${second} batches` }]
        : []),
      ...(second === 80 ? [{ time, level: 'error' as const, text: 'ERROR: NCCL watchdog: collective timed out' }] : []),
    ],
  };
}

function hostSample(time: number): Sample {
  return {
    kind: 'host',
    source: 'host',
    ...base(time),
    load1: 18.42,
    load5: 17.9,
    load15: 16.05,
    cores: 96,
    busyPercent: 21.4,
    ioWaitPercent: 0.3,
    memoryTotalBytes: 2015 * 2 ** 30,
    memoryAvailableBytes: 1600 * 2 ** 30,
    swapUsedBytes: 0,
    cpuPressurePercent: 1.21,
    memoryPressurePercent: 0,
    ioPressurePercent: 3.4,
    diskReadBytesPerSecond: 1.21e9,
    diskWriteBytesPerSecond: 4.1e6,
    diskBusyPercent: 23,
    runReadBytesPerSecond: 1.2e9,
    runWriteBytesPerSecond: 0,
    costCpuPercent: 0.47,
    costMemoryBytes: 9.2 * 2 ** 20,
    costProcesses: 5,
  };
}

function busiestSample(time: number): Sample {
  return {
    kind: 'busiest',
    source: 'busiest',
    ...base(time),
    pid: [null, null, null, null],
    tid: [600, 9001, 9002, 601],
    user: ['root', 'alice', 'www-data', 'root'],
    comm: ['python3', 'ffmpeg', 'nginx: worker', 'target'],
    state: ['R', 'R', 'S', 'R'],
    cpuPercent: [99, 312.4, 4.2, 91],
    threadsTotal: 1433,
  };
}

/** What the panels are given of a host whose log has this one line and nothing else. */
export function saidInLog(values: LogValues, size: { readonly width: number; readonly height: number }): PanelInput {
  const line = { text: '', time: start, values };
  const log: Sample = { kind: 'log', source: 'log', path: '/x.log', format: 'generic', lines: [line], ...base(start) };
  return inputOf(madeStore({ logs: [], more: [log] }), size);
}
