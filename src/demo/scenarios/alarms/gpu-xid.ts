import { gpuAddress } from '../../places.ts';
import type { Scenario } from '../../scenario.ts';

const happens = 150;
/** No GPU of this host has it. */
const foreign = '0000:c7:00';
const line = (address: string) =>
  `NVRM: Xid (PCI:${address}): 63, pid='<unknown>', name=<unknown>, Row Remapper: New row (0x000000010b4a61e0) marked for remapping, reset gpu to activate.`;

/** The driver has found a bad row: the run goes on, until somebody resets the GPU. */
export const gpuXid: Scenario = {
  name: 'gpu-xid',
  title: "the kernel's log tells of a fault of a GPU",
  story: [
    `At ${happens} s the driver writes Xid 63 about GPU 3: a row of its memory is to be remapped. The run goes on.`,
  ],
  seconds: 300,
  kernel: [{ at: happens, lines: [line(gpuAddress(3))] }],
  truth: {
    findings: [{ situation: 'compute-bound', scope: {}, from: 0 }],
    events: [{ event: 'gpu error', at: happens, within: 40 }],
    alarms: [{ alarm: 'gpu-xid', about: 'GPU 3', at: happens, within: 40 }],
  },
};

/** A container sees the kernel's log of all its host. */
export const gpuXidForeign: Scenario = {
  name: 'gpu-xid-foreign',
  title: "the kernel's log tells of a fault of a GPU that is not the run's",
  story: [
    `At ${happens} s the driver writes Xid 63 about a GPU that this machine does not list: another container has it.`,
  ],
  seconds: 300,
  kernel: [{ at: happens, lines: [line(foreign)] }],
  near: ['gpu-xid'],
  truth: { findings: [{ situation: 'compute-bound', scope: {}, from: 0 }], events: [], alarms: [] },
};
