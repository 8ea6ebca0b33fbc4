import type { Scenario } from '../../scenario.ts';

const breaks = 150;

/** What systemctl daemon-reload on the host does to a container with cgroup v2: its devices are gone, for all that is opened anew. */
export const nvmlBroken: Scenario = {
  name: 'nvml-broken',
  title: 'nvidia-smi fails in the container: the devices are gone, and the run goes on',
  story: [
    `At ${breaks} s nvidia-smi says "Failed to initialize NVML: Unknown Error"; what has the devices open goes on with them.`,
    'At 300 s somebody has given them back.',
  ],
  seconds: 390,
  effects: [{ from: breaks, until: 300, nvmlBroken: true }],
  truth: {
    findings: [{ situation: 'compute-bound', scope: {}, from: 0, until: breaks }],
    events: [
      { event: 'source failed', at: breaks, within: 20 },
      { event: 'source back', at: 300, within: 40 },
    ],
    alarms: [{ alarm: 'nvml-broken', at: breaks + 30, within: 30, resolvedAt: 310 }],
  },
};

/** A driver that is loaded again. */
export const nvmlBrokenOnce: Scenario = {
  name: 'nvml-broken-once',
  title: 'nvidia-smi fails once, and answers again',
  story: [`At ${breaks} s nvidia-smi fails with words of NVML; it is started again, and answers.`],
  seconds: 240,
  effects: [{ from: breaks, until: breaks + 1, nvmlBroken: true }],
  near: ['nvml-broken'],
  truth: {
    findings: [{ situation: 'compute-bound', scope: {}, from: 0 }],
    events: [
      { event: 'source failed', at: breaks, within: 20 },
      { event: 'source back', at: breaks, within: 40 },
    ],
    alarms: [],
  },
};
