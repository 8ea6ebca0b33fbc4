import type { ThreadsSample } from '../../samples.ts';

/** CPU of threads over a stretch of time, by PID. */
export type ProcessSums = ReadonlyMap<number, ProcessSum>;

/** One process over a stretch of time. */
export interface ProcessSum {
  readonly pid: number;
  /** For which its frames told anything. */
  readonly seconds: number;
  /** Percent-seconds of all its threads. */
  readonly cpu: number;
  /** Frames that showed it, and those with a thread of it in uninterruptible sleep. */
  readonly looks: number;
  readonly inDisk: number;
  /** By TID, those that did anything. */
  readonly threads: ReadonlyMap<number, ThreadSum>;
}

/** One thread; percent-seconds. */
export interface ThreadSum {
  readonly tid: number;
  readonly comm: string;
  readonly cpu: number;
  /** Absent: nobody told. */
  readonly system?: number;
  readonly runQueue?: number;
}

/** What the last minute's frames of threads say. */
export interface ThreadFrames {
  add(sample: ThreadsSample): void;
  /** Over (from, to], each frame by its part in it; those with a smaller part than `least` say nothing of it. */
  sums(from: number, to: number, least?: number): ProcessSums;
  forget(): void;
}

/** The longest window of the engine. */
const keptMs = 60_000;
/** Frames are that far apart or further, as a rule; a minute of closer ones is not kept whole. */
const mostFrames = 240;
/** What does less is a thread that waits: its sums are noise. */
const leastPercent = 1;

interface Frame {
  readonly from: number;
  readonly to: number;
  readonly processes: ReadonlyMap<number, ProcessFrame>;
}

interface ProcessFrame {
  cpu: number;
  isInDisk: boolean;
  readonly threads: Row[];
}

interface Row {
  readonly tid: number;
  readonly comm: string;
  readonly cpu: number;
  readonly system: number | null;
  readonly runQueue: number | null;
}

/** No frames yet. */
export function createThreadFrames(): ThreadFrames {
  let frames: Frame[] = [];

  function sums(from: number, to: number, least = 0): ProcessSums {
    const all = new Map<number, Sum>();
    for (const frame of frames) {
      const ms = Math.min(to, frame.to) - Math.max(from, frame.from);
      if (ms <= 0 || ms < least * (frame.to - frame.from)) continue;
      for (const [pid, process] of frame.processes) addTo(sumOf(all, pid), process, ms / 1000);
    }
    return all;
  }

  return {
    add(sample) {
      const { time, intervalSeconds } = sample;
      const last = frames.at(-1);
      // The clock was set back.
      if (last && time < last.to) frames = frames.filter(({ to }) => to < time);
      if (intervalSeconds === undefined || intervalSeconds <= 0) return;
      frames.push({ from: time - intervalSeconds * 1000, to: time, processes: processesOf(sample) });
      if (frames.length > mostFrames || (frames[0]?.to ?? time) < time - keptMs)
        frames = frames.filter(({ to }) => to >= time - keptMs).slice(-mostFrames);
    },
    sums,
    forget: () => void (frames = []),
  };
}

function processesOf({ pid, tid, comm, state, cpuPercent, systemPercent, runQueuePercent }: ThreadsSample) {
  const processes = new Map<number, ProcessFrame>();
  for (let i = 0; i < tid.length; i++) {
    const own = pid[i] as number;
    let process = processes.get(own);
    if (!process) processes.set(own, (process = { cpu: 0, isInDisk: false, threads: [] }));
    if (state[i] === 'D') process.isInDisk = true;
    const cpu = cpuPercent[i] ?? null;
    if (cpu === null) continue;
    process.cpu += cpu;
    const runQueue = runQueuePercent[i] ?? null;
    if (cpu < leastPercent && (runQueue ?? 0) < leastPercent && tid[i] !== own) continue;
    process.threads.push({
      tid: tid[i] as number,
      comm: comm[i] ?? '',
      cpu,
      system: systemPercent[i] ?? null,
      runQueue,
    });
  }
  return processes;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };
type Sum = Writable<Omit<ProcessSum, 'threads'>> & { readonly threads: Map<number, Writable<ThreadSum>> };

function sumOf(all: Map<number, Sum>, pid: number): Sum {
  let sum = all.get(pid);
  if (!sum) all.set(pid, (sum = { pid, seconds: 0, cpu: 0, looks: 0, inDisk: 0, threads: new Map() }));
  return sum;
}

function addTo(sum: Sum, process: ProcessFrame, seconds: number) {
  sum.seconds += seconds;
  sum.cpu += process.cpu * seconds;
  sum.looks++;
  if (process.isInDisk) sum.inDisk++;
  for (const { tid, comm, cpu, system, runQueue } of process.threads) {
    let thread = sum.threads.get(tid);
    if (!thread) sum.threads.set(tid, (thread = { tid, comm, cpu: 0 }));
    thread.cpu += cpu * seconds;
    if (system !== null) thread.system = (thread.system ?? 0) + system * seconds;
    if (runQueue !== null) thread.runQueue = (thread.runQueue ?? 0) + runQueue * seconds;
  }
}
