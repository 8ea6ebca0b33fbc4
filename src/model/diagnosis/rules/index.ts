import type { Rule } from '../rule.ts';
import { allocatorChurn } from './allocator-churn.ts';
import { bandwidthBound } from './bandwidth-bound.ts';
import { checkpointing } from './checkpointing.ts';
import { collectiveHang } from './collective-hang.ts';
import { collectiveWait } from './collective-wait.ts';
import { computeBound } from './compute-bound.ts';
import { consumerBound } from './consumer-bound.ts';
import { copyBound } from './copy-bound.ts';
import { deadOfError, deadProcesses } from './dead.ts';
import { evaluating } from './evaluating.ts';
import { gilContention } from './gil-contention.ts';
import {
  hostOverloadedByItself,
  hostOverloadedByLimit,
  hostOverloadedByMemory,
  hostOverloadedByOthers,
} from './host-overloaded.ts';
import { inputBoundInline } from './input-bound-inline.ts';
import { inputBoundWaiting } from './input-bound-waiting.ts';
import { inputBoundStorage, inputBoundWorkers } from './input-bound-workers.ts';
import { launchBound } from './launch-bound.ts';
import { producerBound } from './producer-bound.ts';
import { stalled } from './stalled.ts';
import { syncBound, syncBoundByGaps, syncBoundInHooks, syncBoundUnseen } from './sync-bound.ts';
import { throttledHardware, throttledPower, throttledThermal } from './throttled.ts';
import { warmingUp } from './warming-up.ts';

/** All rules: a new one is a file and a line here. */
export const rules: readonly Rule[] = [
  ...deadOfError,
  deadProcesses,
  collectiveHang,
  stalled,
  checkpointing,
  evaluating,
  warmingUp,
  collectiveWait,
  producerBound,
  consumerBound,
  throttledThermal,
  throttledHardware,
  throttledPower,
  hostOverloadedByOthers,
  hostOverloadedByItself,
  hostOverloadedByLimit,
  hostOverloadedByMemory,
  gilContention,
  allocatorChurn,
  copyBound,
  inputBoundInline,
  inputBoundWaiting,
  inputBoundWorkers,
  inputBoundStorage,
  syncBound,
  syncBoundUnseen,
  syncBoundInHooks,
  syncBoundByGaps,
  launchBound,
  bandwidthBound,
  computeBound,
];
