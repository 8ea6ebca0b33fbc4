import { casts, type Cast, type DemoProcess, type DemoThread } from './cast.ts';
import { passingOf, withEpochs } from './epochs.ts';
import { countersOver, type DemoCounters } from './gpu-counters.ts';
import { gpuAt, loadAt, type DemoGpu, type Place } from './gpu.ts';
import { drift, hash } from './noise.ts';
import { firstPid } from './places.ts';
import type { Effect, RunPlan, Scenario } from './scenario.ts';
import { healthy } from './scenarios/healthy.ts';
import { area, strength } from './span.ts';
import { createStops } from './stops.ts';
import { createThreadLoad, mixShape, type DemoCpu, type ThreadShape } from './thread-load.ts';

/**
 * A simulated host with a training run on eight GPUs. Everything is a function of the seed, the scenario and the time, so that a
 * replay is exact. The figures follow captures of a real H200 host: power, clocks and temperature go with what happens.
 * `up` is seconds of uptime, as in /proc/uptime.
 */
export interface Machine {
  readonly scenario: Scenario;
  readonly seed: number;
  /** Seconds the machine has been up at a moment (epoch ms). */
  uptime(now: number): number;
  readonly bootTime: number;
  /** Seconds of uptime when the demo began. */
  readonly startUp: number;
  /** All runs of the scenario, over all time. */
  readonly runs: readonly DemoRun[];
  /** The run that is there. */
  run(up: number): DemoRun | undefined;
  processes(up: number): readonly DemoProcess[];
  threads(up: number): readonly DemoThread[];
  /** What is other than healthy, and how much. */
  effects(up: number): readonly ActiveEffect[];
  gpus(up: number): readonly DemoGpu[];
  /** utilization.gpu of each alone: it is asked for often. */
  gpuUse(up: number): readonly number[];
  /** What GPM counted on each in so many seconds before. */
  gpuCounters(up: number, seconds: number): readonly DemoCounters[];
  queue(up: number): { readonly low: number; readonly high: number };
  /** Lines of steps that a run has written, with the part of the one to come. */
  beats(run: DemoRun, up: number): number;
  /** When a run writes that line; undefined: not before `up`. */
  beatUp(run: DemoRun, beat: number, up: number): number | undefined;
  /** When a process began, where it did not with its run. */
  processStart(pid: number): number | undefined;
  /** CPU a thread has used since its run began. */
  cpu(thread: DemoThread, up: number): DemoCpu;
  /** How a thread spends its time just now. */
  shape(thread: DemoThread, up: number): ThreadShape;
  /** Percent of one core right now. */
  rate(thread: DemoThread, up: number): number;
  /** Seconds that a healthy run takes for what all runs have done: what they read and write goes with it. */
  workSeconds(up: number): number;
  /** Whether the host can be reached. */
  isLinkUp(up: number): boolean;
  /** SIGSTOP and SIGCONT to a process, which are the only things here that do not follow from the time: they hold from now on. */
  stop(pid: number, up: number): void;
  resume(pid: number, up: number): void;
  isStopped(pid: number, up: number): boolean;
}

/** One run of the trainer. */
export interface DemoRun extends Cast {
  readonly plan: RunPlan;
  /** Seconds of uptime. */
  readonly startUp: number;
  readonly endUp: number;
}

/** An effect and how much it holds. */
export interface ActiveEffect {
  readonly effect: Effect;
  readonly strength: number;
}

/** Of the queue between the two stages. */
export const queueCapacity = 60;
/** A healthy run writes a line about its steps every so many seconds. */
export const secondsPerBeat = 2;
/** The run had been up for this long when the demo host booted its clock, so that there is something to look back on. */
const runAgeSeconds = 3 * 3600 + 12 * 60 + 40;
const bootBeforeRunSeconds = 41 * 86400;

interface MachineOptions {
  readonly seed: number;
  readonly startedAt: number;
  readonly scenario?: Scenario;
  /** Instead of the cast's own: the bench has more. */
  readonly threads?: readonly DemoThread[];
}

