import type { Clue } from '../rule.ts';

/** The GPU has some work, and much less than it could do; now too: the window may have begun before the run was under way. */
export const underfed: readonly Clue[] = [
  { signal: 'utilization', least: 'anyWork', most: 'notBusy' },
  { signal: 'lateUtilization', most: 'notBusy' },
];

/** Steps still come through: nobody is slow who stands. */
export const stillSteps: Clue = { signal: 'lateUtilization', least: 'anyWork', weight: 2 };

/** What runs on the GPU fills it: kernels are not what is too small. */
export const bigKernels: Clue = {
  signal: 'kernelFill',
  least: 'bigKernels',
  weight: 2,
  or: [{ signal: 'powerFill', least: 'bigKernels' }],
};

/** What runs on the GPU leaves most of it empty. */
export const thinKernels: Clue = {
  signal: 'kernelFill',
  most: 'thinKernels',
  or: [{ signal: 'powerFill', most: 'thinKernels' }],
};

/** There is next to no work in what it launches. */
export const hardlyAnything: Clue = {
  signal: 'kernelFill',
  most: 'hardlyAnything',
  or: [{ signal: 'powerFill', most: 'hardlyAnything' }],
};

/** Something else than its own host threads keeps this GPU waiting: another stage, another rank, or a collective. */
export const waitsForOthers: readonly Clue[] = [
  { signal: 'queueFull', least: 'mostLooks', weight: 3 },
  // Another stage sets the pace: its GPUs work all the time. Ranks that only wait for this one draw less.
  { signal: 'peersPowerRise', least: 'waitingPower', weight: 2, or: [{ signal: 'behindPeers', least: 'behind' }] },
  { signal: 'peersSpinning', least: 'mostLooks', weight: 3 },
  { signal: 'stackCollective', least: 'stacksMany', weight: 3 },
];

/** The run has not stepped all the time: it begins, saves, evaluates or stands, and other rules say which. */
export const noSteps: readonly Clue[] = [
  { signal: 'utilizationShift', least: 'twoPhases', weight: 3 },
  { signal: 'silenceRatio', least: 'silentLong', weight: 3 },
  { signal: 'warmupAge', least: 'none', weight: 3 },
  { signal: 'checkpointAge', least: 'none', weight: 3 },
  { signal: 'evaluationAge', least: 'none', weight: 3 },
];
