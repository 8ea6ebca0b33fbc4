import type { Scenario } from '../../scenario.ts';

const drops = [90, 150, 240].map((at) => ({ at, seconds: 25 }));

/** As long as a change of the network takes (one that is longer: flaky-link). */
export const linkLostShort: Scenario = {
  name: 'link-lost-short',
  title: 'the SSH connection breaks three times, for less than half a minute each',
  story: drops.map(({ at, seconds }) => `At ${at} s the connection breaks; for ${seconds} s none can be made.`),
  seconds: 330,
  drops,
  near: ['link-lost'],
  truth: {
    findings: [{ situation: 'compute-bound', scope: {}, from: 0 }],
    events: drops.flatMap(({ at, seconds }) => [
      { event: 'link lost', at, within: 20 } as const,
      { event: 'link back', at: at + seconds, within: 60 } as const,
    ]),
    alarms: [],
  },
};
