import { firstPid, inAllReduce, project, site } from '../../places.ts';
import type { Scenario } from '../../scenario.ts';

const saving = { from: 150, until: 170, every: 120 };

/**
 * What the figures of GPUs cannot tell from a hang, for as long as it lasts: rank 0 writes, the others wait for it in a collective. The log
 * speaks of it when it is over (one that stays: hang).
 */
export const verdictCheckpoint: Scenario = {
  name: 'verdict-checkpoint',
  title: 'a checkpoint that looks like a hang for 20 s',
  story: [
    `Eight ranks under torchrun. Every two minutes, first at ${saving.from} s, rank 0 saves a checkpoint for 20 s, and the others spin in the all-reduce: 100 %, 120 W, no line in the log.`,
  ],
  seconds: 420,
  runs: [{ cast: 'ddp', pid: firstPid }],
  effects: [
    {
      ...saving,
      ramp: 1,
      pace: 0,
      gpus: [
        { of: 'all', utilization: 100, work: 0.004 },
        { of: [0], utilization: 0, work: 0 },
      ],
      threads: [
        {
          of: /^rank0\/MainThread/,
          ...{ percent: 84, sway: 0.05, systemShare: 0.6, rest: 'D' },
          stack: [
            ['_save', `${site}/torch/serialization.py`, 1190],
            ['save_checkpoint', `${project}/train_ddp.py`, 171],
            ['<module>', `${project}/train_ddp.py`, 209],
          ],
        },
        { of: /^rank\d\/MainThread/, percent: 99, sway: 0.01, systemShare: 0.2, stack: inAllReduce },
        { of: /\/pt_autograd/, percent: 0 },
        { of: /\/worker-/, percent: 0 },
      ],
      host: { ioWaitCores: 0.4, diskWriteBytesPerSecond: 2.1e9, diskBusyPercent: 70, ioPressurePercent: 8 },
    },
  ],
  log: [{ at: saving.until, every: saving.every, lines: ['[{time}] checkpoint of step {step} saved in 20.0 s'] }],
  near: ['verdict', 'no-step'],
  truth: {
    // While it saves nothing tells it from a hang; a hang is not told as sure so soon.
    findings: [
      { situation: 'compute-bound', scope: {}, from: 0, until: saving.from },
      { situation: 'compute-bound', scope: {}, from: saving.until + 5, until: saving.from + 120 },
      { situation: 'compute-bound', scope: {}, from: saving.until + 125, until: saving.from + 240 },
    ],
    events: [saving.until, saving.until + saving.every, saving.until + 2 * saving.every].map((at) => ({
      ...{ event: 'checkpoint', at, within: 10 },
    })),
    alarms: [],
  },
};
