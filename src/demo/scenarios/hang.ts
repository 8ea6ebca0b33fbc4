import { firstPid, inAllReduce, project, site } from '../places.ts';
import type { Scenario } from '../scenario.ts';

const stuck = 5;
const hangs = 180;
/** NCCL's watchdog waits for ten minutes. */
const caught = hangs + 600;
const ends = caught + 6;

const synchronize = [['synchronize', `${site}/torch/cuda/__init__.py`, 1083], ...inAllReduce] as const;

/**
 * As in the capture nccl_hang: from one second to the next the log is silent; who waits shows 100 % at 119 to 124 W, 1980 MHz, tensor and
 * memory 0, and spins at a whole core; the rank that never came shows 0 % at 118 W.
 */
export const hang: Scenario = {
  name: 'hang',
  title: 'one rank never comes to a collective: everything looks busy and nothing moves',
  story: [
    `Eight ranks under torchrun. At ${hangs} s rank ${stuck} waits for a lock that nobody gives back; the others spin in the all-reduce.`,
    'The log falls silent; seven GPUs show 100 % and draw 120 W of 700, their main threads run at 99 %.',
    `After ten minutes, at ${caught} s, NCCL's watchdog gives up; six seconds later all ranks are gone.`,
  ],
  seconds: ends + 60,
  runs: [{ cast: 'ddp', pid: firstPid, until: ends }],
  effects: [
    {
      from: hangs,
      ramp: 1,
      pace: 0,
      gpus: [
        { of: 'all', utilization: 100, work: 0.004 },
        { of: [stuck], utilization: 0, work: 0 },
      ],
      threads: [
        {
          of: /^rank5\/MainThread/,
          ...{ percent: 0.1, sway: 0 },
          stack: [
            ['acquire', `${project}/data/cache.py`, 57],
            ['__getitem__', `${project}/data/cache.py`, 71],
            ['train_step', `${project}/train_ddp.py`, 128],
            ['<module>', `${project}/train_ddp.py`, 203],
          ],
        },
        { of: /^rank\d\/MainThread/, percent: 99, sway: 0.01, systemShare: 0.2, stack: synchronize },
        { of: /\/pt_autograd/, percent: 0 },
        { of: /\/worker-/, percent: 0 },
        { of: /\/pin-memory/, percent: 0.1 },
      ],
      // Who waits in CUDA or for a lock has let go of it.
      gil: null,
    },
  ],
  log: [
    {
      at: caught,
      lines: [0, 1, 2, 3, 4, 6, 7].map(
        (rank) =>
          `[rank${rank}]:[E{date} {time}.408271257 ProcessGroupNCCL.cpp:685] [Rank ${rank}] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=28934, OpType=ALLREDUCE, NumelIn=4, NumelOut=4, Timeout(ms)=600000) ran for 600060 milliseconds before timing out.`,
      ),
    },
    {
      at: ends - 1,
      lines: [
        "terminate called after throwing an instance of 'c10::DistBackendError'",
        `E{date} {time}.473000 {pid} torch/distributed/elastic/multiprocessing/api.py:986] failed (exitcode: -6) local_rank: 0 (pid: ${firstPid + 62}) of binary: /opt/venv/bin/python3`,
        'torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ',
      ],
    },
  ],
  truth: {
    findings: [
      { situation: 'compute-bound', scope: {}, from: 0, until: hangs },
      {
        situation: 'collective-hang',
        scope: { ranks: [stuck], gpus: [0, 1, 2, 3, 4, 6, 7] },
        from: hangs,
        until: ends,
      },
      { situation: 'dead', scope: {}, from: ends },
    ],
    events: [
      { event: 'NCCL timeout', at: caught, within: 10 },
      { event: 'run ended', at: ends, within: 30 },
    ],
    alarms: [
      {
        alarm: 'verdict',
        about: `collective-hang, rank ${stuck} missing`,
        at: hangs + 30,
        within: 20,
        resolvedAt: ends,
      },
      { alarm: 'run-ended', at: ends, within: 40 },
    ],
  },
};
