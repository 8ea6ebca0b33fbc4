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
    .replace('{device}', device ? `GPU ${device}` : 'A GPU');
  return { reason: safeText(sentence), final: false };
}

/** Each is tried again: drivers are reloaded and GPUs reset while a monitor runs for days. The first that matches holds. */
const faults: readonly { readonly pattern: RegExp; readonly sentence: string }[] = [
  {
    pattern: /Driver\/library version mismatch/i,
    sentence:
      'The NVIDIA driver was updated under the running kernel module{library}: nvidia-smi works again after a reload of the module or a reboot; runs that hold a GPU go on.',
  },
  {
    pattern: /Failed to initialize NVML: Unknown Error/i,
    sentence:
      'This container has lost its GPU devices (as happens after a systemd daemon-reload on the host): restart the container; the run in it cannot open a GPU again either.',
  },
  {
    pattern: /Failed to initialize NVML: Insufficient Permissions/i,
    sentence: 'This user may not open the GPU devices: run as a user of the group that owns /dev/nvidia*.',
  },
  {
    pattern: /couldn't communicate with the NVIDIA driver|Driver Not Loaded/i,
    sentence: 'The NVIDIA driver is not loaded on this host: `modprobe nvidia` or a look at dmesg tells why.',
  },
  {
    pattern: /Unable to determine the device handle|GPU is lost/i,
    sentence:
      '{device} is lost and no other GPU answers: see Xid lines in dmesg; a GPU that fell off the bus comes back after a reboot.',
  },
  { pattern: /No devices were found/i, sentence: 'nvidia-smi finds no GPU on this host: see Xid lines in dmesg.' },
  {
    pattern: /is not a valid field to query/i,
    sentence: 'nvidia-smi refuses a field that it listed when we connected: was the driver changed? Connect again.',
  },
  { pattern: /not found|Permission denied/i, sentence: 'nvidia-smi can no longer be run on this host.' },
];
