import type { QueueSubject } from '../subjects.ts';
import type { Gatherer } from './gatherer.ts';

/** Reads the signals of logs; and what of them the engine needs before it asks for any. */
export interface LogGatherer extends Gatherer {
  /** Median of the steps of late; absent: nobody told. */
  stepSeconds(): number | undefined;
  /** When the last line with progress came, epoch ms. */
  progressAt(): number | undefined;
  queues(): readonly QueueSubject[];
}

/** Nothing was read yet. */
export function createLogGatherer(): LogGatherer {
  return {
    take() {},
    read() {},
    forgetRun() {},
    stepSeconds: () => undefined,
    progressAt: () => undefined,
    queues: () => [],
  };
}
