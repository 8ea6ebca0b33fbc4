import type { SignalMeaning, SignalUnit, sources } from './signals.ts';

const s = (from: keyof typeof sources, unit: SignalUnit, words: string, measured: string): SignalMeaning => ({
  from,
  unit,
  words,
  measured,
});

/** Signals that lie between the GPUs of a run: what the others do, all of them together, and those at the two ends of a queue. */
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
  behindPeers: s('gpu', 'points', 'utilization below the others', 'mean utilization of the other GPUs minus its own'),
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
    'least utilization of a GPU',
    'utilization of that GPU of the run which has the least',
  ),
  utilizationGap: s(
    'gpu',
    'points',
    'utilization between its GPUs',
    'most utilization of a GPU of the run minus the least',
  ),
} as const satisfies Readonly<Record<string, SignalMeaning>>;
