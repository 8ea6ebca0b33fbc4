import type { Column, SampleBase } from './sample-base.ts';

/**
 * One frame of all GPUs. Rows are parallel, keyed by UUID; a column the driver does not have is absent. Live, smClockMaxMhz, fanPercent,
 * pcieWidth, mig and persistence are asked for every five minutes: they hardly change, and cost more than all others.
 */
export interface GpusSample extends SampleBase<'gpus'> {
  readonly uuid: readonly string[];
  /** nvidia-smi's index (PCI order). */
  readonly index: readonly number[];
  readonly name: Column<string>;
  readonly utilizationPercent?: Column;
  /**
   * All readings of utilizationPercent since the frame before, oldest first, where the GPU is read more often than frames come (every 250 ms):
   * a share of idle readings and a spread need them.
   */
  readonly utilizationReadings?: Column<readonly number[]>;
  readonly memoryUtilizationPercent?: Column;
  readonly memoryUsedBytes?: Column;
  readonly memoryTotalBytes?: Column;
  readonly powerWatts?: Column;
  readonly powerLimitWatts?: Column;
  readonly temperatureCelsius?: Column;
  readonly memoryTemperatureCelsius?: Column;
  readonly smClockMhz?: Column;
  readonly memoryClockMhz?: Column;
  readonly smClockMaxMhz?: Column;
  readonly fanPercent?: Column;
  readonly pstate?: Column<string>;
  /** Short names of the active clock event reasons ("power cap", "hw thermal"), idle left out; null = not known. */
  readonly throttleReasons?: Column<readonly string[]>;
  /** Since the driver was loaded (NVML's volatile count, not the aggregate of the GPU's life), of all its memories; asked for with each frame. */
  readonly eccUncorrected?: Column;
  readonly pcieGeneration?: Column;
  readonly pcieWidth?: Column;
  readonly mig?: Column<string>;
  readonly persistence?: Column<string>;
  // The GPU's own counters over the last interval (`nvidia-smi dmon --gpm-metrics`, Hopper and later); shares of the time.
  /** Busy with compute or graphics at all. */
  readonly graphicsActivePercent?: Column;
  /** SMs with a warp on them, the mean over all SMs: utilizationPercent is 100 also when one SM of 132 spins. */
  readonly smActivePercent?: Column;
  /** Warps on the SMs, of those that would fit. */
  readonly smOccupancyPercent?: Column;
  /** Tensor cores at work, and of them in double and in half precision. */
  readonly tensorActivePercent?: Column;
  readonly tensorDoubleActivePercent?: Column;
  readonly tensorHalfActivePercent?: Column;
  /** The bus of the memory moving data. */
  readonly dramActivePercent?: Column;
  readonly pcieTxBytesPerSecond?: Column;
  readonly pcieRxBytesPerSecond?: Column;
  /** All links together. */
  readonly nvlinkTxBytesPerSecond?: Column;
  readonly nvlinkRxBytesPerSecond?: Column;
  /** When the round came that the GPU's own counters are of, as receivedAt tells times: a frame has those of the newest round, which may be older than itself. */
  readonly countersTime?: Column;
  /** How long the rounds were there, where they are bursts; absent: as long as from one to the next. */
  readonly countersRoundMs?: Column;
  /** What stood in a cell that is no value, for the ones worth showing: `GPU requires reset`, `Unknown Error`. */
  readonly faults?: Column<string>;
}

/** Which process holds how much memory on which GPU, as nvidia-smi says (its PIDs are the host's). Rows are parallel. */
export interface GpuProcessesSample extends SampleBase<'gpuProcesses'> {
  readonly uuid: readonly string[];
  readonly pid: readonly number[];
  readonly name: readonly string[];
  readonly memoryBytes: Column;
}
