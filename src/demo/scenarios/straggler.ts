import { firstPid, inAllReduce, project } from '../places.ts';
import type { Scenario } from '../scenario.ts';

const slow = 3;

/**
 * The slow rank is as in input_starved_inline (its main thread computes at 98 %, the GPU jumps), half as starved; the others as in nccl_hang
 * while they wait (100 % with little power, main thread at its core), for a part of every step.
 */
export const straggler: Scenario = {
  name: 'straggler',
  title: 'eight ranks, and one of them prepares its data in the training thread',
  story: [
    'Eight ranks under torchrun. From 150 s on rank 3 tokenizes its share inside the training loop: 97 % of a core in Python.',
    'GPU 3 jumps between 0 and 100 %; the others show 100 % and draw half their power, for they wait in the all-reduce for half of each step.',
  ],
  seconds: 420,
  runs: [{ cast: 'ddp', pid: firstPid }],
  effects: [
    {
      from: 150,
      ramp: 10,
      pace: 0.46,
      gpus: [
        { of: [slow], utilization: 46, volatility: 0.8, work: 0.46 },
        { of: [0, 1, 2, 4, 5, 6, 7], utilization: 100, work: 0.46 },
      ],
      threads: [
        {
          of: /^rank3\/MainThread/,
          ...{ percent: 97, sway: 0.02, systemShare: 0.02 },
          stack: [
            ['encode', `${project}/data/tokenize.py`, 38],
            ['collate', `${project}/data/packed.py`, 112],
            ['train_step', `${project}/train_ddp.py`, 128],
            ['<module>', `${project}/train_ddp.py`, 203],
          ],
        },
        {
          of: /^rank\d\/MainThread/,
          ...{ percent: 99, sway: 0.01, systemShare: 0.15 },
          stack: inAllReduce,
        },
        { of: /\/pt_autograd/, percent: 19 },
        { of: /\/worker-/, percent: 8 },
      ],
      stages: { 'step.allreduce_wait': 461, 'data.next': 3.4 },
      gil: /^rank3\/MainThread/,
    },
  ],
  log: [{ at: 150, lines: ['[{time}] [rank3] tokenizer cache is cold: shards of rank 3 are tokenized on the fly'] }],
  truth: {
    findings: [
      { situation: 'compute-bound', scope: {}, from: 0, until: 150 },
      { situation: 'collective-wait', scope: { ranks: [slow], gpus: [slow] }, from: 160 },
      {
        situation: 'input-bound',
        scope: { ranks: [slow], gpus: [slow], cause: 'preprocessing in the training thread' },
        from: 160,
      },
    ],
    events: [],
    alarms: [{ alarm: 'slow', at: 330, within: 90 }],
  },
};
