import { firstPid, pipeline, project, site } from '../places.ts';
import type { Scenario } from '../scenario.ts';

const fails = 240;
const ends = fails + 4;

/** The words are those of PyTorch 2.11 on an H200. */
export const oom: Scenario = {
  name: 'oom',
  title: 'the memory of a drafter GPU fills up, and the run dies of it',
  story: [
    'From 120 s on the memory of GPU 6 grows by 390 MiB a second: a list keeps the graph of every step.',
    `At ${fails} s an allocation fails: a traceback in the log, and four seconds later the process is gone and all GPUs are empty.`,
  ],
  seconds: 330,
  runs: [{ cast: 'pipeline', pid: firstPid, until: ends }],
  effects: [
    { from: 120, ramp: fails - 120, gpus: [{ of: [6], memoryUsedMib: 142_650 }] },
    {
      from: fails,
      ramp: 1,
      pace: 0,
      gpus: [{ of: 'all', utilization: 0, work: 0 }],
      threads: [
        { of: /^MainThread/, percent: 85, systemShare: 0.5 },
        { of: /^(target|drafter|hs-pack|prefetch|pt_autograd|worker|data-feeder|pin-memory)/, percent: 0 },
      ],
    },
  ],
  log: [
    {
      at: fails,
      lines: [
        'Exception in thread drafter-1:',
        'Traceback (most recent call last):',
        '  File "/usr/lib/python3.11/threading.py", line 1045, in _bootstrap_inner',
        '    self.run()',
        `  File "${pipeline('drafter_step', 203)[1]}", line 203, in drafter_step`,
        '    loss.backward()',
        `  File "${site}/torch/_tensor.py", line 631, in backward`,
        '    torch.autograd.backward(',
        'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.16 GiB. GPU 6 has a total capacity of 139.80 GiB of which 0.88 GiB is free. Including non-PyTorch memory, this process has 138.91 GiB memory in use. Of the allocated memory 136.42 GiB is allocated by PyTorch, and 1.21 GiB is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.  See documentation for Memory Management  (https://docs.pytorch.org/docs/stable/notes/cuda.html#optimizing-memory-usage-with-pytorch-cuda-alloc-conf)',
      ],
    },
    {
      at: ends - 1,
      lines: [
        'Traceback (most recent call last):',
        `  File "${project}/train_pipeline.py", line 231, in <module>`,
        '    main()',
        `  File "${project}/train_pipeline.py", line 219, in main`,
        "    raise RuntimeError('a stage has failed') from failure",
        'RuntimeError: a stage has failed',
      ],
    },
  ],
  truth: {
    findings: [
      { situation: 'compute-bound', scope: {}, from: 0, until: fails },
      { situation: 'dead', scope: { gpus: [6], cause: 'CUDA out of memory' }, from: ends },
    ],
    events: [
      { event: 'out of memory', at: fails, within: 10 },
      { event: 'run ended', at: ends, within: 30 },
    ],
    alarms: [{ alarm: 'run-ended', at: ends, within: 30 }],
  },
};
