/** What a run can be waiting for, or be doing: the words of a diagnosis. More than one can hold at a time. */
export const situations = [
  'compute-bound',
  'bandwidth-bound',
  'input-bound',
  'launch-bound',
  'sync-bound',
  'gil-contention',
  'allocator-churn',
  'copy-bound',
  'collective-wait',
  'collective-hang',
  'producer-bound',
  'consumer-bound',
  'throttled',
  'host-overloaded',
  'warming-up',
  'checkpointing',
  'evaluating',
  'stalled',
  'dead',
  'unknown',
] as const;

/** One of them. */
export type Situation = (typeof situations)[number];
