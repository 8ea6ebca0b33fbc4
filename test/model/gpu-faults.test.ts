import { expect, test } from 'vitest';
import { explainGpu } from '../../src/collectors/gpu/explain.ts';
import { isNvmlBroken } from '../../src/model/gpu-faults.ts';

test.each([
  'Failed to initialize NVML: Unknown Error',
  'Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 580.159',
  'Failed to initialize NVML: Insufficient Permissions',
  'NVML: Insufficient Permissions',
  "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.",
  'Unable to determine the device handle for GPU0000:09:00.0: GPU is lost.  Reboot the system to recover this GPU',
  'No devices were found',
])('a source that fails with "%s" has a broken NVML', (said) => {
  expect(isNvmlBroken(explainGpu(said)?.reason)).toBe(true);
});

test('a source that fails for another reason has none', () => {
  expect(isNvmlBroken(explainGpu('Field "x" is not a valid field to query.')?.reason)).toBe(false);
  expect(isNvmlBroken('nvidia-smi is not on the PATH of this host: no GPU is shown')).toBe(false);
  expect(isNvmlBroken('the link to the host was lost')).toBe(false);
  expect(isNvmlBroken(undefined)).toBe(false);
});
