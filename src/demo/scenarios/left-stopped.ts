import type { Scenario } from '../scenario.ts';

/** As in py-spy's issue 390: the process that it stopped for a look at machine code stays in state T when it has ended. */
export const leftStopped: Scenario = {
  name: 'left-stopped',
  title: 'a dump with native frames leaves the process stopped, until it is sent SIGCONT',
  story: [
    'A healthy two-stage pipeline. From 20 s on a dump with native frames (D) stops its process and does not let it go on.',
    'Then its threads stand in T, the log is silent and the GPUs idle, until SIGCONT. Without such a dump nothing happens.',
  ],
  seconds: 300,
  effects: [{ from: 20, nativeLeavesStopped: true }],
  truth: { findings: [{ situation: 'compute-bound', scope: {}, from: 0 }], events: [], alarms: [] },
};
