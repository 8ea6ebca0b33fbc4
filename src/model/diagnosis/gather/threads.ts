import type { Reading, SignalName } from '../signals.ts';
import type { GpuSubject } from '../subjects.ts';
import type { Ask, Gatherer, Window } from './gatherer.ts';
import { castOf, type Cast } from './threads-cast.ts';
import { createThreadFrames, type ProcessSum, type ProcessSums, type ThreadSum } from './threads-frames.ts';
import { createWaitLooks } from './waits.ts';

/** A thread with less does not take the GIL from others for long. */
const rivalPercent = 10;
/** Fewer may share one core by chance. */
const leastSharers = 3;
/** Of those that are not the training thread: it may hardly get a turn. */
const leastRivals = 2;
/** A loader worker with more hardly waits for anything: it is what the training thread waits for. */
const workerBusyPercent = 70;
/** Of less CPU than this a share is noise: /proc counts in steps of 10 ms. */
const leastForShare = 2;
/** A frame that is mostly from before the last progress says nothing of the time since. */
const leastOfLate = 0.5;

/** What all subjects of one tick are told by. */
interface Tick {
  readonly window: Window;
  readonly sums: ProcessSums;
  readonly late: ProcessSums;
  readonly cast: Cast;
}

/** What is told of one process: an entry a signal. */
type Told = Map<SignalName, Reading>;

/** Reads the signals of threads, and of what they wait in. */
export function createThreadsGatherer(): Gatherer {
  const frames = createThreadFrames();
  const waits = createWaitLooks();
  let tick: Tick | undefined;

  function tickOf({ window, known, subjects }: Ask): Tick {
    if (tick?.window === window) return tick;
    const { from, to, lateFrom } = window;
    const sums = frames.sums(from, to);
    const late = frames.sums(lateFrom, to, leastOfLate);
    return (tick = { window, sums, late, cast: castOf(known, sums, subjects) });
  }

  function tellProcess(now: Tick, pid: number, subject?: GpuSubject): Told {
    const told: Told = new Map();
    const process = now.sums.get(pid);
    if (process) {
      const threads = now.cast.threadsOf(process, subject);
      tellFeed(told, process, threads);
      tellSpin(told, now, { pid, training: threads.training });
      tellRivals(told, process, threads);
      tellSleeps(
        told,
        now,
        pid,
        threads.training.map(({ tid }) => tid),
      );
    } else tellSleeps(told, now, pid, [pid]);
    tellWorkers(told, now, now.cast.workers.get(pid) ?? []);
    return told;
  }

  function tellSleeps(told: Told, { window }: Tick, pid: number, tids: readonly number[]) {
    const share = waits.sleepShare({ pid, tids, window });
    if (share !== undefined) told.set('mainSleeps', { value: share });
  }

  return {
    take(sample) {
      if (sample.kind === 'threads') frames.add(sample);
      else if (sample.kind === 'waits') waits.add(sample);
    },
    read(ask) {
      const { subject } = ask;
      if (subject.kind === 'queue') return;
      const now = tickOf(ask);
      const pids =
        subject.kind === 'run' ? now.cast.training : [now.cast.pidOf(subject)].filter((pid) => pid !== undefined);
      const all = pids.map((pid) => tellProcess(now, pid, subject.kind === 'gpu' ? subject : undefined));
      for (const [signal, reading] of together(all)) ask.set(signal, reading);
    },
    forgetRun() {
      frames.forget();
      waits.forget();
      tick = undefined;
    },
  };
}

interface Fed {
  readonly pid: number;
  readonly training: readonly ThreadSum[];
}

type Threads = ReturnType<Cast['threadsOf']>;

/** CPU of the threads that feed the GPU. Of several with one role it is the mean: which of them works on which GPU nobody tells. */
function tellFeed(told: Told, process: ProcessSum, { training, autograd }: Threads) {
  const { seconds } = process;
  const backward = sumOf(autograd, 'cpu') / seconds;
  told.set('processCpu', { value: process.cpu / seconds, of: `PID ${process.pid}` });
  told.set('autogradCpu', { value: backward });
  if (training.length === 0) return;
  const main = meanOf(training, 'cpu') / seconds;
  const [only] = training.length === 1 ? training : [];
  told.set('mainCpu', { value: main, ...(only && { of: `TID ${only.tid}` }) });
  told.set('feedCpu', { value: main + backward });
  const fed = [...training, ...autograd];
  if (main + backward >= leastForShare && fed.every(({ system }) => system !== undefined))
    told.set('feedSystemShare', { value: (sumOf(fed, 'system') / sumOf(fed, 'cpu')) * 100 });
  if (training.every(({ runQueue }) => runQueue !== undefined)) {
    // They take turns: the backward pass waits for a CPU while the training thread waits for it.
    const waited = (meanOf(training, 'runQueue') + sumOf(autograd, 'runQueue')) / seconds;
    told.set('runQueue', { value: Math.min(100, waited) });
  }
}

function tellSpin(told: Told, { late }: Tick, { pid, training }: Fed) {
  const process = late.get(pid);
  if (!process || training.length === 0) return;
  const now = training.map(({ tid }) => process.threads.get(tid)?.cpu ?? 0);
  told.set('mainSpins', { value: now.reduce((a, b) => a + b, 0) / now.length / process.seconds });
}

function tellRivals(told: Told, { seconds }: ProcessSum, { training, others, python }: Threads) {
  const isBusy = ({ cpu }: ThreadSum) => cpu >= rivalPercent * seconds;
  const rivals = others.filter(isBusy);
  if (training.length > 0) {
    told.set('rivals', { value: rivals.length });
    told.set('rivalsCpu', { value: sumOf(rivals, 'cpu') / seconds });
  }
  if (python.filter(isBusy).length >= leastSharers || rivals.length >= leastRivals)
    told.set('oneCore', { value: Math.abs(sumOf(python, 'cpu') / seconds - 100) });
}

function tellWorkers(told: Told, { sums }: Tick, pids: readonly number[]) {
  told.set('workers', { value: pids.length });
  const seen = pids.flatMap((pid) => sums.get(pid) ?? []);
  if (seen.length === 0) return;
  const cpus = seen.map(({ cpu, seconds }) => cpu / seconds);
  const looks = seen.reduce((all, { looks: own }) => all + own, 0);
  told.set('workersCpu', { value: cpus.reduce((a, b) => a + b, 0) / cpus.length });
  told.set('workersBusy', { value: (cpus.filter((cpu) => cpu >= workerBusyPercent).length / cpus.length) * 100 });
  told.set('workersInDisk', { value: (seen.reduce((all, { inDisk }) => all + inDisk, 0) / looks) * 100 });
}

/** Of all processes together these are sums; of the others the run's is the highest that one process has. */
const sums: ReadonlySet<SignalName> = new Set(['processCpu', 'workers']);

function together(all: readonly Told[]): Told {
  const [first = new Map(), ...rest] = all;
  for (const told of rest)
    for (const [signal, reading] of told) {
      const before = first.get(signal);
      if (!before) first.set(signal, reading);
      else if (sums.has(signal)) first.set(signal, { value: before.value + reading.value });
      else if (reading.value > before.value) first.set(signal, reading);
    }
  return first;
}

function sumOf(threads: readonly ThreadSum[], key: 'cpu' | 'system' | 'runQueue'): number {
  return threads.reduce((all, thread) => all + (thread[key] ?? 0), 0);
}

function meanOf(threads: readonly ThreadSum[], key: 'cpu' | 'system' | 'runQueue'): number {
  return sumOf(threads, key) / threads.length;
}
