import type { Collector } from '../collector.ts';
import { explainGpu } from './explain.ts';
import { chooseColumns, splitColumns } from './fields.ts';
import { createGpuParser } from './parse.ts';
import { countersEveryMs } from './gpm.ts';
import { readingsEveryMs } from './readings.ts';
import { gpuScript } from './script.ts';

/** All GPUs of the host and the processes on them, from long-lived nvidia-smi. */
export const gpuCollector: Collector = {
  id: 'gpu',
  plans(context) {
    const { facts, options } = context;
    if (!facts.nvidia) return [{ source: 'gpu', off: facts.nvidiaMissing ?? 'this host has no NVIDIA GPU' }];
    const columns = splitColumns(chooseColumns(facts.nvidia.fields));
    // Below half a second the counters of utilization do not change, and a round of 8 GPUs takes its time.
    const everyMs = Math.max(options.intervalMs, 500);
    const isRead = columns.fast.some(({ id }) => id === 'utilizationPercent');
    const readings = isRead ? readingsEveryMs(facts.nvidia.gpuCount, everyMs) : undefined;
    return [
      {
        key: `gpu:${everyMs}`,
        source: 'gpu',
        body: gpuScript(columns, {
          everyMs,
          readingsEveryMs: readings,
          countersEveryMs: countersEveryMs(facts.nvidia.gpuCount),
        }),
        parser: () => createGpuParser(context, columns.fast, columns.slow),
        // Asking each of 8 GPUs after a fault takes seconds.
        staleAfterMs: 3 * everyMs + 4000,
        explain: (_exit, said) => explainGpu(said),
      },
    ];
  },
};
