import { hasCore, shareCore } from '../core-list.ts';
import { gpusOfProcess } from '../gpu-of-process.ts';
import type { State } from '../state.ts';

/** A thread whose core is far from the GPU that its process works on. */
export interface Far {
  /** nvidia-smi's index of the GPU, its node and the cores beside it. */
  readonly gpu: number;
  readonly gpuNode: number;
  readonly gpuCores: string;
  /** The node of the core it last ran on. */
  readonly node: number;
  /** It may run on no core near the GPU. Absent: nobody knows where it may run. */
  readonly pinned?: boolean;
}

interface Place {
  readonly pid: number;
  /** That it last ran on. */
  readonly core?: number | undefined;
  readonly cpuPercent?: number | undefined;
  /** Cores it may run on. */
  readonly cpus?: string | undefined;
}

/** Below this a thread moves no bytes worth a mark, percent of one core. */
const hotPercent = 25;

/**
 * Whether a hot thread runs on another node of memory than all GPUs of its process. Undefined also where nothing tells: one node, a GPU whose node the
 * kernel does not know, a process without a GPU.
 */
export function farFromGpu(
  { facts, run, gpus, gpuProcesses }: Pick<State, 'facts' | 'run' | 'gpus' | 'gpuProcesses'>,
  { pid, core, cpuPercent = 0, cpus }: Place,
): Far | undefined {
  const nodes = facts?.numaNodes ?? [];
  if (core === undefined || cpuPercent < hotPercent || nodes.length < 2) return undefined;
  const node = nodes.find((each) => hasCore(each.cores, core))?.node;
  if (node === undefined) return undefined;
  const { places, minors } = facts?.nvidia ?? {};
  const uuids = gpusOfProcess({ pid, run: run?.run, gpus, processes: gpuProcesses, ...(minors && { minors }) });
  const near = uuids.flatMap((uuid) => {
    const place = places?.[uuid];
    const index = gpus?.index[gpus.uuid.indexOf(uuid)];
    if (place?.node === undefined || index === undefined) return [];
    const cores = place.cores ?? nodes.find((each) => each.node === place.node)?.cores;
    return cores === undefined ? [] : [{ index, node: place.node, cores }];
  });
  // One whose place is not known may be the near one.
  if (near.length === 0 || near.length < uuids.length || near.some(({ cores }) => hasCore(cores, core)))
    return undefined;
  const [first] = near;
  if (!first) return undefined;
  const pinned = cpus === undefined ? undefined : !near.some(({ cores }) => shareCore(cores, cpus));
  return {
    gpu: first.index,
    gpuNode: first.node,
    gpuCores: first.cores,
    node,
    ...(pinned !== undefined && { pinned }),
  };
}

/** `core 97 of node 1 is far from GPU 0 (node 0: cores 0-47)`, and whether it could run nearer. */
export function farWords({ gpu, gpuNode, gpuCores, node, pinned }: Far, core: number): string {
  const may = pinned === undefined ? '' : pinned ? ', and it may not run there' : ', where it may run';
  return `core ${core} of node ${node} is far from GPU ${gpu} (node ${gpuNode}: cores ${gpuCores}${may})`;
}
