/** A border between two meanings of a signal. */
export interface Threshold {
  readonly value: number;
  /** The physical reason: why there and not elsewhere. */
  readonly because: string;
}

/** All borders that rules use, each once: none is fitted to one recording. */
export const thresholds = {
  busy: {
    value: 80,
    because:
      'a GPU that is fed always has a kernel in nearly every sample period of the driver (a sixth of a second to a second)',
  },
  notBusy: {
    value: 70,
    because:
      'below it more than a quarter of the sample periods had no kernel: something else than the GPU sets the pace',
  },
  spinPower: {
    value: 15,
    because:
      'a kernel that only asks a flag again and again draws 1 to 3 % of the way from idle to the limit where clocks stay up, and up to 15 % where an idle GPU clocks down; work that moves memory or computes takes a third and more',
  },
  spinSms: {
    value: 25,
    because:
      'the kernel of a collective that waits holds one SM a channel, of which NCCL takes up to 32: 1 to 24 % of 132 SMs',
  },
  spinTensor: {
    value: 1,
    because: 'a kernel that waits never uses the tensor cores; shares are rounded to whole percents',
  },
  idle: {
    value: 5,
    because: 'a kernel that runs once in some sample periods, of a driver or a watchdog, is no work of the run',
  },
} as const satisfies Readonly<Record<string, Threshold>>;

/** The name of one. */
export type ThresholdName = keyof typeof thresholds;
