import type { Clue, Rule } from '../rule.ts';

/** The threads that feed the GPU are ready to run and have no CPU. */
const denied: Clue = { signal: 'runQueue', least: 'cpuDenied', weight: 3 };
const waits: Clue = { signal: 'utilization', most: 'nearlyAlways' };

/** Others on the host take the cores. */
export const hostOverloadedByOthers: Rule = {
  situation: 'host-overloaded',
  cause: 'other programs take the cores',
  of: 'gpu',
  explains:
    'The threads that feed the GPU are ready to run and wait for a core, all cores are busy, and threads that are not of the run use them.',
  must: [denied, waits, { signal: 'neighbourCores', least: 'someCores', weight: 2, needed: true }],
  speaksFor: [
    { signal: 'hostBusy', least: 'coresFull', weight: 2, or: [{ signal: 'cpuPressure', least: 'pressure' }] },
  ],
  speaksAgainst: [{ signal: 'coreLimitShare', least: 'limitReached', weight: 2 }],
  next: [{ text: 'see who they are in Host, and move them or the run' }],
};

/** The run has more to do than the host has cores. */
export const hostOverloadedByItself: Rule = {
  situation: 'host-overloaded',
  cause: 'the run needs more cores than there are',
  of: 'gpu',
  explains:
    'The threads that feed the GPU are ready to run and wait for a core, and all cores are busy with the run itself.',
  must: [denied, waits, { signal: 'hostBusy', least: 'coresFull', weight: 2, needed: true }],
  speaksFor: [{ signal: 'neighbourCores', most: 'someCores' }],
  speaksAgainst: [{ signal: 'coreLimitShare', least: 'limitReached', weight: 2 }],
  next: [{ text: 'fewer loader workers and OpenMP threads than cores (OMP_NUM_THREADS)' }],
};

/** A container may use no more. */
export const hostOverloadedByLimit: Rule = {
  situation: 'host-overloaded',
  cause: 'the CPU limit of its cgroup',
  of: 'gpu',
  explains:
    'The threads that feed the GPU are ready to run and wait, and the run uses all that the limit of its cgroup gives it.',
  must: [denied, waits, { signal: 'coreLimitShare', least: 'limitReached', weight: 3, needed: true }],
  speaksFor: [],
  speaksAgainst: [],
  next: [{ text: 'raise the CPU limit of the container, or start fewer threads' }],
};

/** Memory is short. */
export const hostOverloadedByMemory: Rule = {
  situation: 'host-overloaded',
  cause: 'memory is short',
  of: 'gpu',
  explains: 'Tasks of the host wait for memory (reclaim or swap) for much of the time, and the GPU is not busy.',
  must: [
    { signal: 'memoryPressure', least: 'pressure', weight: 3, needed: true },
    { signal: 'utilization', most: 'notBusy' },
  ],
  speaksFor: [{ signal: 'ioPressure', least: 'pressure' }],
  speaksAgainst: [],
  next: [{ text: 'see what uses the memory of the host; smaller page caches, fewer workers' }],
};
