import { nvmlFaults } from '../../model/gpu-faults.ts';
import { safeText } from '../../model/text.ts';
import type { Explanation } from '../collector.ts';

/** A failed nvidia-smi in a sentence: what it said, and what to do. Undefined for what we do not know. */
export function explainGpu(said: string): Explanation | undefined {
  const known = faults.find(({ pattern }) => pattern.test(said));
  if (!known) return undefined;
  const versions = /NVML library version: ([\d.]+)/.exec(said)?.[1];
  const device = /GPU ?([0-9A-F]{4,8}:[0-9A-F]{2}:[0-9A-F]{2}\.\d)/i.exec(said)?.[1];
  const sentence = known.sentence
    .replace('{library}', versions ? ` (library ${versions})` : '')
    .replace('{device}', device ? `GPU ${device}` : 'a GPU');
  return { reason: safeText(sentence), final: false };
}

/**
 * Each is tried again: drivers are reloaded and GPUs reset while a monitor runs for days. The first that matches holds. What a container needs is in
 * NVIDIA's container toolkit's troubleshooting, "Containers losing access to GPUs".
 */
const faults: readonly { readonly pattern: RegExp; readonly sentence: string }[] = [
  {
    pattern: /Driver\/library version mismatch/i,
    sentence: `${nvmlFaults.mismatch}{library}: nvidia-smi works again after a reload of the module or a reboot (in a container, after its restart too); runs that hold a GPU go on.`,
  },
  {
    pattern: /Failed to initialize NVML: Unknown Error/i,
    sentence: `${nvmlFaults.devices} (as after a systemd daemon-reload on the host): restart it; the run in it cannot open a GPU again either. Docker keeps them with --device=/dev/nvidia0 and the others, or with the cgroup driver cgroupfs.`,
  },
  {
    pattern: /(?:Failed to initialize NVML|NVML): Insufficient Permissions/i,
    sentence: `${nvmlFaults.permissions}: run as a user of the group that owns /dev/nvidia*; a container needs them by --gpus or --device.`,
  },
  {
    pattern: /couldn't communicate with the NVIDIA driver|Driver Not Loaded/i,
    sentence: `${nvmlFaults.unloaded} on this host: \`modprobe nvidia\` or a look at dmesg tells why.`,
  },
  {
    pattern: /Unable to determine the device handle|GPU is lost/i,
    sentence: `${nvmlFaults.lost}, {device} is lost: see Xid lines in dmesg; a GPU that fell off the bus comes back after a reboot.`,
  },
  { pattern: /No devices were found/i, sentence: `${nvmlFaults.none} on this host: see Xid lines in dmesg.` },
  {
    pattern: /is not a valid field to query/i,
    sentence: 'nvidia-smi refuses a field that it listed when we connected: was the driver changed? Connect again.',
  },
  { pattern: /not found|Permission denied/i, sentence: 'nvidia-smi can no longer be run on this host.' },
];
