import { loadAt, type GpuLoad, type Place } from './gpu.ts';
import type { GpuRole } from './scenario.ts';

/** What GPM counts on a GPU, the mean of some seconds, in the units of dmon. */
export interface DemoCounters {
  readonly smActive: number;
  readonly smOccupancy: number;
  readonly tensor: number;
  readonly dram: number;
  readonly pcieTxMib: number;
  readonly pcieRxMib: number;
  /** Received and sent alike: a ring of ranks passes on what it gets. */
  readonly nvlinkMib: number;
}

/**
 * Read from the captures of two H200: large matrix work (tensor 45), SM 90, occupancy 33, DRAM 35; the first stage of a pipeline, SM 47 and DRAM 10 at a
 * utilization of 61, and 1205 MiB/s into the host; its second stage, SM 63 and DRAM 25 at 77. NVLink was idle there: what eight ranks
 * make of it is a guess, some percent of what its 18 links can do.
 */
const profiles: Readonly<Record<GpuRole, DemoCounters>> = {
  target: { smActive: 74, smOccupancy: 14, tensor: 44, dram: 16, pcieTxMib: 1205, pcieRxMib: 25, nvlinkMib: 0 },
  drafter: { smActive: 72, smOccupancy: 27, tensor: 35, dram: 29, pcieTxMib: 80, pcieRxMib: 1246, nvlinkMib: 0 },
  rank: { smActive: 90, smOccupancy: 33, tensor: 46, dram: 35, pcieTxMib: 12, pcieRxMib: 64, nvlinkMib: 18_400 },
};

/** A kernel that waits for another rank: utilization 100 and no work (nccl_hang). */
const spinning = { smActive: 18, smOccupancy: 4 };

/** What a GPU counted in the seconds before a moment. */
export function countersOver(place: Place, seconds: number): DemoCounters {
  const looks = 5;
  const each = Array.from({ length: looks }, (_, i) =>
    countersOf(loadAt({ ...place, up: place.up - (seconds * (i + 0.5)) / looks })),
  );
  const mean = (of: keyof DemoCounters) => each.reduce((sum, counters) => sum + counters[of], 0) / looks;
  return {
    smActive: mean('smActive'),
    smOccupancy: mean('smOccupancy'),
    tensor: mean('tensor'),
    dram: mean('dram'),
    pcieTxMib: mean('pcieTxMib'),
    pcieRxMib: mean('pcieRxMib'),
    nvlinkMib: mean('nvlinkMib'),
  };
}

function countersOf(load: GpuLoad | undefined): DemoCounters {
  if (!load) return nothing;
  const { role, utilization, work, clock, fullUtilization } = load;
  const full = profiles[role];
  // The time with a kernel that works, as a share of the healthy one; what is left of the utilization is a kernel that waits.
  const busy = Math.min(utilization / fullUtilization, work);
  const waits = Math.max(0, utilization / 100 - (busy * fullUtilization) / 100);
  const done = work * clock;
  return {
    smActive: full.smActive * busy + spinning.smActive * waits,
    smOccupancy: full.smOccupancy * busy + spinning.smOccupancy * waits,
    tensor: full.tensor * done,
    dram: full.dram * done,
    pcieTxMib: full.pcieTxMib * done,
    pcieRxMib: full.pcieRxMib * done,
    nvlinkMib: full.nvlinkMib * done,
  };
}

const nothing: DemoCounters = {
  smActive: 0,
  smOccupancy: 0,
  tensor: 0,
  dram: 0,
  pcieTxMib: 0,
  pcieRxMib: 0,
  nvlinkMib: 0,
};
