import type { Collector } from './collector.ts';

/** Every source there is. A new collector is one folder and one line here. */
export const collectors: readonly Collector[] = [];
