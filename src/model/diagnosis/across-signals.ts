import type { SignalMeaning, SignalUnit, sources } from './signals.ts';

const s = (from: keyof typeof sources, unit: SignalUnit, words: string, measured: string): SignalMeaning => ({
  from,
  unit,
  words,
  measured,
});

/** Signals that lie between the GPUs of a run: what the others do, all of them together, and those at the two ends of a queue; and what ends a run. */
export const acrossSignals = {
  // The other GPUs of the run, where there are some.
  peers: s('gpu', '', 'other GPUs of the run', 'GPUs of the run beside this one'),
  peersSpinning: s(
    'gpu',
    '%',
    'other GPUs that spin',
    'of the other GPUs those that are busy at little power: kernels that wait',
  ),
  peersBusy: s(
    'gpu',
    '%',
    'other GPUs that are busy',
    'of the other GPUs those that are busy with work: not idle, and not spinning',
  ),
  behindPeers: s(
    'gpu',
    'points',
    'utilization below the others',
    'mean utilization of the other GPUs of its role minus its own',
  ),
  peersUtilization: s('gpu', '%', 'utilization of the others', 'mean of utilization of the other GPUs of the run'),
  peersPowerRise: s('gpu', '%', 'power above idle of the others', 'mean of powerRise of the other GPUs of the run'),
  peersAtWork: s(
    'gpu',
    '',
    'other GPUs at work since the last progress',
    'other GPUs that are neither idle nor spin since the last progress of the log, else over the last 5 s',
  ),
  absentCpu: s(
    'threads',
    '%',
    'training thread of an idle GPU',
    'most CPU of the training threads of those other GPUs that are idle since the last progress of the log',
  ),
  // All GPUs of the run together, since the last progress of the log, else over the last 5 s.
  idleGpus: s('gpu', '%', 'GPUs that are idle', 'GPUs of the run at 5 % utilization or below, of all'),
  spinningGpus: s('gpu', '%', 'GPUs that spin', 'GPUs of the run that are busy at little power, of all'),
  workingGpus: s('gpu', '%', 'GPUs at work', 'GPUs of the run that are neither idle nor spin, of all'),
  busiestMain: s('threads', '%', 'busiest training thread', 'most CPU of the training threads of the run'),
  busiestProcess: s('threads', '%', 'busiest process', 'most CPU of the processes of the run that hold a GPU'),
  queues: s('log', '', 'queues in the log', 'queues whose filling the log tells'),
  // The GPUs on both sides of a queue.
  leastUtilization: s(
    'gpu',
    '%',
    'utilization of the idlest GPU',
    'utilization of that GPU of the run which has the least',
  ),
  utilizationGap: s(
    'gpu',
    'points',
    'utilization between the GPUs',
    'most utilization of a GPU of the run minus the least',
  ),
  // What ended the run, where the log has a name for it; after the last progress.
  outOfMemoryAge: s(
    'log',
    's',
    'since a GPU had no memory left',
    'time since the log told that an allocation on a GPU failed',
  ),
  hostMemoryAge: s(
    'log',
    's',
    'since the host had no memory left',
    'time since the log told that the host was out of memory',
  ),
  workerKilledAge: s(
    'log',
    's',
    'since a loader worker was killed',
    'time since the log told that a signal ended a worker of the loader',
  ),
  collectiveTimeoutAge: s(
    'log',
    's',
    'since a collective timed out',
    "time since the log told of a collective's timeout",
  ),
  diskFullAge: s('log', 's', 'since a disk was full', 'time since the log told that no space was left'),
} as const satisfies Readonly<Record<string, SignalMeaning>>;