/** A machine on which the scenario begins at `startedAt` (epoch ms). */
export function createMachine({ seed, startedAt, scenario = healthy, threads }: MachineOptions): Machine {
  const bootTime = startedAt - (bootBeforeRunSeconds + runAgeSeconds) * 1000;
  const uptime = (now: number) => (now - bootTime) / 1000;
  const startUp = uptime(startedAt);
  const plans = scenario.runs ?? [{ cast: 'pipeline', pid: firstPid }];
  const runs = plans.map((plan, i): DemoRun => ({
    ...withEpochs(casts[plan.cast](plan.pid), plan.epochs),
    ...(i === 0 && threads && { threads }),
    plan,
    startUp: plan.from === undefined ? bootBeforeRunSeconds : startUp + plan.from,
    endUp: plan.until === undefined ? Infinity : startUp + plan.until,
  }));
  const run = (up: number) => runs.find((each) => up >= each.startUp && up < each.endUp);
  const passing = passingOf(runs, startUp);
  const stops = createStops(startUp);
  const scenarios = scenario.effects ?? [];
  let all = scenarios;

  /** Of the last few moments: each is asked for by all threads and GPUs. */
  const known = new Map<number, readonly ActiveEffect[]>();
  function effects(up: number): readonly ActiveEffect[] {
    if (all.length === 0) return none;
    const before = known.get(up);
    if (before) return before;
    const active = all.flatMap((effect) => {
      const amount = strength(effect, up - startUp);
      return amount > 0 ? [{ effect, strength: amount }] : [];
    });
    if (known.size >= 32) known.clear();
    known.set(up, active);
    return active;
  }
  const shape = (thread: DemoThread, up: number) => {
    const mixed = mixShape(thread, effects(up));
    return stops.isStopped(thread.pid, up) ? { ...mixed, percent: 0, rest: 'T' as const } : mixed;
  };
  function changeStops(change: () => void) {
    change();
    all = [...scenarios, ...stops.effects()];
    known.clear();
  }
  const load = createThreadLoad({
    seed,
    startUp,
    shape,
    runStart: (pid) =>
      passing.start(pid) ??
      runs.find(({ processes }) => processes.some((each) => each.pid === pid))?.startUp ??
      startUp,
  });
  function beats({ startUp: begin, endUp }: DemoRun, at: number): number {
    const up = Math.min(at, endUp);
    // What was lost before the run began is not its loss.
    const lost = (effect: Effect) =>
      effect.pace === undefined ? 0 : (1 - effect.pace) * (area(effect, up - startUp) - area(effect, begin - startUp));
    return (up - begin - all.reduce((sum, effect) => sum + lost(effect), 0)) / secondsPerBeat;
  }
  const castAt = (up: number) => run(up)?.plan.cast;
  const gpuPlace = (index: number, up: number): Place => ({ seed, index, up, effects, castAt });
  return {
    scenario,
    seed,
    uptime,
    bootTime,
    startUp,
    runs,
    run,
    processes: (up) => passing.there(run(up)?.processes ?? [], up),
    threads: (up) => passing.there(run(up)?.threads ?? [], up),
    effects,
    gpus: (up) => gpuIndices.map((index) => gpuAt(gpuPlace(index, up))),
    gpuUse: (up) => gpuIndices.map((index) => Math.round(loadAt(gpuPlace(index, up))?.utilization ?? 0)),
    gpuCounters: (up, seconds) => gpuIndices.map((index) => countersOver(gpuPlace(index, up), seconds)),
    queue: (up) => queueAt(seed, up, effects(up)),
    beats,
    beatUp(each, beat, up) {
      if (!all.some(({ pace }) => pace !== undefined)) return each.startUp + beat * secondsPerBeat;
      if (beats(each, up) < beat) return undefined;
      // From where it is does not depend on when it is asked for, so that it is the same for all who ask.
      let low = each.startUp - 10;
      let high = each.startUp + beat * secondsPerBeat;
      for (let reach = 1; beats(each, high) < beat; reach *= 2) {
        low = high;
        high += reach;
      }
      while (high - low > 1e-4) {
        const middle = (low + high) / 2;
        if (beats(each, middle) < beat) low = middle;
        else high = middle;
      }
      return Math.round(high * 1000) / 1000;
    },
    shape,
    rate: load.rate,
    processStart: passing.start,
    cpu: (thread, up) => load.cpu(thread, passing.within(thread.pid, up)),
    workSeconds: (up) =>
      runs.reduce((sum, each) => sum + (up < each.startUp ? 0 : beats(each, up) * secondsPerBeat), 0),
    isLinkUp: (up) =>
      !(scenario.drops ?? []).some(({ at, seconds }) => up - startUp >= at && up - startUp < at + seconds),
    stop(pid, up) {
      const holdsGpu = runs.some(({ processes }) =>
        processes.some((each) => each.pid === pid && each.gpuMinors.length > 0),
      );
      changeStops(() => stops.stop(pid, up, holdsGpu));
    },
    resume: (pid, up) => changeStops(() => stops.resume(pid, up)),
    isStopped: stops.isStopped,
  };
}

const none: readonly ActiveEffect[] = [];
const gpuIndices = [0, 1, 2, 3, 4, 5, 6, 7];

function queueAt(seed: number, up: number, effects: readonly ActiveEffect[]) {
  let [depth, sway] = [31, 1];
  for (const { effect, strength: amount } of effects) {
    if (!effect.queue) continue;
    depth += (effect.queue.depth - depth) * amount;
    sway += (effect.queue.sway - sway) * amount;
  }
  const middle = depth + sway * (9 * drift(seed, 901, up, 23) + 4 * drift(seed, 902, up, 5));
  const spread = sway * (2 + 2 * hash(seed, 903, Math.floor(up / 2)));
  const held = (value: number) => Math.min(queueCapacity, Math.max(0, Math.round(value)));
  return { low: held(middle - spread), high: held(middle + spread) };
}
