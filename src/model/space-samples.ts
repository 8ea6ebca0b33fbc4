import type { Column, SampleBase } from './sample-base.ts';

/** Room on the file systems that the run writes to, read at a slow pace. Rows are parallel, one a folder that was asked for. */
export interface DisksSample extends SampleBase<'disks'> {
  readonly path: readonly string[];
  /** What the folder is to the run. */
  readonly use: readonly ('shm' | 'tmp' | 'run' | 'log' | 'checkpoints')[];
  /** Where its file system is mounted. */
  readonly mount: Column<string>;
  readonly totalBytes: Column;
  /** For the run's user: reserved blocks are not in it. */
  readonly availableBytes: Column;
  readonly totalInodes: Column;
  readonly freeInodes: Column;
}

/** What the kernel's log says of GPUs and of processes that it killed, where it may be read. */
export interface KernelSample extends SampleBase<'kernel'> {
  readonly lines: readonly KernelLine[];
}

/** A line of it. */
export interface KernelLine {
  readonly time: number;
  readonly what: 'xid' | 'oom-kill';
  readonly text: string;
  /** NVIDIA's number of the fault (docs.nvidia.com/deploy/xid-errors). */
  readonly xid?: number;
  /** The GPU's PCI address, as the line has it. */
  readonly address?: string;
  readonly pid?: number;
}
