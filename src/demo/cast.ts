/** Who is on the demo host: the processes and threads of the pipeline, in the roles a real one has. */
export interface DemoProcess {
  readonly pid: number;
  readonly parentPid: number;
  readonly comm: string;
  readonly executable: string;
  readonly commandLine: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly gpuMinors: readonly number[];
  readonly rssBytes: number;
}

/** A thread of the pipeline and how it spends its time. */
export interface DemoThread {
  readonly pid: number;
  readonly tid: number;
  /** The kernel's name. Python threads inherit PyTorch's rename of the main thread. */
  readonly comm: string;
  /** Python's name; absent for a native thread. */
  readonly name?: string;
  /** Mean CPU, percent of one core. */
  readonly percent: number;
  /** How much it moves about its mean, as a share. */
  readonly sway: number;
  readonly systemShare: number;
  /** Time spent runnable but waiting for a core, as a share of the time run. */
  readonly waitShare: number;
  readonly core: number;
  /** Where a dump finds it, innermost first: function, file, line. */
  readonly stack: readonly (readonly [string, string, number])[];
}

const runPid = 41_207;
const project = '/workspace/eagle-27b';
const site = '/opt/venv/lib/python3.11/site-packages';
const python = '/opt/venv/bin/python3';

/** The log that the run writes. */
export const logPath = `${project}/runs/0612/train.log`;
/** Where the demo host has py-spy. */
export const pySpyPath = '/opt/venv/bin/py-spy';

const workers = [0, 1, 2, 3].map((n): DemoProcess => ({
  pid: runPid + 400 + n,
  parentPid: runPid,
  comm: 'pt_data_worker',
  executable: '/usr/bin/python3.11',
  commandLine: [python, 'train_pipeline.py', '--config', 'configs/27b.yaml'],
  cwd: project,
  environment: {},
  gpuMinors: [],
  rssBytes: (1.1 + n * 0.05) * 2 ** 30,
}));

/** The processes of the run, its root first. */
export const demoProcesses: readonly DemoProcess[] = [
  {
    pid: runPid,
    parentPid: 40_988,
    comm: 'pt_main_thread',
    executable: '/usr/bin/python3.11',
    commandLine: [
      ...[python, 'train_pipeline.py', '--config', 'configs/27b.yaml'],
      ...['--target-gpus', '0,1,2,3,4', '--drafter-gpus', '5,6,7', '--queue-depth', '60'],
    ],
    cwd: project,
    environment: { RANK: '0', LOCAL_RANK: '0', WORLD_SIZE: '1' },
    gpuMinors: [0, 1, 2, 3, 4, 5, 6, 7],
    rssBytes: 62.4 * 2 ** 30,
  },
  ...workers,
];

const run = ['run', '/usr/lib/python3.11/threading.py', 982] as const;
const bootstrap = ['_bootstrap_inner', '/usr/lib/python3.11/threading.py', 1045] as const;
const wait = ['wait', '/usr/lib/python3.11/threading.py', 327] as const;
const pipeline = (fn: string, line: number) => [fn, `${project}/pipeline/workers.py`, line] as const;

/** More native threads of the main process (the bench's large run): `active` at a few percent, the others idle. */
export function nativeThreads({ active, idle }: { readonly active: number; readonly idle: number }): DemoThread[] {
  return thread(active + idle, (n) => ({ comm: `OMP worker ${n}`, percent: n < active ? 3 + (n % 9) : 0 }));
}

let nextTid = runPid;
const thread = (
  count: number,
  describe: (n: number) => Pick<DemoThread, 'percent'> & Partial<Omit<DemoThread, 'pid' | 'tid'>>,
): DemoThread[] =>
  Array.from({ length: count }, (_, n) => {
    const tid = nextTid++;
    const defaults = { comm: 'pt_main_thread', sway: 0.25, systemShare: 0.3, waitShare: 0.01, stack: [] };
    return { ...defaults, pid: runPid, tid, core: (tid * 7) % 128, ...describe(n) };
  });

/** The main process's threads come first, its main thread at the top: TIDs count up from the PID. */
export const demoThreads: readonly DemoThread[] = [
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
    stack: [['backward', `${site}/torch/autograd/graph.py`, 829], pipeline('drafter_step', 203), run, bootstrap],
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
    stack: [['get', '/usr/lib/python3.11/queue.py', 171], pipeline('prefetch_loop', 88), run, bootstrap],
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
  ...workers.map(({ pid }, n) => ({
    ...{ pid, tid: pid, comm: 'pt_data_worker', name: 'MainThread', percent: 23 - n * 2, sway: 0.4, systemShare: 0.2 },
    ...{ waitShare: 0.03, core: (pid * 7) % 128 },
    stack: [
      ['__getitem__', `${project}/pipeline/dataset.py`, 47] as const,
      ['_worker_loop', `${site}/torch/utils/data/_utils/worker.py`, 349] as const,
    ],
  })),
];
