import type { Scenario } from '../scenario.ts';

const hot = 2;
const software = 0x20;
const hardware = 0x40;
const slowdown = 0x8;

/** The masks are nvmlClocksEventReasons; the captured hosts never came so far, at 52 to 59 °C under full load. */
export const thermal: Scenario = {
  name: 'thermal',
  title: 'a GPU gets too hot and slows its clock down',
  story: [
    `From 120 s on GPU ${hot} is cooled too little: it warms from 66 to 86 °C in a minute and a half.`,
    'From 200 s on it is throttled (sw thermal, then hw thermal and hw slowdown): the SM clock falls from 1980 to about 1150 MHz and the power with it.',
    'It is one of five target GPUs, so that the run loses some eight percent.',
  ],
  seconds: 420,
  effects: [
    { from: 120, ramp: 90, gpus: [{ of: [hot], heatCelsius: 20 }] },
    {
      from: 200,
      ramp: 30,
      pace: 0.92,
      gpus: [{ of: [hot], smMhz: 1150, heatCelsius: 32, reasons: software }],
      stages: { 'target.model_forward': 301 },
      queue: { depth: 17, sway: 0.9 },
    },
    { from: 232, ramp: 2, gpus: [{ of: [hot], reasons: hardware | slowdown }] },
  ],
  truth: {
    findings: [
      { situation: 'compute-bound', scope: {}, from: 0, until: 200 },
      { situation: 'throttled', scope: { gpus: [hot], cause: 'thermal' }, from: 230 },
      // The others are as they were.
      { situation: 'compute-bound', scope: { gpus: [0, 1, 3, 4, 5, 6, 7] }, from: 230 },
    ],
    events: [],
    alarms: [{ alarm: 'gpu-hot', about: `GPU ${hot}`, at: 220, within: 40 }],
  },
};
