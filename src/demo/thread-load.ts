import type { DemoThread } from './cast.ts';
import type { ActiveEffect } from './machine.ts';
import { drift } from './noise.ts';
import type { ThreadEffect } from './scenario.ts';

/** Counters as /proc/PID/task/TID/{schedstat,stat} have them. */
export interface DemoCpu {
  readonly runNs: number;
  readonly waitNs: number;
  readonly slices: number;
  readonly userTicks: number;
  readonly systemTicks: number;
}

/** How a thread spends its time at a moment. */
export interface ThreadShape extends Pick<DemoThread, 'percent' | 'sway' | 'systemShare' | 'waitShare' | 'stack'> {
  /** Its state while it does not run. */
  readonly rest: 'S' | 'D' | 'T';
}

interface Init {
  readonly seed: number;
  /** Seconds of uptime when the demo began. */
  readonly startUp: number;
  readonly shape: (thread: DemoThread, up: number) => ThreadShape;
  /** Seconds of uptime when the run of a process began. */
  readonly runStart: (pid: number) => number;
}

/** The CPU that threads use, and have used. */
export function createThreadLoad({ seed, startUp, shape, runStart }: Init) {
  const rate = (thread: DemoThread, up: number) => rateOf(seed, thread, shape(thread, up), up);
  return { rate, cpu: cumulative() };

  /** Integrates a rate second by second; what lies before the demo is the mean. */
  function cumulative(): (thread: DemoThread, up: number) => DemoCpu {
    const sums = new Map<number, Sum>();
    return (thread, up) => {
      const known = sums.get(thread.tid);
      const sum = known && known.second <= up ? known : begin(thread);
      for (; sum.second + 1 <= up; sum.second++) add(sum, thread, 1);
      sums.set(thread.tid, sum);
      const { seconds, system, wait } = add({ ...sum }, thread, up - sum.second);
      const runNs = Math.round(seconds * 1e9);
      return {
        runNs,
        waitNs: Math.round(runNs * thread.waitShare + wait * 1e9),
        slices: Math.round(seconds * 900),
        userTicks: Math.floor(seconds * 100 * (1 - thread.systemShare) - system * 100),
        systemTicks: Math.floor(seconds * 100 * thread.systemShare + system * 100),
      };
    };
  }

  function begin(thread: DemoThread): Sum {
    const start = runStart(thread.pid);
    const second = start < startUp ? Math.floor(startUp) - 120 : Math.floor(start);
    return { second, seconds: (Math.max(0, second - start) * thread.percent) / 100, system: 0, wait: 0 };
  }

  function add(sum: Sum, thread: DemoThread, part: number): Sum {
    const at = sum.second + 0.5;
    const now = shape(thread, at);
    const seconds = (part * rateOf(seed, thread, now, at)) / 100;
    sum.seconds += seconds;
    sum.system += seconds * (now.systemShare - thread.systemShare);
    sum.wait += seconds * (now.waitShare - thread.waitShare);
    return sum;
  }
}

/** Seconds of CPU up to a second; of these in the kernel and waiting beyond the thread's healthy shares. */
interface Sum {
  second: number;
  seconds: number;
  system: number;
  wait: number;
}

/** What the effects make of a thread. */
export function mixShape(thread: DemoThread, effects: readonly ActiveEffect[]): ThreadShape {
  let shape = healthyShape(thread);
  for (const { effect, strength } of effects) {
    const change = effect.threads && changeOf(effect.threads, thread);
    if (change) shape = mix(shape, change, strength);
  }
  return shape;
}

function mix(shape: ThreadShape, change: ThreadEffect, strength: number): ThreadShape {
  const between = (key: 'percent' | 'sway' | 'systemShare' | 'waitShare') =>
    shape[key] + ((change[key] ?? shape[key]) - shape[key]) * strength;
  const isMost = strength > 0.5;
  return {
    percent: between('percent'),
    sway: between('sway'),
    systemShare: between('systemShare'),
    waitShare: between('waitShare'),
    rest: isMost ? (change.rest ?? shape.rest) : shape.rest,
    stack: isMost ? (change.stack ?? shape.stack) : shape.stack,
  };
}

const shapes = new WeakMap<DemoThread, ThreadShape>();

function healthyShape(thread: DemoThread): ThreadShape {
  const known = shapes.get(thread);
  if (known) return known;
  const { percent, sway, systemShare, waitShare, stack } = thread;
  const shape: ThreadShape = { percent, sway, systemShare, waitShare, stack, rest: 'S' };
  shapes.set(thread, shape);
  return shape;
}

/** Which of an effect's changes concerns a thread; patterns are tried once. */
const changes = new WeakMap<readonly ThreadEffect[], Map<string, ThreadEffect | undefined>>();

function changeOf(all: readonly ThreadEffect[], { key }: DemoThread): ThreadEffect | undefined {
  const known = changes.get(all) ?? new Map<string, ThreadEffect | undefined>();
  changes.set(all, known);
  if (!known.has(key))
    known.set(
      key,
      all.find(({ of }) => of.test(key)),
    );
  return known.get(key);
}

function rateOf(seed: number, { tid }: DemoThread, { percent, sway }: ThreadShape, up: number): number {
  if (percent === 0) return 0;
  const slow = Math.min(0.1, 2 * sway);
  const moved = percent * (1 + sway * drift(seed, tid, up, 2.5) + slow * drift(seed, tid + 7, up, 11));
  return Math.min(100, Math.max(0, moved));
}
