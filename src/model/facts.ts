/** What the probe found on a host. Everything optional is absent when it is not there or could not be told. */
export interface HostFacts {
  readonly hostname: string;
  readonly kernel?: string;
  readonly user: string;
  readonly uid?: number;
  /** Path of that user's log-in shell, for a shell behind a wrapper. */
  readonly loginShell?: string;
  /** USER_HZ: ticks a second in /proc/PID/stat. */
  readonly clockTicks: number;
  readonly pageSize: number;
  /** Cores online. */
  readonly cores?: number;
  /** Threads of all processes that /proc showed to the probe. */
  readonly threadCount?: number;
  /** When the host booted, epoch ms on our time axis: /proc/uptime seconds are counted from here. */
  readonly bootTime: number;
  /** Another one after each boot. */
  readonly bootId?: string;
  /** Host clock minus ours, in ms; half the probe's round trip is its error. */
  readonly clockOffsetMs: number;
  /** The host's time zone, minutes east of UTC: nvidia-smi prints local time. */
  readonly utcOffsetMinutes: number;
  /** How to call an awk that answers line by line (mawk buffers piped input without -W interactive). */
  readonly awk?: 'mawk' | 'gawk' | 'busybox' | 'other';
  readonly top?: TopFacts;
  /** sysstat's version. */
  readonly pidstatVersion?: string;
  readonly tailFollows: boolean;
  /** Nodes of memory with the cores beside each. Absent: /sys does not tell. */
  readonly numaNodes?: readonly NumaNode[];
  readonly nvidia?: NvidiaFacts;
  /** Why there is no GPU source: one sentence. */
  readonly nvidiaMissing?: string;
  /** Paths of py-spy found on PATH and beside the run's Python. */
  readonly pySpy?: string;
  readonly ptraceScope?: number;
  readonly hasPtraceCapability?: boolean;
}

/** The host's top. */
export interface TopFacts {
  readonly flavour: 'procps' | 'busybox' | 'other';
  readonly version?: string;
  /** procps-ng 4.0.0 to 4.0.3 show the whole process's CPU on the main thread's row (procps issue 280). */
  readonly leaderRowIsTotal: boolean;
}

/** The host's NVIDIA driver, as nvidia-smi tells. */
export interface NvidiaFacts {
  readonly driverVersion?: string;
  /** Names that `nvidia-smi --help-query-gpu` lists: only these may be asked, one unknown name fails the whole query. */
  readonly fields: readonly string[];
  readonly gpuCount: number;
  /** By UUID, the number N of /dev/nvidiaN: a container may have GPU 0 as /dev/nvidia3. Absent where the driver does not tell. */
  readonly minors?: Readonly<Record<string, number>>;
  /** By UUID, where it is on the PCI bus and which cores are near. Absent where nothing tells its address. */
  readonly places?: Readonly<Record<string, GpuPlace>>;
}

/** A node of memory. */
export interface NumaNode {
  readonly node: number;
  /** As the kernel writes them: `0-47,96-143`. */
  readonly cores: string;
}

/** Where a GPU is. */
export interface GpuPlace {
  /** `0000:18:00.0`. */
  readonly address: string;
  /** Absent: the kernel does not know (-1: a virtual machine, or firmware without tables), or /sys is not there. */
  readonly node?: number;
  /** Cores near it. */
  readonly cores?: string;
}

/**
 * Seconds between two looks at the host's busiest threads. top reads all threads there are, at 30 µs each (procps 4.0.2): with
 * more of them it looks less often, and costs 0.1 % of a core or less up to 2,000.
 */
export function busiestSeconds({ threadCount = 0 }: Pick<HostFacts, 'threadCount'>): number {
  return Math.min(60, Math.max(10, Math.round(threadCount / 30)));
}
