import { gpusOfProcess } from '../gpu-of-process.ts';
import { roleFinder } from '../roles/finder.ts';
import { isLauncher } from '../roles/role-of.ts';
import type { Sample } from '../samples.ts';
import type { Known } from './gather/gatherer.ts';
import { rolesOfCommand } from './gather/gpu-roles.ts';
import { createGpuUse, type GpuUse } from './gather/gpu-use.ts';
import { createTrainingProcesses, type TrainingProcesses } from './gather/training-processes.ts';
import type { GpuSubject } from './subjects.ts';

/** Finds the GPUs that the run works on, each with its process, rank and role where these are known. */
export interface GpuFinder {
  take(sample: Sample): void;
  /** In the order of their indexes; the same array while nothing changes. */
  find(known: Known): readonly GpuSubject[];
  forgetRun(): void;
}

interface Found {
  readonly uuid: string;
  readonly pid?: number;
  readonly rank?: number;
}

/** Knows of no GPU. */
export function createGpuFinder(): GpuFinder {
  const use = createGpuUse();
  const training = createTrainingProcesses();
  let key: readonly unknown[] = [];
  let last: readonly GpuSubject[] = [];

  function take(sample: Sample) {
    if (sample.kind === 'gpus') use.take(sample);
    else if (sample.kind === 'threads') training.take(sample);
  }

  /** What came before: a recording may be opened in its middle. */
  function takeKnown({ gpus, threads }: Known) {
    if (gpus) take(gpus);
    if (threads && training.pids().length === 0) take(threads);
  }

  return {
    take,
    find(known) {
      if (key.length === 0) takeKnown(known);
      const { gpus, gpuProcesses, run, facts, gpuRoles, threadNames, threadRoles } = known;
      const now = [
        ...[gpus?.uuid.join(), gpus?.index.join(), gpuProcesses, run?.run, facts, gpuRoles, threadNames, threadRoles],
        ...[use.version(), training.version()],
      ];
      if (now.every((each, i) => each === key[i])) return last;
      key = now;
      last = subjectsOf(known, byFiles(known) ?? byUse(known, use, training));
      return last;
    },
    forgetRun() {
      use.forget();
      training.forget();
      key = [];
    },
  };
}

/**
 * As nvidia-smi and the files that are open tell; undefined where they tell of no GPU. Of several processes of one GPU the one with the most memory
 * there works on it: ranks often make a context on the first GPU too. The only rank of all has a rank by name only.
 */
function byFiles({ run, gpus, gpuProcesses, facts }: Known): readonly Found[] | undefined {
  const minors = facts?.nvidia?.minors;
  const owners = new Map<string, Found & { readonly bytes: number }>();
  for (const { pid, rank, worldSize } of run?.run?.processes ?? []) {
    const asked = { pid, run: run?.run, gpus, processes: gpuProcesses, ...(minors && { minors }) };
    for (const uuid of gpusOfProcess(asked)) {
      const row = gpuProcesses?.uuid.findIndex((each, i) => each === uuid && gpuProcesses.pid[i] === pid) ?? -1;
      const bytes = gpuProcesses?.memoryBytes[row] ?? 0;
      if (bytes > (owners.get(uuid)?.bytes ?? -1))
        owners.set(uuid, { uuid, pid, bytes, ...(rank !== undefined && worldSize !== 1 && { rank }) });
    }
  }
  return owners.size === 0 ? undefined : [...owners.values()];
}

/**
 * Of saved output, and of a run that holds none: GPUs that somebody used, and the processes with threads of CUDA. One that nvidia-smi says others
 * hold is theirs, however busy it is.
 */
function byUse(known: Known, use: GpuUse, training: TrainingProcesses): readonly Found[] {
  const { run, gpus, gpuProcesses } = known;
  const ofOthers = run?.run ? new Set(gpuProcesses?.uuid) : undefined;
  const all = gpus?.uuid.filter((uuid) => ofOthers?.has(uuid) !== true) ?? [];
  const some = all.filter((uuid) => use.isUsed(uuid) === true);
  const pids = training.pids().length > 0 ? training.pids() : processesOf(run);
  // Where nobody told the memory, a rank whose GPU has stood still since looks like none.
  const used = some.length === 0 || (some.length < pids.length && pids.length === all.length) ? all : some;
  const [only, ...others] = pids;
  if (only === undefined) return used.map((uuid) => ({ uuid }));
  if (others.length === 0) return used.map((uuid) => ({ uuid, pid: only }));
  const devices = pids.map((pid) => training.deviceOf(pid));
  const isEachOne = new Set(devices).size === pids.length && !devices.includes(undefined);
  const byDevice = isEachOne && used.every((uuid) => devices.includes(gpus?.index[all.indexOf(uuid)]));
  if (!byDevice && pids.length !== used.length) return used.map((uuid) => ({ uuid }));
  return used.map((uuid, at) => {
    const pid = byDevice ? pids[devices.indexOf(gpus?.index[all.indexOf(uuid)])] : pids[at];
    // Launchers start the ranks of a host one after the other: of saved output the order of their PIDs is all that tells ranks.
    return pid === undefined ? { uuid } : { uuid, pid, rank: pids.indexOf(pid) };
  });
}

/** Those that may train: no launcher, and none below another of them. */
function processesOf(run: Known['run']): readonly number[] {
  const able = run?.run?.processes.filter(({ commandLine }) => !isLauncher(commandLine)) ?? [];
  const pids = new Set(able.map(({ pid }) => pid));
  return able
    .filter(({ parentPid }) => parentPid === undefined || !pids.has(parentPid))
    .map(({ pid }) => pid)
    .sort((a, b) => a - b);
}

function subjectsOf(known: Known, found: readonly Found[]): readonly GpuSubject[] {
  const { gpus, gpuRoles, run } = known;
  const roleOf = roleFinder(known);
  const indexOf = (uuid: string) => gpus?.index[gpus.uuid.indexOf(uuid)] ?? -1;
  const indexes = found.map(({ uuid }) => indexOf(uuid));
  const named = run?.run?.processes.map(({ commandLine }) => rolesOfCommand(commandLine, indexes)).find(Boolean);
  return found
    .map(({ uuid, pid, rank }): GpuSubject => {
      const index = indexOf(uuid);
      const own = pid === undefined ? undefined : roleOf({ pid, tid: pid });
      // The user first. That a thread is the first of its process says nothing of its GPU.
      const role =
        gpuRoles?.role[gpuRoles.gpu.indexOf(index)] ?? named?.get(index) ?? (own === 'main' ? undefined : own);
      return {
        ...{ kind: 'gpu', uuid, index },
        ...(pid !== undefined && { pid }),
        ...(rank !== undefined && { rank }),
        ...(role !== undefined && { role }),
      };
    })
    .filter(({ index }) => index >= 0)
    .sort((a, b) => a.index - b.index);
}
