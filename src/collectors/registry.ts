import type { Collector } from './collector.ts';
import { gpuCollector } from './gpu/index.ts';
import { hostCollector } from './host/index.ts';
import { busiest } from './threads/busiest.ts';
import { logCollector } from './log/collector.ts';
import { processCollector } from './process/collector.ts';
import { threads } from './threads/threads.ts';
import { waits } from './threads/waits.ts';

/**
 * Every source there is, the most needed first: where sshd allows few sessions, the last ones do not run. A new collector is one
 * folder and one line here.
 */
export const collectors: readonly Collector[] = [
  processCollector,
  threads,
  gpuCollector,
  logCollector,
  hostCollector,
  waits,
  busiest,
];
