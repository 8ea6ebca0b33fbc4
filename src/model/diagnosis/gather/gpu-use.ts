import type { GpusSample } from '../../samples.ts';

/** Which GPUs a program has worked on since the run is watched: all that saved output tells of whose they are. */
export interface GpuUse {
  take(sample: GpusSample): void;
  /** Whether it had a CUDA context or any work; undefined: its frames have no figure that could tell. */
  isUsed(uuid: string): boolean | undefined;
  /** Goes up whenever an answer changes. */
  version(): number;
  forget(): void;
}

/** A CUDA context takes some hundred MiB of the GPU's memory (451 on H200 with driver 580); a GPU that nobody uses shows a few. */
export const contextBytes = 100 * 1024 * 1024;

/** More than a host has. */
const mostGpus = 256;

/** Nothing was seen. */
export function createGpuUse(): GpuUse {
  const used = new Map<string, boolean>();
  let version = 0;
  return {
    take({ uuid: uuids, memoryUsedBytes, utilizationPercent }) {
      for (const [row, uuid] of uuids.entries()) {
        const before = used.get(uuid);
        if (before === true) continue;
        const bytes = memoryUsedBytes?.[row] ?? undefined;
        const percent = utilizationPercent?.[row] ?? undefined;
        if (bytes === undefined && percent === undefined) continue;
        const now = (bytes ?? 0) >= contextBytes || (percent ?? 0) > 0;
        if (now === before || (before === undefined && used.size >= mostGpus)) continue;
        used.set(uuid, now);
        version++;
      }
    },
    isUsed: (uuid) => used.get(uuid),
    version: () => version,
    forget() {
      used.clear();
      version++;
    },
  };
}
