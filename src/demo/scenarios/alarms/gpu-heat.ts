import type { Scenario } from '../../scenario.ts';

const warm = 2;
const softwarePowerCap = 0x4;

/** As warm as a fan's control holds a card on purpose (one that is too hot: thermal). */
export const gpuHotWarm: Scenario = {
  name: 'gpu-hot-warm',
  title: 'a GPU at 82 to 85 °C all the time',
  story: [`GPU ${warm} is cooled worse than the others: since hours it has 82 to 85 °C, and keeps its clock.`],
  seconds: 600,
  effects: [{ from: -3600, gpus: [{ of: [warm], heatCelsius: 16 }] }],
  near: ['gpu-hot'],
  truth: { findings: [{ situation: 'compute-bound', scope: {}, from: 0 }], events: [], alarms: [] },
};

const powerBrake = 0x80 | 0x8;
const braked = 5;
const brakes = 150;

/** Not heat: the signal of the machine's power supplies (one that heat slows down: thermal, where gpu-hot says so). */
export const gpuThrottled: Scenario = {
  name: 'gpu-throttled',
  title: 'a power supply fails, and the power brake holds the clock of a GPU down',
  story: [
    `At ${brakes} s GPU ${braked}, one of three drafters, gets the signal of the power brake: 990 to 1035 MHz instead of 1980, at 55 °C.`,
  ],
  seconds: 420,
  effects: [
    {
      from: brakes,
      ramp: 3,
      pace: 0.85,
      gpus: [{ of: [braked], smMhz: 1020, reasons: powerBrake }],
      stages: { 'drafter.backward': 205 },
      queue: { depth: 44, sway: 0.7 },
    },
  ],
  truth: {
    findings: [
      { situation: 'compute-bound', scope: {}, from: 0, until: brakes },
      { situation: 'throttled', scope: { gpus: [braked], cause: 'hardware slowdown' }, from: brakes + 20 },
      { situation: 'compute-bound', scope: { gpus: [0, 1, 2, 3, 4, 6, 7] }, from: brakes + 20 },
    ],
    events: [],
    alarms: [{ alarm: 'gpu-throttled', about: `GPU ${braked}`, at: brakes + 45, within: 45 }],
  },
};

/** Reason 0x4 with a clock that hardly gives way: a GPU that is used. */
export const gpuThrottledCap: Scenario = {
  name: 'gpu-throttled-cap',
  title: 'all GPUs at their power limit all the time',
  story: ['The software power cap is at work on all GPUs since hours, as it is on any that does large matrix work.'],
  seconds: 420,
  effects: [{ from: -3600, gpus: [{ of: 'all', reasons: softwarePowerCap }] }],
  near: ['gpu-throttled'],
  truth: { findings: [{ situation: 'compute-bound', scope: {}, from: 0 }], events: [], alarms: [] },
};
