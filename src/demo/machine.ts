import { demoThreads, type DemoThread } from './cast.ts';
import { drift, hash } from './noise.ts';

/**
 * A simulated host with a healthy two-stage training pipeline: five GPUs run a frozen 27B target model and put hidden states
 * into a bounded queue, three train a drafter from it. Everything is a function of the seed and the time, so that a replay is
 * exact. The figures follow the captures of a real H200 host: power, clocks and temperature go with utilization.
 */
export interface Machine {
  /** The threads of its run. */
  readonly threads: readonly DemoThread[];
  /** Seconds the machine has been up at a moment (epoch ms); /proc/uptime. */
  uptime(now: number): number;
  readonly bootTime: number;
  /** Seconds of uptime when the demo began. */
  readonly startUp: number;
  /** When the run started, in seconds of uptime. */
  readonly runStart: number;
  gpus(up: number): readonly DemoGpu[];
  queue(up: number): { readonly low: number; readonly high: number };
  tokensPerSecond(up: number): number;
  /** CPU a thread has used since the run began. */
  cpu(thread: DemoThread, up: number): DemoCpu;
  /** Percent of one core right now. */
  rate(thread: DemoThread, up: number): number;
}

/** One GPU at a moment, in the units of nvidia-smi. */
export interface DemoGpu {
  readonly index: number;
  readonly uuid: string;
  readonly role: 'target' | 'drafter';
  readonly utilization: number;
  readonly memoryUtilization: number;
  readonly memoryUsedMib: number;
  readonly watts: number;
  readonly celsius: number;
  readonly smMhz: number;
  /** The mask of clocks_event_reasons.active. */
  readonly reasons: number;
}

/** Counters as /proc/PID/task/TID/{schedstat,stat} have them. */
export interface DemoCpu {
  readonly runNs: number;
  readonly waitNs: number;
  readonly slices: number;
  readonly userTicks: number;
  readonly systemTicks: number;
}

/** Memory of an H200 as nvidia-smi tells it. */
export const gpuMemoryMib = 143_771;
/** Of the queue between the two stages. */
export const queueCapacity = 60;
/** Of each GPU. */
export const powerLimitWatts = 700;
const targets = 5;
const gpuCount = 8;
const softwarePowerCap = 0x4;
/** The run had been up for this long when the demo host booted its clock, so that there is something to look back on. */
const runAgeSeconds = 3 * 3600 + 12 * 60 + 40;
const bootBeforeRunSeconds = 41 * 86400;

interface MachineOptions {
  readonly seed: number;
  readonly startedAt: number;
  /** Instead of the cast's own: the bench has more. */
  readonly threads?: readonly DemoThread[];
}

/** A machine whose run is `runAgeSeconds` old at `startedAt` (epoch ms). */
export function createMachine({ seed, startedAt, threads = demoThreads }: MachineOptions): Machine {
  const bootTime = startedAt - (bootBeforeRunSeconds + runAgeSeconds) * 1000;
  const runStart = bootBeforeRunSeconds;
  const uptime = (now: number) => (now - bootTime) / 1000;
  const rate = (thread: DemoThread, up: number) =>
    thread.percent === 0
      ? 0
      : clamp(
          thread.percent *
            (1 + thread.sway * drift(seed, thread.tid, up, 2.5) + 0.1 * drift(seed, thread.tid + 7, up, 11)),
          0,
          100,
        );

  return {
    threads,
    uptime,
    bootTime,
    runStart,
    startUp: uptime(startedAt),
    gpus: (up) => Array.from({ length: gpuCount }, (_, index) => gpu(seed, index, up)),
    queue(up) {
      const depth = 31 + 9 * drift(seed, 901, up, 23) + 4 * drift(seed, 902, up, 5);
      const spread = 2 + 2 * hash(seed, 903, Math.floor(up / 2));
      return {
        low: Math.max(0, Math.round(depth - spread)),
        high: Math.min(queueCapacity, Math.round(depth + spread)),
      };
    },
    tokensPerSecond: (up) => 14_500 + 160 * drift(seed, 911, up, 31) + 90 * drift(seed, 912, up, 4),
    rate,
    cpu: cumulative(rate, runStart, uptime(startedAt)),
  };
}

function gpu(seed: number, index: number, up: number): DemoGpu {
  const target = index < targets;
  const utilization = clamp(
    (target ? 96 : 88) + (target ? 3 : 7) * drift(seed, 100 + index, up, 6) + 2 * drift(seed, 120 + index, up, 1.5),
    0,
    100,
  );
  const watts = (target ? 655 : 560) * (0.35 + (0.65 * utilization) / 97) + 12 * drift(seed, 140 + index, up, 3);
  const capped = watts > 0.975 * powerLimitWatts || (target && drift(seed, 160 + index, up, 9) > 0.86);
  return {
    index,
    // Group 4 tells the index, so that a reader sees which is which.
    uuid: `GPU-d3300000-0000-4000-8000-00000000000${index}`,
    role: target ? 'target' : 'drafter',
    utilization: Math.round(utilization),
    memoryUtilization: Math.round(utilization * (target ? 0.41 : 0.36)),
    memoryUsedMib: (target ? 78_412 : 96_230) + index * 37,
    watts: Math.min(watts, powerLimitWatts + 4),
    celsius: Math.round(34 + watts / 22 + 2 * drift(seed, 180 + index, up, 60) + (index % 4)),
    smMhz: capped ? 1755 + 15 * Math.floor(6 * hash(seed, 200 + index, Math.floor(up))) : 1980,
    reasons: capped ? softwarePowerCap : 0,
  };
}

/** Integrates a rate second by second; what lies before the start is the mean. */
function cumulative(rate: Machine['rate'], runStart: number, startUp: number): Machine['cpu'] {
  const sums = new Map<number, { second: number; seconds: number }>();
  const from = Math.floor(startUp) - 120;
  return (thread, up) => {
    const start = { second: from, seconds: ((from - runStart) * thread.percent) / 100 };
    const known = sums.get(thread.tid);
    const sum = known && known.second <= up ? known : start;
    while (sum.second + 1 <= up) {
      sum.seconds += rate(thread, sum.second + 0.5) / 100;
      sum.second++;
    }
    sums.set(thread.tid, sum);
    const seconds = sum.seconds + ((up - sum.second) * rate(thread, sum.second + 0.5)) / 100;
    const runNs = Math.round(seconds * 1e9);
    return {
      runNs,
      waitNs: Math.round(runNs * thread.waitShare),
      slices: Math.round(seconds * 900),
      userTicks: Math.floor(seconds * 100 * (1 - thread.systemShare)),
      systemTicks: Math.floor(seconds * 100 * thread.systemShare),
    };
  };
}

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));
