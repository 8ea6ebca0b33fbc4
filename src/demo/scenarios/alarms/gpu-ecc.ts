import type { Scenario } from '../../scenario.ts';

const bad = 4;
const happens = 150;

/** The run goes on: who read the word was no kernel of it. */
export const gpuEcc: Scenario = {
  name: 'gpu-ecc',
  title: 'two uncorrected errors in the memory of a GPU',
  story: [`At ${happens} s GPU ${bad} counts two uncorrected ECC errors. Nothing else happens yet.`],
  seconds: 300,
  effects: [{ from: happens, gpus: [{ of: [bad], eccUncorrected: 2 }] }],
  truth: {
    findings: [{ situation: 'compute-bound', scope: {}, from: 0 }],
    events: [],
    alarms: [{ alarm: 'gpu-ecc', about: `GPU ${bad}`, at: happens, within: 60 }],
  },
};

/** What was there is no news. */
export const gpuEccOld: Scenario = {
  name: 'gpu-ecc-old',
  title: 'errors in the memory of a GPU that were counted before the run began',
  story: [`GPU ${bad} has counted two uncorrected ECC errors when the demo begins, and none since.`],
  seconds: 240,
  effects: [{ from: -90_000, gpus: [{ of: [bad], eccUncorrected: 2 }] }],
  near: ['gpu-ecc'],
  truth: { findings: [{ situation: 'compute-bound', scope: {}, from: 0 }], events: [], alarms: [] },
};
