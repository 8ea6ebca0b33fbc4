import type { Cast, DemoProcess, DemoThread } from './cast.ts';
import { backward, firstPid, frames, pipeline, project, python, pythonExecutable, shellPid, site } from './places.ts';

const { run, bootstrap, wait, queueGet } = frames;
type Wish = Pick<DemoThread, 'percent'> & Partial<Omit<DemoThread, 'pid' | 'tid'>>;

/** A two-stage pipeline in one process: five target threads fill a queue, three drafters train from it. */
export function pipelineCast(pid: number): Cast {
  const workers = [0, 1, 2, 3].map((n): DemoProcess => ({
    pid: pid + 400 + n,
    parentPid: pid,
    comm: 'pt_data_worker',
    executable: pythonExecutable,
    commandLine: [python, 'train_pipeline.py', '--config', 'configs/27b.yaml'],
    cwd: project,
    environment: {},
    gpuMinors: [],
    rssBytes: (1.1 + n * 0.05) * 2 ** 30,
  }));
  const root: DemoProcess = {
    pid,
    parentPid: shellPid,
    comm: 'pt_main_thread',
    executable: pythonExecutable,
    commandLine: [
      ...[python, 'train_pipeline.py', '--config', 'configs/27b.yaml'],
      ...['--target-gpus', '0,1,2,3,4', '--drafter-gpus', '5,6,7', '--queue-depth', '60'],
    ],
    cwd: project,
    environment: { RANK: '0', LOCAL_RANK: '0', WORLD_SIZE: '1' },
    gpuMinors: [0, 1, 2, 3, 4, 5, 6, 7],
    rssBytes: 62.4 * 2 ** 30,
  };
  return { processes: [root, ...workers], threads: pipelineThreads(pid) };
}

/** More native threads of the first run's main process (the bench's large run): `active` at a few percent, the others idle. */
export function nativeThreads({ active, idle }: { readonly active: number; readonly idle: number }): DemoThread[] {
  const first = firstPid + pipelineThreads(firstPid).filter((thread) => thread.pid === firstPid).length;
  return threadsOf({ pid: firstPid, first })(active + idle, (n) => ({
    comm: `OMP worker ${n}`,
    percent: n < active ? 3 + (n % 9) : 0,
  }));
}

/** The main process's threads come first, its main thread at the top: TIDs count up from the PID. */
function pipelineThreads(pid: number): readonly DemoThread[] {
  const thread = threadsOf({ pid, first: pid });
  return [
    ...thread(1, () => ({
      name: 'MainThread',
      percent: 1.4,
      stack: [wait, ['main', `${project}/train_pipeline.py`, 214], ['<module>', `${project}/train_pipeline.py`, 231]],
    })),
    ...thread(5, (n) => ({
      name: `target-${n}`,
      percent: 91 - n * 1.5,
      sway: 0.07,
      systemShare: 0.42,
      waitShare: 0.02,
      stack: [
        ['synchronize', `${site}/torch/cuda/streams.py`, 231],
        ['forward', `${site}/transformers/models/qwen3/modeling_qwen3.py`, 438],
        pipeline('target_loop', 118),
        run,
        bootstrap,
      ],
    })),
    ...thread(3, (n) => ({
      name: `drafter-${n}`,
      percent: 72 - n * 4,
      sway: 0.15,
      stack: [...backward, pipeline('drafter_step', 203), run, bootstrap],
    })),
    ...thread(5, (n) => ({
      name: `hs-pack-${n}`,
      percent: 34 - n * 2,
      systemShare: 0.55,
      stack: [['to', `${site}/torch/_tensor.py`, 1102], pipeline('pack_hidden', 156), run, bootstrap],
    })),
    ...thread(4, (n) => ({
      name: `prefetch-${n}`,
      percent: 17 - n,
      sway: 0.4,
      stack: [queueGet, pipeline('prefetch_loop', 88), run, bootstrap],
    })),
    ...thread(1, () => ({
      name: 'data-feeder',
      percent: 9,
      stack: [['encode_batch', `${site}/tokenizers/implementations/base_tokenizer.py`, 219], pipeline('feed', 61), run],
    })),
    ...thread(1, () => ({ name: 'metrics', percent: 0.8, stack: [wait, pipeline('log_loop', 270), run, bootstrap] })),
    ...thread(1, () => ({ comm: 'pt_data_pin', name: 'pin-memory', percent: 6, systemShare: 0.6, stack: [wait, run] })),
    ...thread(3, (n) => ({ comm: `pt_autograd_${n + 5}`, percent: 44 - n * 5, sway: 0.2, systemShare: 0.25 })),
    ...thread(5, (n) => ({ comm: `pt_autograd_${n}`, percent: 0 })),
    ...thread(8, () => ({ comm: 'cuda-EvtHandlr', percent: 0.1 })),
    ...thread(3, () => ({ comm: 'pt_nccl_watchdg', percent: 0.2 })),
    ...thread(3, () => ({ comm: 'pt_nccl_heartbt', percent: 0 })),
    ...thread(1, () => ({ comm: 'pt_tcpstore_uv', percent: 0 })),
    ...thread(14, () => ({ percent: 0 })),
    ...[0, 1, 2, 3].map((n) => ({
      ...{ pid: pid + 400 + n, tid: pid + 400 + n, comm: 'pt_data_worker', name: 'MainThread', key: `worker-${n}` },
      ...{ percent: 23 - n * 2, sway: 0.4, systemShare: 0.2, waitShare: 0.03, core: ((pid + 400 + n) * 7) % 128 },
      stack: [
        ['__getitem__', `${project}/pipeline/dataset.py`, 47] as const,
        ['_worker_loop', `${site}/torch/utils/data/_utils/worker.py`, 349] as const,
      ],
    })),
  ];
}

/** Makes threads of one process with TIDs from `first` up. `coreOf`: on which core a thread is. */
export function threadsOf({
  pid,
  first,
  prefix = '',
  coreOf = (tid) => (tid * 7) % 128,
}: {
  readonly pid: number;
  readonly first: number;
  readonly prefix?: string;
  readonly coreOf?: (tid: number) => number;
}) {
  let next = first;
  return (count: number, describe: (n: number) => Wish): DemoThread[] =>
    Array.from({ length: count }, (_, n) => {
      const tid = next++;
      const wish = describe(n);
      const defaults = { comm: 'pt_main_thread', sway: 0.25, systemShare: 0.3, waitShare: 0.01, stack: [] };
      const key = `${prefix}${wish.name ?? wish.comm ?? defaults.comm}`;
      return { ...defaults, pid, tid, key, core: coreOf(tid), ...wish };
    });
}
