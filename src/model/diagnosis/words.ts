import { rangesText, rankText } from '../ranges.ts';
import type { Situation } from '../situations.ts';
import type { VerdictScope } from '../verdict-samples.ts';

/** What a situation is called on the screen and in docs. */
export const situationWords: Readonly<Record<Situation, string>> = {
  'compute-bound': 'compute-bound',
  'bandwidth-bound': 'memory-bandwidth-bound',
  'input-bound': 'input-bound',
  'launch-bound': 'launch-bound',
  'sync-bound': 'sync-bound',
  'gil-contention': 'GIL contention',
  'allocator-churn': 'allocator churn',
  'copy-bound': 'copy-bound',
  'collective-wait': 'waiting in a collective',
  'collective-hang': 'collective hang',
  'producer-bound': 'producer-bound',
  'consumer-bound': 'consumer-bound',
  throttled: 'throttled',
  'host-overloaded': 'host overloaded',
  'warming-up': 'warming up',
  checkpointing: 'checkpointing',
  evaluating: 'evaluating',
  stalled: 'stalled',
  dead: 'dead',
  unknown: 'not enough evidence',
};

/** What a verdict is about, in short: `ranks 1, 3`, `GPU 0`, `role actor`, `queue q_hs`; '' where it is the run as a whole. Why is not in it. */
export function scopeWords({ ranks = [], gpus = [], role, queue }: VerdictScope): string {
  const parts = [
    ...(ranks.length > 0 ? [rankText(ranks)] : []),
    // Ranks name their GPUs already where both are one thing each.
    ...(gpus.length > 0 && role === undefined && !(ranks.length === 1 && gpus.length === 1) ? [gpuText(gpus)] : []),
    ...(role === undefined ? [] : [`role ${role}`]),
    ...(queue === undefined ? [] : [`queue ${queue}`]),
  ];
  return parts.join(' · ');
}

/** `GPU 0`, `GPUs 2-7`. */
function gpuText(gpus: readonly number[]): string {
  return `${gpus.length === 1 ? 'GPU' : 'GPUs'} ${rangesText(gpus)}`;
}
