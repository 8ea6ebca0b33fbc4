import type { NvidiaFacts } from './facts.ts';
import type { Run, RunProcess } from './run.ts';
import type { GpuProcessesSample, GpusSample } from './samples.ts';

/** CUDA opens every GPU that it sees: of several, a rank works on its LOCAL_RANK's. */
export function worksOn({ gpuMinors, localRank }: RunProcess, minor: number): boolean {
  if (gpuMinors.length < 2 || localRank === undefined) return true;
  return [...gpuMinors].sort((a, b) => a - b)[localRank] === minor;
}

interface Asked {
  readonly pid: number;
  readonly run: Run | undefined;
  readonly gpus: Pick<GpusSample, 'uuid' | 'index'> | undefined;
  readonly processes: GpuProcessesSample | undefined;
  readonly minors?: NvidiaFacts['minors'];
}

/** UUIDs of the GPUs that a process works on: as nvidia-smi says where it knows the PID, else by the device files it has open. */
export function gpusOfProcess({ pid, run, gpus, processes, minors }: Asked): readonly string[] {
  const process = run?.processes.find((each) => each.pid === pid);
  const open = process?.gpuMinors ?? [];
  const filesTell = run?.processes.some(({ gpuMinors }) => gpuMinors.length > 0) ?? false;
  // In a container an older driver gives the host's PIDs: one that is a PID of the run too has no GPU open.
  const said = processes?.uuid.filter((_, i) => processes.pid[i] === pid && (!filesTell || open.length > 0)) ?? [];
  if (said.length > 0 || !process || open.length === 0) return [...new Set(said)];
  return (gpus?.uuid ?? []).filter((uuid, row) => {
    const minor = (minors ? minors[uuid] : gpus?.index[row]) ?? -1;
    return open.includes(minor) && worksOn(process, minor);
  });
}
