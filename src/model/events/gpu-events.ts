import type { GpusSample } from '../samples.ts';
import { event, type Finder } from './found.ts';

/** A frame may be cut, and a cell unreadable once: what two frames say is so. */
const frames = 2;
const mostGpus = 1024;

interface Gpu {
  readonly index: number;
  /** Frames in a row that say otherwise than what was told last. */
  others: number;
  lost?: string | undefined;
}

/** GPUs that vanish or are out of order, and those that are back. */
export function createGpuFinder(): Finder {
  const gpus = new Map<string, Gpu>();

  function ofFrame(sample: GpusSample) {
    sample.uuid.forEach((uuid, row) => {
      if (!gpus.has(uuid) && gpus.size < mostGpus) gpus.set(uuid, { index: sample.index[row] ?? row, others: 0 });
    });
    return [...gpus].flatMap(([uuid, gpu]) => {
      const row = sample.uuid.indexOf(uuid);
      const fault = row < 0 ? 'the driver does not list it any more' : lossOf(sample, row);
      if ((fault === undefined) === (gpu.lost === undefined)) {
        gpu.others = 0;
        return [];
      }
      if (++gpu.others < frames) return [];
      gpu.others = 0;
      gpu.lost = fault;
      const name = `GPU ${gpu.index} (${uuid})`;
      return [fault === undefined ? event(sample, 'gpu back', name) : event(sample, 'gpu lost', `${name}: ${fault}`)];
    });
  }

  return { find: (sample) => (sample.kind === 'gpus' ? ofFrame(sample) : []) };
}

/** Of the words in its cells, those of a GPU that does not work; a sensor that fails is none. */
function lossOf({ faults, utilizationPercent, memoryUsedBytes }: GpusSample, row: number): string | undefined {
  const said = faults?.[row];
  if (said === null || said === undefined) return undefined;
  if (/lost|reset|fallen off/i.test(said)) return said;
  const isBlind = utilizationPercent?.[row] == null && memoryUsedBytes?.[row] == null;
  return isBlind && /unknown error|ERR!/i.test(said) ? said : undefined;
}
