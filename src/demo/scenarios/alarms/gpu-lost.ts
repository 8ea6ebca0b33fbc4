import { firstPid, gpuAddress, pipeline } from '../../places.ts';
import type { Scenario } from '../../scenario.ts';

const lost = 3;
const falls = 150;
const ends = falls + 6;

/** As Xid 79 goes: nvidia-smi cannot open it any more, and who used it dies at its next call. */
export const gpuLost: Scenario = {
  name: 'gpu-lost',
  title: 'a GPU falls off the bus, and the run dies of it',
  story: [
    `At ${falls} s GPU ${lost} is lost: Xid 79 in the kernel's log, "GPU is lost" from nvidia-smi.`,
    `The thread that used it gets a CUDA error, and at ${ends} s the run has ended.`,
  ],
  seconds: 330,
  runs: [{ cast: 'pipeline', pid: firstPid, until: ends }],
  effects: [
    { from: falls, gpus: [{ of: [lost], lost: 'GPU is lost' }] },
    {
      from: falls,
      ramp: 1,
      pace: 0,
      gpus: [{ of: 'all', utilization: 0, work: 0 }],
      threads: [{ of: /^(target|drafter|hs-pack|prefetch|pt_autograd|worker|data-feeder|pin-memory)/, percent: 0 }],
    },
  ],
  kernel: [
    {
      at: falls,
      lines: [
        `NVRM: Xid (PCI:${gpuAddress(lost)}): 79, pid={pid}, name=python3, GPU has fallen off the bus.`,
        `NVRM: GPU ${gpuAddress(lost)}.0: GPU has fallen off the bus.`,
      ],
    },
  ],
  log: [
    {
      at: falls + 2,
      lines: [
        `Exception in thread target-${lost}:`,
        'Traceback (most recent call last):',
        `  File "${pipeline('target_loop', 118)[1]}", line 118, in target_loop`,
        '    torch.cuda.synchronize()',
        'torch.AcceleratorError: CUDA error: unspecified launch failure',
      ],
    },
  ],
  truth: {
    findings: [
      { situation: 'compute-bound', scope: {}, from: 0, until: falls },
      { situation: 'dead', scope: {}, from: ends },
    ],
    events: [
      { event: 'gpu lost', at: falls, within: 30 },
      { event: 'log error', at: falls, within: 15 },
      { event: 'run ended', at: ends, within: 30 },
      { event: 'gpu error', at: falls, within: 40 },
    ],
    alarms: [
      { alarm: 'gpu-lost', about: `GPU ${lost}`, at: falls, within: 30 },
      { alarm: 'run-ended', at: ends, within: 40 },
    ],
  },
};

/** Less than the time of two frames. */
export const gpuLostFrame: Scenario = {
  name: 'gpu-lost-frame',
  title: 'a GPU is missing in one answer of nvidia-smi',
  story: [`At ${falls} s nvidia-smi lists seven GPUs, once; a second later there are eight again.`],
  seconds: 240,
  effects: [{ from: falls - 0.5, until: falls + 0.5, gpus: [{ of: [lost], lost: 'unlisted' }] }],
  near: ['gpu-lost'],
  truth: {
    // For a second the figures of one GPU are missing.
    findings: [
      { situation: 'compute-bound', scope: {}, from: 0, until: falls - 1 },
      { situation: 'compute-bound', scope: {}, from: falls + 2 },
    ],
    events: [],
    alarms: [],
  },
};
