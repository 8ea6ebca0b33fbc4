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
} as const satisfies Readonly<Record<string, Threshold>>;

/** The name of one. */
export type ThresholdName = keyof typeof thresholds;
