import { firstPid, project, site } from '../places.ts';
import type { Scenario } from '../scenario.ts';

const fails = 180;
const ends = fails + 3;
const begins = ends + 22;
/** From then on it trains. */
const loaded = begins + 48;

/** Of the step at which the demo begins: the run is 11,560 s old then, at two seconds a step. */
const stepAtStart = 5780;
const checkpointStep = stepAtStart + 20;

/** A run that ends and is started again by a script around it, as most overnight runs are. */
export const restart: Scenario = {
  name: 'restart',
  title: 'the run dies of a killed loader worker and is started again from a checkpoint',
  story: [
    `At ${fails} s the kernel kills a loader worker; the run ends with a traceback.`,
    `At ${begins} s a new one with other PIDs begins; it loads the checkpoint of step ${checkpointStep}, fills its GPUs and compiles until ${loaded} s.`,
    'It goes on some seventy steps before the point at which the first one ended.',
  ],
  seconds: 420,
  runs: [
    { cast: 'pipeline', pid: firstPid, until: ends },
    { cast: 'pipeline', pid: 52_310, from: begins, firstStep: checkpointStep },
  ],
  effects: [
    {
      from: fails,
      until: ends,
      pace: 0,
      gpus: [{ of: 'all', utilization: 0, work: 0 }],
      threads: [{ of: /^(target|drafter|hs-pack|prefetch|pt_autograd|worker|data-feeder|pin-memory)/, percent: 0 }],
    },
    {
      from: begins,
      until: loaded,
      pace: 0,
      gpus: [{ of: 'all', utilization: 2, volatility: 1, work: 0.01 }],
      threads: [
        {
          of: /^MainThread/,
          ...{ percent: 88, sway: 0.05, systemShare: 0.45, rest: 'D' },
          stack: [
            ['load_state_dict', `${project}/pipeline/checkpoint.py`, 77],
            ['main', `${project}/train_pipeline.py`, 188],
            ['<module>', `${project}/train_pipeline.py`, 231],
          ],
        },
        {
          of: /^(target|drafter|hs-pack|prefetch|pt_autograd|worker|data-feeder|pin-memory)/,
          percent: 0.3,
          stack: [
            ['wait', '/usr/lib/python3.11/threading.py', 327],
            ['_compile', `${site}/torch/_dynamo/convert_frame.py`, 1120],
          ],
        },
      ],
      host: {
        ...{ ioWaitCores: 0.4, diskReadBytesPerSecond: 2.6e9, diskBusyPercent: 71, ioPressurePercent: 12 },
        runReadBytesPerSecond: 2.6e9,
      },
    },
    // The memory fills while it loads, the queue after it.
    { from: begins - 20, until: begins, ramp: 20, gpus: [{ of: 'all', memoryUsedMib: 1900 }] },
    { from: begins, until: loaded, ramp: 20, queue: { depth: 0, sway: 0 } },
  ],
  log: [
    {
      at: fails,
      lines: [
        'Traceback (most recent call last):',
        `  File "${project}/train_pipeline.py", line 231, in <module>`,
        '    main()',
        `  File "${site}/torch/utils/data/_utils/signal_handling.py", line 73, in handler`,
        '    _error_if_any_worker_fails()',
        'RuntimeError: DataLoader worker (pid 41608) is killed by signal: Killed. ',
      ],
    },
    { at: ends + 1, lines: ['run.sh: the trainer ended with 1, again in 20 s'] },
    { at: begins + 2, lines: [`[{time}] loading checkpoint runs/0612/ckpt/step_${checkpointStep}.pt`] },
    { at: begins + 36, lines: [`[{time}] resumed at step ${checkpointStep}; compiling the target's forward`] },
  ],
  truth: {
    findings: [
      { situation: 'compute-bound', scope: {}, from: 0, until: fails },
      { situation: 'dead', scope: { cause: 'a loader worker was killed' }, from: ends, until: begins },
      { situation: 'warming-up', scope: {}, from: begins, until: loaded },
      { situation: 'compute-bound', scope: {}, from: loaded + 25 },
    ],
    events: [
      { event: 'log error', at: fails, within: 10 },
      { event: 'run ended', at: ends, within: 30 },
      { event: 'run restarted', at: begins, within: 45 },
    ],
    alarms: [{ alarm: 'run-ended', at: ends, within: 30, resolvedAt: begins }],
  },
};
