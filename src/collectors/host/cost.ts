import type { HostSample } from '../../model/samples.ts';

/** A process of ours on the host: `ticks` is its own CPU and that of the children it waited for. */
interface Ours {
  readonly parentPid: number;
  readonly startTicks: number;
  readonly ticks: number;
  readonly bytes: number;
}

/** Adds up what our processes on the host cost. */
export interface Cost {
  seen(pid: number, process: Ours): void;
  gone(pid: number): void;
  /** The mean of the last half minute; `up` is the host's uptime in seconds. */
  frame(up: number | undefined): Partial<HostSample>;
}

/**
 * Between two frames our processes used what those still there grew by, less what ended processes had used before: that was
 * counted when they lived, and now stands in the figure of the parent that waited for them. An ended process without an
 * ancestor of ours (a closed channel of a local host) takes nothing away.
 */
export function createCost(clockTicks: number, leftOutSeconds = startSeconds): Cost {
  /** Ticks and seconds of the newest frames: a tick is 10 ms, half a percent of a frame of two seconds. */
  let window: readonly (readonly [ticks: number, seconds: number])[] = [];
  let before = new Map<number, Ours>();
  let beforeUp: number | undefined;
  let firstUp: number | undefined;
  /** Something was told since the last frame that counted. */
  let isTold = false;
  let last: Partial<HostSample> = {};
  const now = new Map<number, Ours>();

  function used(): number {
    let ticks = 0;
    for (const [pid, process] of now) {
      const old = before.get(pid);
      if (old?.startTicks === process.startTicks) ticks += Math.max(0, process.ticks - old.ticks);
      // One that was only found now may be old: its past is no cost of this frame.
      else if (process.startTicks / clockTicks >= (beforeUp ?? Infinity)) ticks += process.ticks;
    }
    for (const [pid, process] of before) {
      if (now.get(pid)?.startTicks !== process.startTicks && hasSurvivor(process)) ticks -= process.ticks;
    }
    return Math.max(0, ticks);
  }

  /** Is an ancestor of ours still there? Bounded, since a reused PID could close a circle. */
  function hasSurvivor(process: Ours): boolean {
    let parentPid = process.parentPid;
    for (let depth = 0; depth < 16; depth++) {
      if (now.has(parentPid) && before.has(parentPid)) return true;
      const parent = before.get(parentPid);
      if (!parent) return false;
      parentPid = parent.parentPid;
    }
    return false;
  }

  return {
    seen(pid, process) {
      now.set(pid, process);
      isTold = true;
    },
    gone(pid) {
      now.delete(pid);
      isTold = true;
    },
    frame(up) {
      // The script looks every 7 s only; what it does not find changed it does not tell.
      const since = up !== undefined && beforeUp !== undefined ? up - beforeUp : Infinity;
      if (!isTold && last.costCpuPercent !== undefined && since < untoldSeconds) return last;
      isTold = false;
      const seconds = up !== undefined && beforeUp !== undefined ? up - beforeUp : 0;
      if (now.size > 0) firstUp ??= up;
      const starting = (up ?? 0) - (firstUp ?? up ?? 0) < leftOutSeconds;
      if (seconds > 0 && before.size > 0 && !starting) window = newest([...window, [used(), seconds]]);
      const percent = window.length > 0 ? (100 * sum(window, 0)) / clockTicks / sum(window, 1) : undefined;
      before = new Map(now);
      beforeUp = up;
      last = {};
      if (now.size === 0) return last;
      const bytes = [...now.values()].reduce((sum, process) => sum + process.bytes, 0);
      last = {
        ...(percent !== undefined && { costCpuPercent: percent }),
        costMemoryBytes: Math.round(bytes),
        costProcesses: now.size,
        costPids: [...now.keys()],
      };
      return last;
    },
  };
}

const windowSeconds = 30;
/** What it takes to start everything is paid once: it says nothing of what staying costs. */
const startSeconds = 5;
/** A frame that tells nothing counts when so much time has passed: nothing was used, then. */
const untoldSeconds = 20;

const sum = (frames: readonly (readonly [number, number])[], column: 0 | 1) =>
  frames.reduce((total, frame) => total + frame[column], 0);

/** The frames that make up the window; the newest always is in it. */
function newest(frames: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] {
  let from = 0;
  while (from < frames.length - 1 && sum(frames.slice(from + 1), 1) >= windowSeconds) from++;
  return frames.slice(from);
}
