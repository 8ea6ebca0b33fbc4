import type { Column, SampleBase } from './sample-base.ts';

/**
 * Room on the file systems that the run writes to, read every 30 s. Rows are parallel, one a folder that was asked for; one that is not there, or whose
 * file system hangs, has null cells.
 */
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

/**
 * What the kernel's log says of GPUs and of processes that it killed: the lines since the Sample before, looked for every 30 s or more seldom. The first of
 * a connection has the newest of the last day, also those of before the watch and those that an earlier connection told: who counts lines compares them
 * (`isSameLine`), and the events made of them are told once. The State keeps the newest of all.
 */
export interface KernelSample extends SampleBase<'kernel'> {
  readonly lines: readonly KernelLine[];
  /** Why it is not read, one sentence: its reading is restricted, as in most containers. */
  readonly unread?: string;
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

/** Whether two lines are one: the time of boot, from which their stamps count, is measured anew with each connection. */
export function isSameLine(a: KernelLine, b: KernelLine): boolean {
  return a.text === b.text && Math.abs(a.time - b.time) < 3000;
}

const keptKernelLines = 50;

/** What was told of the kernel's log before, with one more Sample of it. */
export function withKernelLines(before: KernelSample | undefined, sample: KernelSample): KernelSample {
  const old = (before?.lines ?? []).filter((line) => !sample.lines.some((each) => isSameLine(each, line)));
  return { ...sample, lines: [...old, ...sample.lines].slice(-keptKernelLines) };
}
