import type { Rule } from '../rule.ts';

/** Nothing happens at all. */
export const stalled: Rule = {
  situation: 'stalled',
  of: 'run',
  explains:
    'The log is silent for a multiple of its usual pause, all GPUs are idle, no training thread computes and nothing is written: the run waits for something outside itself, a lock, a network, a dead mount, or is stopped. Where nobody tells of GPUs, that a process of it is stopped has to be told.',
  must: [
    // A process that is stopped cannot work on a GPU that nobody tells of.
    { signal: 'idleGpus', least: 'nearlyAll', weight: 2, needed: true, or: [{ signal: 'stopped', least: 'one' }] },
    { signal: 'silence', least: 'stalledSeconds' },
    { signal: 'silenceRatio', least: 'silentPauses', weight: 2 },
    { signal: 'busiestProcess', most: 'sleeps', weight: 2 },
  ],
  speaksFor: [
    { signal: 'writeRate', most: 'quiet' },
    { signal: 'silenceRatio', least: 'silentLong', weight: 0.5 },
    { signal: 'stopped', least: 'one', optional: true },
  ],
  speaksAgainst: [
    { signal: 'checkpointAge', most: 'pauseEnds', weight: 3 },
    { signal: 'evaluationAge', most: 'pauseEnds', weight: 3 },
    { signal: 'warmupAge', most: 'pauseEnds', weight: 3 },
    { signal: 'readRate', least: 'loads', weight: 2 },
    { signal: 'workersBusy', least: 'mostWorkers', weight: 5 },
  ],
  since: 'silence',
  next: [
    { text: 'a dump of the selected process shows what each of its threads waits for', key: 'd' },
    { text: 'see the states of threads: D is a disk or a mount, T is stopped (SIGCONT lets it go on)' },
  ],
};
