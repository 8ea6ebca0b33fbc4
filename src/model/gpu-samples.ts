import type { Column, SampleBase } from './sample-base.ts';

/** One frame of all GPUs. Rows are parallel, keyed by UUID; a column the driver does not have is absent. */
export interface GpusSample extends SampleBase<'gpus'> {
  readonly uuid: readonly string[];
  /** nvidia-smi's index (PCI order). */
  readonly index: readonly number[];
  readonly name: Column<string>;
  readonly utilizationPercent?: Column;
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
  readonly eccUncorrected?: Column;
  readonly pcieGeneration?: Column;
  readonly pcieWidth?: Column;
  readonly mig?: Column<string>;
  readonly persistence?: Column<string>;
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
