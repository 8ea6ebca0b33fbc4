import { gpuMemoryMib, maxSmMhz, powerLimitWatts, type DemoGpu } from '../gpu.ts';
import type { Machine } from '../machine.ts';
import { gpuAddress } from '../places.ts';

/** What `nvidia-smi --help-query-gpu` lists on the demo host, as far as the collector asks: driver 580's names. */
export const gpuFields: Readonly<Record<string, (gpu: DemoGpu, timestamp: string) => string>> = {
  timestamp: (_, timestamp) => timestamp,
  index: (gpu) => String(gpu.index),
  uuid: (gpu) => gpu.uuid,
  name: () => 'NVIDIA H200',
  driver_version: () => '580.159.04',
  'pci.bus_id': (gpu) => `0000${gpuAddress(gpu.index).toUpperCase()}.0`,
  'utilization.gpu': (gpu) => String(gpu.utilization),
  'utilization.memory': (gpu) => String(gpu.memoryUtilization),
  'memory.used': (gpu) => String(gpu.memoryUsedMib),
  'memory.total': () => String(gpuMemoryMib),
  'temperature.gpu': (gpu) => String(gpu.celsius),
  'temperature.memory': (gpu) => String(gpu.celsius + 6),
  'power.draw': (gpu) => gpu.watts.toFixed(2),
  'power.draw.instant': (gpu) => gpu.watts.toFixed(2),
  'power.draw.average': (gpu) => gpu.watts.toFixed(2),
  'power.limit': () => powerLimitWatts.toFixed(2),
  'enforced.power.limit': () => powerLimitWatts.toFixed(2),
  'clocks.sm': (gpu) => String(gpu.smMhz),
  'clocks.current.sm': (gpu) => String(gpu.smMhz),
  'clocks.mem': () => '3201',
  'clocks.current.memory': () => '3201',
  'clocks.max.sm': () => String(maxSmMhz),
  pstate: () => 'P0',
  'fan.speed': () => '[N/A]',
  'clocks_event_reasons.active': (gpu) => `0x${gpu.reasons.toString(16).padStart(16, '0')}`,
  'ecc.errors.uncorrected.volatile.total': (gpu) => String(gpu.eccUncorrected),
  'pcie.link.gen.current': () => '5',
  'pcie.link.width.current': () => '16',
  'mig.mode.current': () => 'Disabled',
  persistence_mode: () => 'Enabled',
};

/** One GPU as a row of `--query-gpu=FIELDS --format=csv,noheader,nounits`. */
export function gpuRow(fields: readonly string[], gpu: DemoGpu, timestamp: string): string {
  return fields.map((field) => gpuFields[field]?.(gpu, timestamp) ?? '[N/A]').join(', ');
}

/** nvidia-smi's time stamp: the host's local time, which is UTC on the demo host. */
export function smiTimestamp(now: number): string {
  return new Date(now).toISOString().replace('T', ' ').replaceAll('-', '/').slice(0, 23);
}

/** What nvidia-smi says where NVML is broken; undefined: it works. */
export function nvmlFault(machine: Machine, up: number): string | undefined {
  const fault = machine.effects(up).findLast(({ effect }) => effect.nvmlBroken)?.effect.nvmlBroken;
  return fault && `Failed to initialize NVML: ${fault === true ? 'Unknown Error' : fault}`;
}

/** What it says of a GPU that fell off the bus, and ends. */
export const lostText = (gpu: DemoGpu) =>
  `Unable to determine the device handle for GPU${gpuAddress(gpu.index).toUpperCase()}.0: GPU is lost.  Reboot the system to recover this GPU`;
