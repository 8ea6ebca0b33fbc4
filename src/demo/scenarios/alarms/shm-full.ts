import type { Scenario } from '../../scenario.ts';

const GiB = 2 ** 30;

/** What is left of batches that nobody fetched. */
export const shmFull: Scenario = {
  name: 'shm-full',
  title: 'segments that nobody removes fill /dev/shm',
  story: ['From 120 s on /dev/shm fills by 5 GiB a second; at 330 s 1034 of its 1056 GiB are used (98 %).'],
  seconds: 420,
  effects: [{ from: 120, ramp: 210, host: { shmUsedBytes: 1034 * GiB } }],
  truth: {
    findings: [{ situation: 'compute-bound', scope: {}, from: 0 }],
    events: [],
    alarms: [{ alarm: 'shm-full', about: '/dev/shm', at: 315, within: 50 }],
  },
};

/** Large batches on their way. */
export const shmFullPeaks: Scenario = {
  name: 'shm-full-peaks',
  title: '/dev/shm fills to 93 % and empties again, all the time',
  story: [
    'Every two minutes, first at 100 s, the loaders are ahead for a minute: 982 of 1056 GiB (93 %) are used, then 300.',
  ],
  seconds: 480,
  effects: [
    { from: -3600, host: { shmUsedBytes: 300 * GiB } },
    { from: 100, until: 160, ramp: 25, every: 120, host: { shmUsedBytes: 982 * GiB } },
  ],
  near: ['shm-full'],
  truth: { findings: [{ situation: 'compute-bound', scope: {}, from: 0 }], events: [], alarms: [] },
};
