import type { Run, RunProcess } from '../../model/run.ts';
import type { GpuProcessesSample, GpusSample } from '../../model/samples.ts';

interface Holders {
  readonly gpus: GpusSample;
  readonly run: Run | undefined;
  readonly processes: GpuProcessesSample | undefined;
}

/**
 * Who holds each GPU, by row: `r0`, `r0,1`, `4211` (a process without a rank), `4211+2`; '' where it is not known. nvidia-smi's
 * PIDs count where they are the run's own; in a container they are the host's and say nothing, so the open device files do.
 */
export function gpuHolders({ gpus, run, processes }: Holders): readonly string[] {
  const known = new Map(run?.processes.map((process) => [process.pid, process]));
  return gpus.uuid.map((uuid, row) => {
    const pids = processes?.pid.filter((_, i) => processes.uuid[i] === uuid) ?? [];
    const own = pids.map((pid) => known.get(pid)).filter((process) => process !== undefined);
    if (own.length > 0) return label(own);
    const open = run?.processes.filter(({ gpuMinors }) => gpuMinors.includes(gpus.index[row] ?? -1)) ?? [];
    const working = open.filter((process) => worksOn(process, gpus.index[row] ?? -1));
    if (open.length > 0) return label(working.length > 0 ? working : open);
    return numbers(pids);
  });
}

/** CUDA opens every GPU that it sees: of several, a rank works on its LOCAL_RANK's. */
function worksOn({ gpuMinors, localRank }: RunProcess, index: number): boolean {
  if (gpuMinors.length < 2 || localRank === undefined) return true;
  return [...gpuMinors].sort((a, b) => a - b)[localRank] === index;
}

function label(processes: readonly RunProcess[]): string {
  const ranks = new Set(processes.map(({ rank }) => rank).filter((rank) => rank !== undefined));
  if (ranks.size === 0) return numbers(processes.map(({ pid }) => pid));
  return `r${[...ranks].sort((a, b) => a - b).join(',')}`;
}

function numbers(pids: readonly number[]): string {
  const [first, ...more] = [...pids].sort((a, b) => a - b);
  if (first === undefined) return '';
  return more.length === 0 ? String(first) : `${first}+${more.length}`;
}
