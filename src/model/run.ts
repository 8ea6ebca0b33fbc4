/** A training run: all ranks, launchers and loader workers that belong together on one host. */
export interface Run {
  /** `PID:STARTTICKS` of the root process: survives restarts of the monitor and is not fooled by a reused PID. */
  readonly id: string;
  readonly rootPid: number;
  /** The boot of its host that it belongs to: after another one PIDs and ticks begin anew. */
  readonly bootId?: string;
  readonly processes: readonly RunProcess[];
  /**
   * Where standard output and error of the root (or first rank) go; then the other files that its processes write as logs, in the order in
   * which they were found.
   */
  readonly outputs: readonly RunOutput[];
}

/** One process of a run. */
export interface RunProcess {
  readonly pid: number;
  /** Absent: nobody told it. */
  readonly parentPid?: number;
  /** argv, each argument made safe for a terminal. */
  readonly commandLine: readonly string[];
  readonly executable?: string;
  readonly user?: string;
  /** Epoch milliseconds on our time axis. */
  readonly startTime?: number;
  readonly cwd?: string;
  /** RANK and LOCAL_RANK (or SLURM_PROCID and SLURM_LOCALID, OMPI_COMM_WORLD_RANK) of its environment. */
  readonly rank?: number;
  readonly localRank?: number;
  readonly worldSize?: number;
  /** N of each /dev/nvidiaN it has open (the kernel's minor number; GPU index on all but rearranged hosts). */
  readonly gpuMinors: readonly number[];
  /** `cpuPercent` of one core at discovery, when it was measured. */
  readonly cpuPercent?: number;
}

/** What is behind a file descriptor of the run. */
export interface RunOutput {
  readonly fd: number;
  /** The process; absent: of the root or the first rank. */
  readonly pid?: number;
  /** Of several ranks the only one that has the file open. */
  readonly rank?: number;
  readonly kind: 'file' | 'pipe' | 'terminal' | 'null' | 'deleted' | 'socket' | 'unknown';
  /** For `file`. */
  readonly path?: string;
}
