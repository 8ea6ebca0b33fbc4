import type { Known } from './gather/gatherer.ts';
import type { GpuSubject } from './subjects.ts';

/** The GPUs that the run works on, each with its process, rank and role where these are known. */
export function gpusOfRun({ gpus }: Known): readonly GpuSubject[] {
  return (gpus?.uuid ?? []).map((uuid, row) => ({ kind: 'gpu', uuid, index: gpus?.index[row] ?? row }));
}
