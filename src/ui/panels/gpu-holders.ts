import type { NvidiaFacts } from '../../model/facts.ts';
import { worksOn } from '../../model/gpu-of-process.ts';
import type { Run, RunProcess } from '../../model/run.ts';
import type { GpuProcessesSample, GpusSample } from '../../model/samples.ts';

interface Holders {
  readonly gpus: GpusSample;
  readonly run: Run | undefined;
  readonly processes: GpuProcessesSample | undefined;
  readonly minors?: NvidiaFacts['minors'];
}

/**
 * Who holds each GPU, by row: `r0`, `r0,1`, `4211` (a process without a rank), `4211+2`; '' where it is not known. nvidia-smi's
 * PIDs count where they are the run's own: driver 580 gives those of the caller's PID namespace, older ones in a container
 * the host's. Such a number may be a process of the run by chance: one that has no GPU open, when others have, is not meant. Else
 * the open device files tell.
 */
export function gpuHolders({ gpus, run, processes, minors }: Holders): readonly string[] {
  const filesTell = run?.processes.some(({ gpuMinors }) => gpuMinors.length > 0) ?? false;
  const holders = run?.processes.filter(({ gpuMinors }) => !filesTell || gpuMinors.length > 0) ?? [];
  const known = new Map(holders.map((process) => [process.pid, process]));
  return gpus.uuid.map((uuid, row) => {
    const minor = (minors ? minors[uuid] : gpus.index[row]) ?? -1;
    const pids = processes?.pid.filter((_, i) => processes.uuid[i] === uuid) ?? [];
    const own = pids.map((pid) => known.get(pid)).filter((process) => process !== undefined);
    if (own.length > 0) return label(own);
    const open = run?.processes.filter(({ gpuMinors }) => gpuMinors.includes(minor)) ?? [];
    const working = open.filter((process) => worksOn(process, minor));
    if (open.length > 0) return label(working.length > 0 ? working : open);
    return numbers(pids);
  });
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
