import type { Scenario } from '../../scenario.ts';
import { diskFull, diskFullPruned } from './disk-full.ts';
import { gpuEcc, gpuEccOld } from './gpu-ecc.ts';
import { gpuHotWarm, gpuThrottled, gpuThrottledCap } from './gpu-heat.ts';
import { gpuIdle, gpuIdleCompiles } from './gpu-idle.ts';
import { gpuLost, gpuLostFrame } from './gpu-lost.ts';
import { gpuXid, gpuXidForeign } from './gpu-xid.ts';
import { linkLostShort } from './link-lost.ts';
import { lossJump, lossJumpSpike } from './loss-jump.ts';
import { lossNotFiniteOnce } from './loss-not-finite.ts';
import { memoryFull, memoryFullSave } from './memory-full.ts';
import { noStep, noStepBuffered, noStepEvaluation } from './no-step.ts';
import { nvmlBroken, nvmlBrokenOnce } from './nvml-broken.ts';
import { pattern, patternNear } from './pattern.ts';
import { queueEmptyRefill, queueFullAlways } from './queues.ts';
import { runEndedEpochs } from './run-ended.ts';
import { shmFull, shmFullPeaks } from './shm-full.ts';
import { slow, slowDip } from './slow.ts';
import { verdictCheckpoint } from './verdict.ts';

/**
 * For each alarm one in which it rings, unless another scenario shows that already, called as the alarm; and one like it in which it stays
 * silent, called as the alarm and what it is instead.
 */
export const alarmScenarios: readonly Scenario[] = [
  runEndedEpochs,
  noStep,
  noStepEvaluation,
  noStepBuffered,
  lossNotFiniteOnce,
  lossJump,
  lossJumpSpike,
  slow,
  slowDip,
  gpuIdle,
  gpuIdleCompiles,
  gpuHotWarm,
  gpuThrottled,
  gpuThrottledCap,
  gpuEcc,
  gpuEccOld,
  gpuXid,
  gpuXidForeign,
  gpuLost,
  gpuLostFrame,
  nvmlBroken,
  nvmlBrokenOnce,
  memoryFull,
  memoryFullSave,
  shmFull,
  shmFullPeaks,
  diskFull,
  diskFullPruned,
  queueEmptyRefill,
  queueFullAlways,
  linkLostShort,
  verdictCheckpoint,
  pattern,
  patternNear,
];
