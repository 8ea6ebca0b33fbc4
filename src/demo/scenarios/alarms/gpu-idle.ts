import { frames, pipeline, project, site } from '../../places.ts';
import type { Effect, Scenario } from '../../scenario.ts';

const idle = 6;
const others = [0, 1, 2, 3, 4, 5, 7];
const stops = 150;

/** The second drafter does nothing; the others take its share of the queue, as far as they can. */
const without = (stack: Frames, percent: number): Omit<Effect, 'from'> => ({
  ramp: 2,
  pace: 0.86,
  gpus: [{ of: [idle], utilization: 0, work: 0 }],
  threads: [
    { of: /^drafter-1/, percent, sway: 0.05, stack },
    { of: /^pt_autograd_6/, percent: 0 },
  ],
});

type Frames = readonly (readonly [string, string, number])[];

const locked: Frames = [['acquire', `${project}/pipeline/weights.py`, 33], pipeline('drafter_step', 184), frames.run];
const compiling: Frames = [
  ['compile_fx', `${site}/torch/_inductor/compile_fx.py`, 1142],
  ['_compile', `${site}/torch/_dynamo/convert_frame.py`, 1120],
  pipeline('drafter_step', 197),
  frames.run,
];

/** The run goes on without one of its GPUs. */
export const gpuIdle: Scenario = {
  name: 'gpu-idle',
  title: 'one of three drafters waits for a lock for ever: its GPU idles, and the run goes on',
  story: [
    `At ${stops} s drafter-1 waits for a lock that nobody gives back. GPU ${idle} shows 0 % and 118 W from then on; the others go on, 14 % slower together.`,
  ],
  seconds: 600,
  effects: [{ from: stops, ...without(locked, 0) }],
  truth: {
    findings: [
      { situation: 'compute-bound', scope: {}, from: 0, until: stops },
      { situation: 'compute-bound', scope: { gpus: others }, from: stops },
    ],
    events: [],
    alarms: [{ alarm: 'gpu-idle', about: `GPU ${idle}`, at: stops + 300, within: 60 }],
  },
};

/** Less than five minutes. */
export const gpuIdleCompiles: Scenario = {
  name: 'gpu-idle-compiles',
  title: 'one of three drafters compiles anew: its GPU idles for four minutes',
  story: [
    `At ${stops} s a batch of another shape makes drafter-1 compile: GPU ${idle} is idle until ${stops + 240} s, and works again.`,
  ],
  seconds: 600,
  effects: [{ from: stops, until: stops + 240, ...without(compiling, 96) }],
  near: ['gpu-idle'],
  truth: {
    findings: [
      { situation: 'compute-bound', scope: {}, from: 0, until: stops },
      { situation: 'compute-bound', scope: { gpus: others }, from: stops, until: stops + 240 },
      { situation: 'compute-bound', scope: {}, from: stops + 250 },
    ],
    events: [],
    alarms: [],
  },
};
