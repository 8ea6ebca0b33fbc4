/**
 * Why a whole source of GPUs fails, as the sentences of its reason begin. Those of `SourceSample.reason` and of `HostFacts.nvidiaMissing` are made of
 * these (collectors/gpu/explain.ts), and told from other failures by them.
 */
export const nvmlFaults = {
  /** `Failed to initialize NVML: Unknown Error` */
  devices: 'This container has lost its GPU devices',
  /** `Failed to initialize NVML: Driver/library version mismatch` */
  mismatch: 'The NVIDIA driver was updated under the running kernel module',
  /** `Failed to initialize NVML: Insufficient Permissions` */
  permissions: 'This user may not open the GPU devices',
  /** `NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.` */
  unloaded: 'The NVIDIA driver is not loaded',
  /** `Unable to determine the device handle for GPU0000:09:00.0: GPU is lost.` of each that there is. */
  lost: 'No GPU of this host answers any more',
  /** `No devices were found` */
  none: 'nvidia-smi finds no GPU',
} as const;

/** Whether the reason of a source that failed, or is off, says that NVML is broken: GPUs were there, and nothing tells of them any more. */
export function isNvmlBroken(reason: string | undefined): boolean {
  return reason !== undefined && Object.values(nvmlFaults).some((begin) => reason.startsWith(begin));
}
