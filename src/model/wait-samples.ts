import type { Column, SampleBase } from './sample-base.ts';

/**
 * What the threads of the run wait in, read at a slow pace and without py-spy. Rows are parallel: the threads that did not run since they were
 * looked at, and of those that ran the busiest and the ones in D.
 */
export interface WaitsSample extends SampleBase<'waits'> {
  readonly pid: readonly number[];
  readonly tid: readonly number[];
  /** R S D T t Z X I, at the look. */
  readonly state: Column<string>;
  /** The system call it is in; `call 470` for one without a name here. Null: in none, or nobody may know (`lacks`). */
  readonly call: Column<string>;
  /** What the call's first argument, a file descriptor, leads to: a path, `socket:[5]`, `pipe:[5]`. Read of those that wait on. */
  readonly file: Column<string>;
  /** Of poll the number of descriptors, of wait4 the child. */
  readonly operand: Column;
  /** Of a futex its address: threads of a process with equal ones wait for one another. */
  readonly futex: Column<string>;
  /** The kernel's function in which it sleeps (wchan). */
  readonly where: Column<string>;
  /**
   * It has not run since: the time of the first look that found it as it is now. Null: it ran since the look before. It may have begun
   * earlier, but not before `notBefore`; null there: nobody saw the beginning.
   */
  readonly since: Column;
  readonly notBefore: Column;
  /** Context switches: it gave its core away to wait, or it was taken from it. */
  readonly voluntaryPerSecond: Column;
  readonly involuntaryPerSecond: Column;
  /** Cores it may run on, as the kernel writes them: `0-47,96-143`. */
  readonly cpus: Column<string>;
  /** Functions of the kernel, innermost first, of a thread in D. */
  readonly stack: Column<readonly string[]>;
  /** What could not be read, so that an empty cell is not taken for no wait. */
  readonly lacks: WaitLacks;
}

/**
 * `missing`: this kernel or container has no such file. `refused`: it is there, and this user may not read it. `hidden`: it reads 0 for all.
 * `unnamed`: the numbers of calls are not known for this machine. `uncounted`: schedstat is not there or counts nothing, and switches stand in.
 */
export interface WaitLacks {
  readonly call?: 'missing' | 'refused' | 'unnamed';
  readonly where?: 'missing' | 'hidden';
  readonly stack?: 'missing' | 'refused';
  readonly runs?: 'uncounted';
}
