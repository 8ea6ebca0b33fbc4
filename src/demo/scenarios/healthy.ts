import type { Scenario } from '../scenario.ts';

/** Nothing happens. */
export const healthy: Scenario = {
  name: 'healthy',
  title: 'a two-stage pipeline that runs as it should',
  story: ['Five GPUs run the frozen target model, three train the drafter; the queue between them is half full.'],
  seconds: 300,
  truth: { findings: [{ situation: 'compute-bound', scope: {}, from: 0 }], events: [], alarms: [] },
};
