import type { Cast, DemoProcess, DemoThread } from './cast.ts';
import { threadsOf } from './pipeline-cast.ts';
import { backward, frames, project, python, pythonExecutable, shellPid, site } from './places.ts';

const ranks = [0, 1, 2, 3, 4, 5, 6, 7];
/** Of the loader, a rank. */
const workerCount = 2;

/**
 * Data-parallel training under torchrun: eight ranks of one GPU each. Threads as in captures of two such ranks on H200 (main
 * thread 60 %, autograd 41 %, NCCL's watchdog under 1 %).
 */
export function ddpCast(pid: number): Cast {
  const all = ranks.map((rank) => ofRank(pid, rank));
  const torchrun: DemoProcess = {
    ...common,
    pid,
    parentPid: shellPid,
    comm: 'torchrun',
    commandLine: [
      python,
      '/opt/venv/bin/torchrun',
      '--nproc-per-node',
      '8',
      'train_ddp.py',
      '--config',
      'configs/8b.yaml',
    ],
    environment: {},
    gpuMinors: [],
    rssBytes: 0.4 * 2 ** 30,
  };
  const thread = threadsOf({ pid, first: pid, prefix: 'torchrun/' });
  const poll = ['_invoke_run', `${site}/torch/distributed/elastic/agent/server/api.py`, 895] as const;
  return {
    processes: [torchrun, ...all.flatMap(({ processes }) => processes)],
    threads: [
      ...thread(1, () => ({ name: 'MainThread', comm: 'torchrun', percent: 0.3, stack: [poll] })),
      ...thread(1, () => ({ comm: 'pt_tcpstore_uv', percent: 0 })),
      ...all.flatMap(({ threads }) => threads),
    ],
  };
}

/** A core of the socket that the rank's GPU is at (players/probe.ts). */
function nearCore(rank: number, tid: number): number {
  const at = (tid * 7) % 64;
  return (at < 32 ? at : at + 32) + (rank < 4 ? 0 : 32);
}

/** The PID of a rank of the run with this root. */
const rankPid = (root: number, rank: number) => root + 62 + rank;

const common = { comm: 'pt_main_thread', executable: pythonExecutable, cwd: project };
const script = `${project}/train_ddp.py`;

function ofRank(root: number, rank: number): Cast {
  const pid = rankPid(root, rank);
  const commandLine = [python, '-u', 'train_ddp.py', '--config', 'configs/8b.yaml'];
  const environment = {
    RANK: `${rank}`,
    LOCAL_RANK: `${rank}`,
    WORLD_SIZE: '8',
    MASTER_ADDR: '127.0.0.1',
    MASTER_PORT: '29500',
  };
  const main: DemoProcess = {
    ...{ ...common, pid, parentPid: root, commandLine, environment },
    gpuMinors: [rank],
    rssBytes: (9.2 + 0.1 * rank) * 2 ** 30,
  };
  // TIDs of a process lie together, above all PIDs of the run.
  const thread = threadsOf({
    ...{ pid, first: root + 200 + rank * 20, prefix: `rank${rank}/` },
    coreOf: (tid) => nearCore(rank, tid),
  });
  const [first, ...native] = [
    ...thread(1, () => ({
      name: 'MainThread',
      percent: 60,
      sway: 0.12,
      systemShare: 0.05,
      stack: [...backward, ['train_step', script, 141] as const, ['<module>', script, 203] as const],
    })),
    ...thread(1, () => ({ comm: `pt_autograd_${rank}`, percent: 41, sway: 0.15, systemShare: 0.04 })),
    ...thread(1, () => ({
      comm: 'pt_data_pin',
      name: 'pin-memory',
      percent: 3,
      systemShare: 0.6,
      stack: [frames.wait, frames.run],
    })),
    ...thread(1, () => ({ comm: 'pt_nccl_watchdg', percent: 0.7 })),
    ...thread(1, () => ({ comm: 'pt_nccl_heartbt', percent: 0 })),
    ...thread(1, () => ({ comm: 'cuda-EvtHandlr', percent: 0.1 })),
    ...thread(5, () => ({ percent: 0 })),
  ];
  const workers = Array.from({ length: workerCount }, (_, n) => loaderWorker({ root, rank, n }));
  return {
    processes: [
      main,
      ...workers.map(({ pid: own }) => ({
        ...common,
        ...{ commandLine, environment },
        pid: own,
        parentPid: pid,
        comm: 'pt_data_worker',
        gpuMinors: [],
        rssBytes: 1.2 * 2 ** 30,
      })),
    ],
    // The main thread has its process's PID.
    threads: [...(first ? [{ ...first, tid: pid }] : []), ...native, ...workers],
  };
}

function loaderWorker({
  root,
  rank,
  n,
}: {
  readonly root: number;
  readonly rank: number;
  readonly n: number;
}): DemoThread {
  const pid = root + 400 + rank * workerCount + n;
  return {
    ...{ pid, tid: pid, comm: 'pt_data_worker', name: 'MainThread', key: `rank${rank}/worker-${n}` },
    ...{ percent: 18 - n, sway: 0.4, systemShare: 0.2, waitShare: 0.03, core: (pid * 7) % 128 },
    stack: [
      ['__getitem__', `${project}/data/packed.py`, 63],
      ['fetch', `${site}/torch/utils/data/_utils/fetch.py`, 54],
      ['_worker_loop', `${site}/torch/utils/data/_utils/worker.py`, 349],
    ],
  };
}
