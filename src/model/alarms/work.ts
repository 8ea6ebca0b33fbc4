import { gpusOfProcess } from '../gpu-of-process.ts';
import { createGpuUse } from '../diagnosis/gather/gpu-use.ts';
import type { HostFacts } from '../facts.ts';
import type { Run } from '../run.ts';
import type { GpuProcessesSample, GpusSample, Sample, ThreadsSample } from '../samples.ts';
import { createMean, createUsual } from './usual.ts';

/** Whether the run works as it did when it made steps: a log that is late is no stall. */
export interface Work {
  take(sample: Sample): void;
  /** What is done now is how it is when steps are made. */
  learn(): void;
  /** `gpus`: GPUs do real work as before; `cpu`: its processes do; `none`; undefined: nobody tells. */
  does(now: number): 'gpus' | 'cpu' | 'none' | undefined;
  /** The GPUs that the run works on. */
  gpus(): readonly RunGpu[];
  forgetRun(): void;
}

/** A GPU of the run. */
export interface RunGpu {
  readonly uuid: string;
  readonly index: number;
}

/** Who spins has nothing of it, who works in another way (an evaluation, a larger batch) more than half. */
const halfOfUsual = 0.5;
/** A GPU that shows less while steps are made is not what makes them. */
const worksFrom = 20;
const idlePercent = 5;
/** With a context and no work a GPU draws a sixth of its limit, less than a fifth of what it draws at work. */
const idleOfLimit = 1 / 6;
const idleOfUsual = 0.2;
/** Percent of one core: heartbeats, and looks around, are below. */
const leastCpu = 5;
/** While GPUs stand, a thread that computes shows this. */
const computes = 50;
/** Where nobody saw it at work: who spins comes to a fifth of the limit and has a quarter of the SMs, who works to a third and more. */
const workOfLimit = 0.6;
const workSms = 60;
const lateMs = 15_000;
const staleMs = 20_000;
/** More than a host has. */
const mostGpus = 64;

const figures = ['utilization', 'power', 'sm'] as const;
type Figure = (typeof figures)[number];

interface Gpu {
  readonly now: Readonly<Record<Figure, ReturnType<typeof createMean>>>;
  readonly usual: Readonly<Record<Figure, ReturnType<typeof createUsual>>>;
  limit: number;
}

/** Nothing is known. */
export function createWork(): Work {
  const gpus = new Map<string, Gpu>();
  let use = createGpuUse();
  let used = use.version();
  let cpu = { now: createMean(lateMs), usual: createUsual() };
  let run: Run | undefined;
  let frame: GpusSample | undefined;
  let processes: GpuProcessesSample | undefined;
  let facts: HostFacts | undefined;
  let own: readonly RunGpu[] | undefined;
  let key = '';

  function takeGpus(sample: GpusSample) {
    frame = sample;
    use.take(sample);
    const seen = sample.uuid.join();
    if (seen !== key || use.version() !== used) own = undefined;
    [key, used] = [seen, use.version()];
    const { receivedAt: at } = sample;
    for (let row = 0; row < sample.uuid.length; row++) {
      const uuid = sample.uuid[row] ?? '';
      let gpu = gpus.get(uuid);
      if (!gpu && gpus.size < mostGpus) gpus.set(uuid, (gpu = createGpu()));
      if (!gpu) continue;
      gpu.now.utilization.add(at, sample.utilizationPercent?.[row] ?? NaN);
      gpu.now.power.add(at, sample.powerWatts?.[row] ?? NaN);
      gpu.now.sm.add(at, sample.smActivePercent?.[row] ?? NaN);
      gpu.limit = sample.powerLimitWatts?.[row] ?? gpu.limit;
    }
  }

  function takeThreads({ cpuPercent, intervalSeconds, receivedAt }: ThreadsSample) {
    if (intervalSeconds === undefined) return;
    let sum = 0;
    for (let row = 0; row < cpuPercent.length; row++) sum += cpuPercent[row] ?? 0;
    cpu.now.add(receivedAt, sum);
  }

  function find(): readonly RunGpu[] {
    if (own) return own;
    const minors = facts?.nvidia?.minors;
    const of = (pid: number) => gpusOfProcess({ pid, run, gpus: frame, processes, ...(minors && { minors }) });
    const said = new Set((run?.processes ?? []).flatMap(({ pid }) => of(pid)));
    // Of a run that nothing tells GPUs of: those that somebody uses, unless others are said to.
    const others = new Set(processes?.uuid);
    const all = frame?.uuid ?? [];
    const mine =
      said.size > 0
        ? all.filter((uuid) => said.has(uuid))
        : all.filter((uuid) => use.isUsed(uuid) === true && !others.has(uuid));
    return (own = mine.map((uuid) => ({ uuid, index: frame?.index[all.indexOf(uuid)] ?? -1 })));
  }

  /** Of its usual work; NaN: nobody tells. */
  function share({ now, usual, limit }: Gpu, at: number): number {
    const percent = now.utilization.over(at);
    if (percent <= idlePercent) return 0;
    const isKnown = usual.utilization.value() >= worksFrom;
    const most = isKnown ? usual.power.value() : limit * workOfLimit;
    const floor = limit > 0 ? limit * idleOfLimit : most * idleOfUsual;
    const watts = now.power.over(at);
    if (most - floor > 0.1 * most && !Number.isNaN(watts)) return (watts - floor) / (most - floor);
    return now.sm.over(at) / (isKnown ? usual.sm.value() : workSms);
  }

  return {
    take(sample) {
      if (sample.kind === 'gpus') takeGpus(sample);
      else if (sample.kind === 'threads') takeThreads(sample);
      else if (sample.kind === 'run') {
        if (sample.run !== run) own = undefined;
        run = sample.run;
      } else if (sample.kind === 'gpuProcesses') {
        processes = sample;
        own = undefined;
      } else if (sample.kind === 'facts') {
        facts = sample.facts;
        own = undefined;
      }
    },
    learn() {
      for (const { uuid } of find()) {
        const gpu = gpus.get(uuid);
        if (gpu) for (const name of figures) gpu.usual[name].add(gpu.now[name].last());
      }
      cpu.usual.add(cpu.now.last());
    },
    does(at) {
      const percent = cpu.now.over(at);
      let [told, best, busy] = [0, -Infinity, 0];
      for (const { uuid } of find()) {
        const gpu = gpus.get(uuid);
        const isSeen = gpu && at - gpu.now.utilization.at() <= staleMs;
        // One that does nothing while steps are made says nothing of them.
        if (!isSeen || gpu.usual.utilization.value() < worksFrom) continue;
        const work = share(gpu, at);
        busy = Math.max(busy, gpu.now.utilization.over(at));
        if (Number.isNaN(work)) continue;
        told++;
        best = Math.max(best, work);
      }
      if (told > 0 && best >= halfOfUsual) return 'gpus';
      // Spinning threads are on a CPU while their GPUs spin; with GPUs that are idle they compute something.
      if (told > 0) return busy <= idlePercent && percent >= computes ? 'cpu' : 'none';
      if (Number.isNaN(percent)) return undefined;
      return percent >= leastCpu && percent >= halfOfUsual * cpu.usual.value() ? 'cpu' : 'none';
    },
    gpus: find,
    forgetRun() {
      use = createGpuUse();
      own = undefined;
      gpus.clear();
      cpu = { now: createMean(lateMs), usual: createUsual() };
    },
  };
}

function createGpu(): Gpu {
  const make = <T>(one: () => T) => ({ utilization: one(), power: one(), sm: one() });
  return { now: make(() => createMean(lateMs)), usual: make(createUsual), limit: NaN };
}
