import type { Sample } from './samples.ts';
import { createSeries, type Series } from './series.ts';
import { mostNames as mostQueues } from './throughput.ts';

/** All histories of one host, by name. Series appear when their first value does: an idle thread costs nothing. */
export interface History {
  get(name: string): Series | undefined;
  add(sample: Sample): void;
  /** Another run is watched: threads, logs and queues of the last are no part of it. */
  forgetRun(): void;
  /** Forgets all. */
  clear(): void;
}

/** Names of the series, one place for writers and readers. */
export const seriesName = {
  gpu: (uuid: string, field: 'utilization' | 'memory' | 'power') => `gpu/${uuid}/${field}`,
  /** CPU percent of one core. */
  thread: (pid: number, tid: number) => `thread/${pid}/${tid}`,
  hostBusy: 'host/busy',
  /** A value of the log: tokensPerSecond, loss, gradNorm. */
  log: (field: string) => `log/${field}`,
  /** Depth of a queue. */
  queue: (name: string) => `queue/${name}`,
} as const;

/** Of one core; below it a thread does nothing, and has no history: one tick (10 ms) in a second is 1 %. */
export const activePercent = 0.5;
/** A thread that is gone keeps its history this long. */
const keepGoneMs = 60_000;

/** An empty history. */
export function createHistory(): History {
  const all = new Map<string, Series>();
  const add = (name: string, time: number, value: number | null | undefined) => {
    if (value === null || value === undefined) return;
    let series = all.get(name);
    if (!series) all.set(name, (series = createSeries()));
    series.add(time, value);
  };
  const queues = new Set<string>();
  const addQueue = (name: string, time: number, value: number | undefined) => {
    if (!queues.has(name) && queues.size >= mostQueues) return;
    queues.add(name);
    add(seriesName.queue(name), time, value);
  };
  const addThreads = (sample: Sample & { kind: 'threads' }) => {
    const alive = new Set<string>();
    sample.tid.forEach((tid, row) => {
      const name = seriesName.thread(sample.pid[row] ?? 0, tid);
      alive.add(name);
      const percent = sample.cpuPercent[row];
      if (all.has(name) || (percent ?? 0) >= activePercent) add(name, sample.time, percent);
    });
    for (const [name, series] of all) {
      if (!name.startsWith('thread/') || alive.has(name)) continue;
      if (sample.time - (series.last()?.time ?? 0) > keepGoneMs) all.delete(name);
    }
  };
  return {
    get: (name) => all.get(name),
    add(sample) {
      const { time } = sample;
      if (sample.kind === 'threads') addThreads(sample);
      else if (sample.kind === 'host') add(seriesName.hostBusy, time, sample.busyPercent);
      else if (sample.kind === 'gpus')
        sample.uuid.forEach((uuid, row) => {
          add(seriesName.gpu(uuid, 'utilization'), time, sample.utilizationPercent?.[row]);
          add(seriesName.gpu(uuid, 'power'), time, sample.powerWatts?.[row]);
          add(seriesName.gpu(uuid, 'memory'), time, sample.memoryUsedBytes?.[row]);
        });
      else if (sample.kind === 'log')
        for (const { time: at, values } of sample.lines) {
          if (!values) continue;
          add(seriesName.log('tokensPerSecond'), at, values.tokensPerSecond);
          add(seriesName.log('loss'), at, values.loss);
          add(seriesName.log('gradNorm'), at, values.gradNorm);
          for (const queue of values.queues ?? []) addQueue(queue.name, at, queue.depth ?? queue.low);
        }
    },
    clear() {
      queues.clear();
      all.clear();
    },
    forgetRun() {
      queues.clear();
      for (const name of all.keys()) if (/^(thread|log|queue)\//.test(name)) all.delete(name);
    },
  };
}
