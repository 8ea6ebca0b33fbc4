import type { Scenario } from '../scenario.ts';
import { alarmScenarios } from './alarms/index.ts';
import { checkpoints } from './checkpoints.ts';
import { flakyLink } from './flaky-link.ts';
import { hang } from './hang.ts';
import { healthy } from './healthy.ts';
import { inputBound } from './input-bound.ts';
import { launchBound } from './launch-bound.ts';
import { leftStopped } from './left-stopped.ts';
import { nanLoss } from './nan-loss.ts';
import { oom } from './oom.ts';
import { queueEmpty } from './queue-empty.ts';
import { queueFull } from './queue-full.ts';
import { restart } from './restart.ts';
import { straggler } from './straggler.ts';
import { thermal } from './thermal.ts';

/** What a run can wait for, and what happens to one, in the order of lists. */
export const scenarios: readonly Scenario[] = [
  healthy,
  inputBound,
  launchBound,
  queueFull,
  queueEmpty,
  straggler,
  hang,
  oom,
  restart,
  thermal,
  nanLoss,
  flakyLink,
  checkpoints,
  leftStopped,
];

/** All that the demo can play. */
export const allScenarios: readonly Scenario[] = [...scenarios, ...alarmScenarios];

/** The one of this name. */
export function findScenario(name: string): Scenario | undefined {
  return allScenarios.find((each) => each.name === name);
}
