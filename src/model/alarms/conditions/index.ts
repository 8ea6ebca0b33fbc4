import type { Bounded } from '../../roles/rules.ts';
import type { MakeCondition } from '../condition.ts';
import type { AlarmSettings } from '../settings.ts';
import { faults } from './faults.ts';
import { gpus } from './gpus.ts';
import { loss } from './loss.ts';
import { noStep } from './no-step.ts';
import { queues } from './queues.ts';
import { runEnded } from './run-ended.ts';
import { slow } from './slow.ts';
import { space } from './space.ts';
import { link, patterns, verdicts } from './told-by-others.ts';

/** All conditions; of two that tell the same trouble at once the first rings: a verdict names the rank. */
export const conditionsOf = (settings: AlarmSettings, bounded?: Bounded): readonly MakeCondition[] => [
  runEnded,
  verdicts(settings),
  noStep,
  loss,
  slow,
  gpus,
  faults,
  space,
  queues,
  link,
  patterns(settings, bounded),
];
