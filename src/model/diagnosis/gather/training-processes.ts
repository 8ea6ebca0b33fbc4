import type { ThreadsSample } from '../../samples.ts';

/** What threads tell of the processes of a run that work on GPUs. */
export interface TrainingProcesses {
  take(sample: ThreadsSample): void;
  /** PIDs with threads that CUDA, NCCL or the backward pass start, in rising order. */
  pids(): readonly number[];
  /** The device whose autograd thread has worked most: torch names it pt_autograd_N; undefined: none has worked. */
  deviceOf(pid: number): number | undefined;
  /** Goes up whenever an answer changes. */
  version(): number;
  forget(): void;
}

/** Threads of PyTorch, CUDA and NCCL that only a process with a CUDA context has. */
const ofDevice = /^(pt_autograd_\d+|cuda-EvtHandlr|cuda\d{5,}.*|pt_nccl_.*)$/;
const autograd = /^pt_autograd_(\d+)$/;
/** Seconds of CPU that an autograd thread must have used before it says anything. */
const leastSeconds = 0.05;
/** More than a run on one host has. */
const mostProcesses = 1024;
const mostDevices = 64;

/** Nothing was seen. */
export function createTrainingProcesses(): TrainingProcesses {
  /** Seconds of CPU by device, of each process. */
  const seconds = new Map<number, Map<number, number>>();
  const devices = new Map<number, number>();
  let pids: readonly number[] = [];
  let version = 0;

  function add(pid: number, device: number, more: number) {
    const own = seconds.get(pid);
    if (!own || (own.size >= mostDevices && !own.has(device))) return;
    const sum = (own.get(device) ?? 0) + more;
    own.set(device, sum);
    const best = devices.get(pid);
    if (sum < leastSeconds || best === device || (best !== undefined && sum <= (own.get(best) ?? 0))) return;
    devices.set(pid, device);
    version++;
  }

  return {
    take({ pid, comm, cpuPercent, intervalSeconds }) {
      for (const [row, name] of comm.entries()) {
        if (!(name.startsWith('pt_') || name.startsWith('cuda')) || !ofDevice.test(name)) continue;
        const of = pid[row] ?? 0;
        if (!seconds.has(of)) {
          if (seconds.size >= mostProcesses) continue;
          seconds.set(of, new Map());
          pids = [...seconds.keys()].sort((a, b) => a - b);
          version++;
        }
        const device = autograd.exec(name)?.[1];
        const percent = cpuPercent[row];
        if (device !== undefined && percent) add(of, Number(device), (percent / 100) * (intervalSeconds ?? 0));
      }
    },
    pids: () => pids,
    deviceOf: (pid) => devices.get(pid),
    version: () => version,
    forget() {
      seconds.clear();
      devices.clear();
      pids = [];
      version++;
    },
  };
}
