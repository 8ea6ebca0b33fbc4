import type { Scenario } from '../scenario.ts';

const drops = [
  { at: 90, seconds: 6 },
  { at: 150, seconds: 20 },
  { at: 240, seconds: 75 },
];

/** The link to the host, as a laptop on a train has it. The host itself is well. */
export const flakyLink: Scenario = {
  name: 'flaky-link',
  title: 'the SSH connection breaks three times; the run is well',
  story: drops.map(({ at, seconds }) => `At ${at} s the connection breaks; for ${seconds} s none can be made.`),
  seconds: 400,
  drops,
  truth: {
    findings: [{ situation: 'compute-bound', scope: {}, from: 0 }],
    events: drops.flatMap(({ at, seconds }) => [
      { event: 'link lost', at, within: 20 } as const,
      { event: 'link back', at: at + seconds, within: 60 } as const,
    ]),
    alarms: [{ alarm: 'link-lost', at: 300, within: 5, resolvedAt: 315 }],
  },
};
