/** What the demo can play (demo/scenarios), for the command line, which does not load them. */
export const scenarioNames = [
  ...(['healthy', 'input-bound', 'launch-bound', 'queue-full', 'queue-empty', 'straggler', 'hang', 'oom'] as const),
  ...(['restart', 'thermal', 'nan-loss', 'flaky-link', 'checkpoints', 'left-stopped'] as const),
] as const;

/** Those in which an alarm rings, or nearly does (demo/scenarios/alarms). */
export const alarmScenarioNames = [
  ...(['run-ended-epochs', 'no-step', 'no-step-evaluation', 'no-step-buffered', 'loss-not-finite-once'] as const),
  ...(['loss-jump', 'loss-jump-spike', 'slow', 'slow-dip', 'gpu-idle', 'gpu-idle-compiles'] as const),
  ...([
    'gpu-hot-warm',
    'gpu-throttled',
    'gpu-throttled-cap',
    'gpu-ecc',
    'gpu-ecc-old',
    'gpu-xid',
    'gpu-xid-foreign',
  ] as const),
  ...(['gpu-lost', 'gpu-lost-frame', 'nvml-broken', 'nvml-broken-once', 'memory-full', 'memory-full-save'] as const),
  ...(['shm-full', 'shm-full-peaks', 'disk-full', 'disk-full-pruned', 'queue-empty-refill'] as const),
  ...(['queue-full-always', 'link-lost-short', 'verdict-checkpoint', 'pattern', 'pattern-near'] as const),
] as const;

/** One that the demo can play. */
export type ScenarioName = (typeof scenarioNames)[number] | (typeof alarmScenarioNames)[number];
