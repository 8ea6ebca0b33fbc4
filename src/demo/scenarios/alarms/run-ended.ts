import { firstPid } from '../../places.ts';
import type { Scenario } from '../../scenario.ts';

const epochs = [150, 240];

/** Workers of a loader end with each epoch; the run is where it was (one that ends: oom, restart). */
export const runEndedEpochs: Scenario = {
  name: 'run-ended-epochs',
  title: 'the loader ends its workers with each epoch and begins others',
  story: [
    `At ${epochs.join(' s and at ')} s an epoch ends, and with it the four workers of the loader; others are there a second and a half later.`,
  ],
  seconds: 300,
  runs: [{ cast: 'pipeline', pid: firstPid, epochs }],
  log: epochs.map((at) => ({ at, lines: ['[{time}] epoch ends at step {step}'] })),
  near: ['run-ended'],
  truth: { findings: [{ situation: 'compute-bound', scope: {}, from: 0 }], events: [], alarms: [] },
};
